# shellcheck shell=bash
# given: shared
umask 027
rm -f -- "$shared/matomo/updating"
cat -- "$LONGSHORE_SECRETS/matomo-config" > "$shared/matomo/config.ini.php.new"
mv -T -- "$shared/matomo/config.ini.php.new" "$shared/matomo/config.ini.php"
echo "Wrote config.ini.php."
