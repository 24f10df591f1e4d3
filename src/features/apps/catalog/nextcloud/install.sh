# shellcheck shell=bash disable=SC2016
# given: directory data database account username email
cd -- "$directory"
occ() { php -d memory_limit=512M occ --no-ansi --no-interaction "$@"; }

# Every process of the server can read arguments, and occ accepts passwords only as arguments: they are passed on standard
# input.
printf '%s\0' maintenance:install --no-ansi --no-interaction --database=mysql --database-host=localhost \
  "--database-name=$database" "--database-user=$account" "--database-pass=$(cat -- "$LONGSHORE_SECRETS/database-password")" \
  "--admin-user=$username" "--admin-pass=$(cat -- "$LONGSHORE_SECRETS/admin-password")" "--admin-email=$email" \
  "--data-dir=$data" |
  php -d memory_limit=512M -r '
    $argv = $_SERVER["argv"] = ["occ", ...explode("\0", substr(stream_get_contents(STDIN), 0, -1))];
    $argc = $_SERVER["argc"] = count($argv);
    $_SERVER["SCRIPT_NAME"] = $_SERVER["PHP_SELF"] = "occ";
    $_SERVER["SCRIPT_FILENAME"] = getcwd() . "/occ";
    require getcwd() . "/console.php";'
occ background:cron
occ db:add-missing-indices
version=$(occ status --output=json | php -r '
  $lines = explode("\n", trim(stream_get_contents(STDIN)));
  $status = json_decode(end($lines), true);
  echo ($status["installed"] ?? false) === true ? $status["versionstring"] : "";')
[[ $version ]] || fail "Nextcloud does not find itself installed."
echo "Version $version"
