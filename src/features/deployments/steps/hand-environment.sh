# shellcheck shell=bash
# uses: php-environment.sh
# given: release_name php_service rollback_state
# Makes PHP read the variables of a release.
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
