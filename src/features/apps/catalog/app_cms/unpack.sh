# shellcheck shell=bash disable=SC2154
# What outlives releases is linked in: wp-content, with what the archive brings for it, and wp-config.php.
[[ -f wp-load.php ]] || fail "The archive holds no WordPress."
mkdir -p "$release/.longshore" "$shared/wp-content/uploads" "$shared/wp-content/upgrade"
ln -sfn .. "$release/.longshore/public"
tar -C wp-content -cf - . | tar -C "$shared/wp-content" -xf - --skip-old-files
rm -rf wp-content
ln -s "$shared/wp-content" wp-content
ln -s "$shared/wp-config.php" wp-config.php
