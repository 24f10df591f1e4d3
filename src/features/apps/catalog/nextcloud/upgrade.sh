# shellcheck shell=bash
# given: directory
cd -- "$directory"
occ() { php -d memory_limit=512M occ --no-ansi --no-interaction "$@"; }

occ upgrade
for missing in columns indices primary-keys; do
  occ "db:add-missing-$missing" || echo "Nextcloud could not add missing $missing."
done
