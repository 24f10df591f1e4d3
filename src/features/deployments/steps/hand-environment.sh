# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# Makes PHP read the variables of a release, with the functions of php-environment.sh. Variables: release_name, php_service.
if [[ ! -e $rollback_state ]]; then
  former=$(readlink "$link") || former=-
  echo "$former $had" > "$rollback_state.new"
  mv -T "$rollback_state.new" "$rollback_state"
fi
point_to "$release_name"
if [[ $has = "$had" ]]; then exit; fi
systemctl try-restart "$php_service"
# At the end: a repeated step starts it again rather than not at all.
keep "$has"
echo "PHP has the version and the environment variables of this release."
