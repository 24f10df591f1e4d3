# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# Makes PHP read the variables of a release, with the functions of php-environment.sh. Variables: release_name, php_service.
if [[ ! -e $remembered ]]; then
  former=$(readlink "$link") || former=-
  echo "$former $had" > "$remembered.new"
  mv -T "$remembered.new" "$remembered"
fi
point_to "$release_name"
if [[ $has = "$had" ]]; then exit; fi
systemctl try-restart "$php_service"
# At the end: a repeated step starts it again rather than not at all.
keep "$has"
echo "PHP has the version and the environment variables of this release."
