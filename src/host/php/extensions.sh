# shellcheck shell=bash
# uses: runner/packages.sh
# Functions for extensions that some projects use. Packages enable an extension for all of PHP: here for the command line, and not for
# PHP-FPM, where each project that wants it loads it.

# Whether PHP-FPM loads it for all projects: it came with the setup, with another package, or from the operator.
is_for_all() { compgen -G "/etc/php/$1/fpm/conf.d/*-$2.ini" > /dev/null; } # VERSION EXTENSION

add_extensions() { # VERSION EXTENSION...
  local version=$1 each
  shift
  for each; do
    if [ -e "/etc/php/$version/mods-available/$each.ini" ]; then continue; fi
    [ -n "$(apt-cache madison "php$version-$each" 2> /dev/null)" ] || apt update > /dev/null 2>&1 || true
    [ -n "$(apt-cache madison "php$version-$each" 2> /dev/null)" ] ||
      fail "There is no extension $each for PHP $version in the package archives of the server."
    need_packages "php$version-$each" || fail "The extension $each of PHP $version could not be installed; apt's own words are above."
    [ -e "/etc/php/$version/mods-available/$each.ini" ] || fail "The package php$version-$each has no extension $each."
    phpdismod -v "$version" -s fpm "$each"
  done
}

# Prints the settings that load them, for the file of one project.
settings_of_extensions() { # VERSION EXTENSION...
  local version=$1 each
  shift
  for each; do
    if ! is_for_all "$version" "$each"; then cat "/etc/php/$version/mods-available/$each.ini"; fi
  done
}
