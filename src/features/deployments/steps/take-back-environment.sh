# shellcheck shell=bash
# uses: php-environment.sh
# given: php_service rollback_state
# The undo of hand-environment.sh.
rm -f -- "$rollback_state.new" "$link.new" "$note.new"
if [[ ! -e $rollback_state ]]; then exit 0; fi
read -r former first < "$rollback_state"
if [[ $former = - ]]; then rm -f -- "$link"; else point_to "$former"; fi
if [[ $has != "$first" ]]; then
  systemctl try-restart "$php_service" || true
  keep "$first"
fi
rm -f -- "$rollback_state"
