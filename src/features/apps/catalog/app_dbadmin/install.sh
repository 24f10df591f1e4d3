# shellcheck shell=bash
# given: directory
cd -- "$directory"
php -l index.php > /dev/null
files=(index.php)
[[ ! -d adminer/include ]] || files=(adminer/include/version.inc.php)
version=$(grep -aoE "VERSION ?(=|',) ?[\"'][0-9]+(\.[0-9]+)+" "${files[@]}" | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1) || true
[[ $version ]] || fail "The file is not Adminer."
echo "Version $version"
