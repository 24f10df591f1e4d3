# shellcheck shell=bash
# uses: ../../scripts/unpack.sh
# given: release shared
# Files that outlive releases are linked in: wp-content, filled from the archive, and wp-config.php.
[[ -f wp-load.php ]] || fail "The archive holds no WordPress."
mkdir "$release/.longshore"
ln -s .. "$release/.longshore/public"
if [[ ! -e $shared/wp-content ]]; then
  mv -T wp-content "$shared/wp-content"
else
  # From an earlier attempt: files that were added since are kept.
  tar -C wp-content -cf - . | tar -C "$shared/wp-content" -xf - --skip-old-files
  rm -rf wp-content
fi
mkdir -p "$shared/wp-content/uploads" "$shared/wp-content/upgrade"
ln -s "$shared/wp-content" wp-content
ln -s "$shared/wp-config.php" wp-config.php
