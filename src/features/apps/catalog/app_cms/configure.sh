# shellcheck shell=bash
# given: shared
umask 077
cat -- "$LONGSHORE_SECRETS/wp-config" > "$shared/wp-config.php.new"
mv -T -- "$shared/wp-config.php.new" "$shared/wp-config.php"
echo "Wrote wp-config.php."
