# shellcheck shell=bash
# given: second_port_flag rollback_state first_port second_port
# Saves `former port old`: the live release before, the port for the new process, the port of the old one; `-` for none.
# `rollback_state`: a file.
if [[ ! -e $rollback_state ]]; then
  former=- port=$first_port old=-
  if [[ -L current ]]; then
    former=$(readlink current)
    if [[ -e $second_port_flag ]]; then old=$second_port; else old=$first_port port=$second_port; fi
  fi
  echo "$former $port $old" > "$rollback_state.new"
  mv -T "$rollback_state.new" "$rollback_state"
fi
read -r former port old < "$rollback_state"
