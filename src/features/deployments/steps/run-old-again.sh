# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# Starts the old process again, and waits until it responds. Variables: restart_seconds (at most), server_name, health_path.
if [[ $old != - ]]; then
  systemctl start "$(unit_on "$old")" || true
  end=$((SECONDS + restart_seconds))
  while ((SECONDS < end)); do
    http_get "$old" "$server_name" "$health_path"
    if [[ $status ]]; then break; fi
    sleep 0.05
  done
fi
