# shellcheck shell=bash
# given: tool directory
wp() { php -d memory_limit=512M "$tool" --path="$directory" "$@"; }

wp core update-db
version=$(wp core version)
echo "Version $version"
