# shellcheck shell=bash
# Prints the version of the distribution's PHP.
php_version() { dpkg-query -W -f '${Depends}' php-fpm | grep -oP 'php\K[0-9]+\.[0-9]+(?=-fpm)' | head -n 1; }
