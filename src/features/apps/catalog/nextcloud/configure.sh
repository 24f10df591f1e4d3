# shellcheck shell=bash disable=SC2016
# given: shared settings
umask 027
# Remains of a former attempt: Nextcloud rejects an account whose files already exist.
find "$shared/data" "$shared/config" -mindepth 1 -delete
printf '%s' "$settings" > "$shared/config/longshore.config.php"
printf '<?php\n$CONFIG = [];\n' > "$shared/config/config.php"
: > "$shared/config/CAN_INSTALL"
php -l "$shared/config/longshore.config.php" > /dev/null || fail "PHP does not take longshore.config.php."
echo "Wrote longshore.config.php."
