# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# The undo of start-process.sh. Variables: remembered (a file), slots.
rm -f -- "$remembered.new"
if [[ ! -e $remembered ]]; then exit 0; fi
read -r _ port _ < "$remembered"
systemctl stop "$(unit_on "$port")" || true
rm -f -- "$slots/$port" "$remembered"
