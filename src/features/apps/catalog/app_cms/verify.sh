# shellcheck shell=bash
# given: tool directory version
wp() { php -d memory_limit=512M "$tool" --path="$directory" "$@"; }

wp core verify-checksums
found=$(wp core version)
[[ $found = "$version" ]] || fail "After the update WordPress is $found, not $version."
echo "WordPress $found verifies against its checksums."
