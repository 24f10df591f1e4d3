# shellcheck shell=bash disable=SC2016
# given: directory
cd -- "$directory"
php -d memory_limit=512M occ --no-ansi --no-interaction status --output=json | php -r '
  $lines = explode("\n", trim(stream_get_contents(STDIN)));
  $status = json_decode(end($lines), true);
  exit(($status["installed"] ?? false) && !$status["maintenance"] && !$status["needsDbUpgrade"] ? 0 : 1);' ||
  fail "Nextcloud is in maintenance, or an update of it was left unfinished: repair it first."
echo "Nextcloud works, and no other update is running."
