# shellcheck shell=bash
# uses: units.sh
# given: rollback_state slots
# The undo of start-process.sh. `rollback_state`: a file.
rm -f -- "$rollback_state.new"
if [[ ! -e $rollback_state ]]; then exit 0; fi
read -r _ port _ < "$rollback_state"
systemctl stop "$(unit_on "$port")" || true
rm -f -- "$slots/$port" "$rollback_state"
