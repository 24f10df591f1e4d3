# shellcheck shell=bash disable=SC2016
# given: directory updating version
found=$(php -r 'require $argv[1]; echo Piwik\Version::VERSION;' "$directory/core/Version.php")
[[ $found = "$version" ]] || fail "After the update Matomo is ${found:-unreadable}, not $version."
rm -f -- "$updating"
echo "Version $found"
