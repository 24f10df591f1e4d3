# shellcheck shell=bash
# given: rollback_state unit_prefix journal
# Functions about the units of the project. `journal`: the namespace of projects.

unit_on() { echo "$unit_prefix$1.service"; }
# Only the output of the process itself, not of systemd about it, nor of an earlier process on this port.
last_lines() {
  local since
  since=$(stat --format=@%Y "$rollback_state" 2> /dev/null) || since=-1min
  journalctl "--namespace=$journal" --sync 2> /dev/null || true
  journalctl "--namespace=$journal" --quiet --no-pager --output=cat --lines=20 --since="$since" "_SYSTEMD_UNIT=$1" || true
}
