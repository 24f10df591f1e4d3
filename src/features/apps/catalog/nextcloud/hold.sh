# shellcheck shell=bash disable=SC2016
# given: former directory updating
version=$(php -r 'require $argv[1]; echo implode(".", $OC_Version);' "$former/version.php")
printf '%s\n' "$directory" "$version" > "$updating.new"
mv -T -- "$updating.new" "$updating"
echo "Visitors see Nextcloud's maintenance page until the new release serves."
