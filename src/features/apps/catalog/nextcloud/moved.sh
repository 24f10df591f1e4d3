# shellcheck shell=bash
# given: directory
cd -- "$directory"
# Stored in the database, not in the settings.
since=$(php -d memory_limit=512M occ --no-ansi --no-interaction config:app:get core installedat | tail -n 1) || true
[[ $since =~ ^[0-9.]+$ ]] || fail "Nextcloud does not find its data here: $(tr -s '[:space:]' ' ' <<< "$since" | tail -c 300)"
echo "Nextcloud finds its data."
