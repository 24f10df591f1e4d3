# shellcheck shell=bash
# given: directory
cd -- "$directory"
php -d memory_limit=512M console core:update --yes --no-interaction --no-ansi
