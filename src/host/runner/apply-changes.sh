# shellcheck shell=bash
# Makes services read changed files.

# A unit is notified about files that are younger than its last start or reload. Comparing times, instead of
# remembering what this run wrote, also works after a run that was interrupted between writing and reloading.
apply_changes() { # reload|restart UNIT PATH…
  local verb=$1 unit=$2 since
  shift 2
  systemctl is-enabled --quiet "$unit" || systemctl enable --quiet "$unit"
  if ! systemctl is-active --quiet "$unit"; then
    systemctl start "$unit"
    echo "Started $unit."
    return
  fi
  since=$(systemctl show --property=StateChangeTimestamp --value --timestamp=us+utc "$unit")
  if [ -z "$(find "$@" -newermt "$since" 2>/dev/null | head -n 1)" ]; then return; fi
  systemctl "$verb" "$unit"
  echo "Requested $unit to $verb."
}
