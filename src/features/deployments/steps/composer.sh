# shellcheck shell=bash
# uses: install-packages.sh
# given: php_versions
# Installs with Composer. `php_versions`: those that a project can have.
if [[ -e composer.json ]]; then
  command -v composer > /dev/null || stop "The project has a composer.json, but Composer is not installed on this server."
  key=''
  if [[ -e composer.lock ]] && ! grep -qsE '"type"[[:space:]]*:[[:space:]]*"path"' composer.json composer.lock; then
    key=$({ php -r 'echo PHP_VERSION;'; cat -- composer.lock composer.json; patches; } | sha256sum)
    key=php-${key%% *}
    if restore "$key" vendor; then echo "composer.lock has not changed: the packages installed before are used."; fi
  fi
  words=$(mktemp) code=0
  composer install --no-dev --no-interaction --prefer-dist --optimize-autoloader --no-progress --no-ansi 2>&1 | tee -- "$words" || code=$?
  if [[ $code != 0 ]] && grep -q 'your php version (' "$words"; then
    stop "The project needs another version of PHP than $(php -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;'), as Composer says above. Set php_version to one that it can run with, of $php_versions."
  fi
  rm -f -- "$words"
  if [[ $code != 0 ]]; then exit "$code"; fi
  [[ ! $key || -d $package_cache/$key ]] || keep "$key" vendor
fi
