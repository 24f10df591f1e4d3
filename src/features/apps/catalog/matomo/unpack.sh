# shellcheck shell=bash
# uses: ../../scripts/unpack.sh
# given: bootstrap release shared
[[ -f matomo.php && -f console && -f core/Version.php ]] || fail "The archive holds no Matomo."
mkdir -p "$shared/matomo/user" tmp
if [[ -d misc/user ]]; then tar -C misc/user -cf - . | tar -C "$shared/matomo/user" -xf - --skip-old-files; fi
rm -rf misc/user
ln -s "$shared/matomo/user" misc/user
ln -sfn "$shared/matomo/config.ini.php" config/config.ini.php
printf '%s' "$bootstrap" > bootstrap.php

# Visitors reach only the files named here: not the settings, the caches, the libraries and the console.
public=$release/.longshore/public
mkdir -p "$public/misc"
for name in index.php matomo.php piwik.php matomo.js piwik.js robots.txt favicon.ico js plugins libs node_modules; do
  if [[ -e $name ]]; then ln -s "../../matomo/$name" "$public/$name"; fi
done
ln -s "$shared/matomo/user" "$public/misc/user"
echo "Unpacked Matomo."
