# shellcheck shell=bash disable=SC2016
# given: directory updating version
cd -- "$directory"
rm -f -- "$updating"
found=$(php -d memory_limit=512M occ --no-ansi --no-interaction status --output=json | php -r '
  $lines = explode("\n", trim(stream_get_contents(STDIN)));
  echo json_decode(end($lines), true)["versionstring"] ?? "";')
[[ $found = "$version" ]] || fail "After the update Nextcloud is ${found:-unreadable}, not $version."
echo "Version $found"
