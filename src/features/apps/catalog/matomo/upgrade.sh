# shellcheck shell=bash disable=SC2154,SC2164
cd -- "$directory"
php -d memory_limit=512M console core:update --yes --no-interaction --no-ansi
