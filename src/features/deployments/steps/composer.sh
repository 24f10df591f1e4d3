# shellcheck shell=bash
# uses: install-packages.sh
# given: php_versions
# Installs with Composer. `php_versions`: those that a project can have.

# Whether plugins or scripts of Composer run for single packages: for those that are there already, they do not run again. The plugins that
# are named here act at the end of each installation.
reads_while_installing() {
  if grep -qsE '"(pre|post)-(package|operations|file)-[a-z-]+"[[:space:]]*:' composer.json; then return; fi
  { grep -oE '"name": *"[^"]*"|"type": *"composer-plugin"|"packages-dev"' composer.lock || true; } |
    awk '/packages-dev/ { exit } /^"name"/ { name = $0 } /composer-plugin/ { print name }' |
    grep -vE '"(symfony/(flex|runtime)|php-http/discovery|pestphp/pest-plugin|composer/package-versions-deprecated)"$' > /dev/null
}
if [[ -e composer.json ]]; then
  command -v composer > /dev/null || stop "The project has a composer.json, but Composer is not installed on this server."
  key=''
  if [[ -e composer.lock ]] && ! grep -qsE '"type"[[:space:]]*:[[:space:]]*"path"' composer.json composer.lock; then
    key=$(
      {
        printf '%s\n' 3 "$MACHTYPE"
        php -r 'echo PHP_VERSION;'
        sha256sum -- "$package_cache/cleared" 2> /dev/null || true
        manager_inputs 'composer_.*|home' composer.lock composer.json auth.json
        patches
        ! reads_while_installing || script_inputs
      } | sha256sum
    )
    key=php-${key%% *}
    if restore "$key" vendor; then echo "composer.lock has not changed: the packages installed before are used."; fi
  fi
  words=$(mktemp) code=0
  as_project composer install --no-dev --no-interaction --prefer-dist --optimize-autoloader --no-progress --no-ansi 2>&1 | tee -- "$words" || code=$?
  if [[ $code != 0 ]] && grep -q 'your php version (' "$words"; then
    stop "The project needs another version of PHP than $(php -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;'), as Composer says above. Set the project's PHP version (php_version) to one that it can run with, of $php_versions."
  fi
  rm -f -- "$words"
  if [[ $code != 0 ]]; then exit "$code"; fi
  [[ ! $key || -d $package_cache/$key ]] || keep "$key" vendor
fi
