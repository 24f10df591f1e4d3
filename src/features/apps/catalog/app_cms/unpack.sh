# shellcheck shell=bash disable=SC2154
# What outlives releases is linked in: wp-content, with what the archive brings for it, and wp-config.php.
[[ -f wp-load.php ]] || fail "The archive holds no WordPress."
mkdir "$release/.longshore"
ln -s .. "$release/.longshore/public"
if [[ ! -e $shared/wp-content ]]; then
  mv -T wp-content "$shared/wp-content"
else
  # Of an earlier attempt: what was put there since stays.
  tar -C wp-content -cf - . | tar -C "$shared/wp-content" -xf - --skip-old-files
  rm -rf wp-content
fi
mkdir -p "$shared/wp-content/uploads" "$shared/wp-content/upgrade"
ln -s "$shared/wp-content" wp-content
ln -s "$shared/wp-config.php" wp-config.php
