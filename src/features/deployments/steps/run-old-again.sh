# shellcheck shell=bash
# uses: network/request.sh, units.sh
# given: server_name health_path restart_seconds old
# Starts the old process again, and waits until it responds. `restart_seconds`: at most.
if [[ $old != - ]]; then
  systemctl start "$(unit_on "$old")" || true
  end=$((SECONDS + restart_seconds))
  while ((SECONDS < end)); do
    http_get "$old" "$server_name" "$health_path"
    if [[ $status ]]; then break; fi
    sleep 0.05
  done
fi
