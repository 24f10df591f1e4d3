# shellcheck shell=bash
# uses: ../../scripts/unpack.sh
# given: release shared
[[ -f occ && -f version.php && -f lib/base.php ]] || fail "The archive holds no Nextcloud."
mkdir -p "$shared/config" "$shared/custom_apps"
[[ -d $shared/data ]] || mkdir -m 770 "$shared/data"
rm -rf config data
ln -s "$shared/config" config

# Visitors reach only the files named here: not the settings, the data, the libraries and the web updater.
public=$release/.longshore/public
mkdir -p "$public"
for name in remote.php public.php status.php ocs ocs-provider core apps dist resources themes robots.txt; do
  if [[ -e $name ]]; then ln -s "../../nextcloud/$name" "$public/$name"; fi
done
ln -s "$shared/custom_apps" "$public/custom_apps"
cat > "$public/index.php" <<'PHP'
<?php
// Where devices look for calendars and contacts.
if (preg_match('#^/\.well-known/(?:cal|card)dav/?(?:\?|$)#', $_SERVER['REQUEST_URI'] ?? '')) {
  header('Location: /remote.php/dav/', true, 301);
  exit;
}
$_SERVER['SCRIPT_FILENAME'] = dirname(__DIR__, 2) . '/nextcloud/index.php';
require $_SERVER['SCRIPT_FILENAME'];
PHP
echo "Unpacked Nextcloud."
