# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# The undo of start-process.sh. Variables: rollback_state (a file), slots.
rm -f -- "$rollback_state.new"
if [[ ! -e $rollback_state ]]; then exit 0; fi
read -r _ port _ < "$rollback_state"
systemctl stop "$(unit_on "$port")" || true
rm -f -- "$slots/$port" "$rollback_state"
