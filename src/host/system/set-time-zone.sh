# shellcheck shell=bash
# uses: runner/packages.sh, runner/put-file.sh, runner/put-link.sh
# given: zone
need_packages tzdata
file=/usr/share/zoneinfo/$zone
if [ ! -f "$file" ] || [ "$(head -c 4 "$file")" != TZif ]; then
  fail "This server does not know the time zone $zone; it keeps $(readlink -f /etc/localtime)."
fi
put_link "$file" /etc/localtime
put_file /etc/timezone 0644 "$zone"$'\n'
echo "The time zone is $zone."
