# shellcheck shell=bash disable=SC2034,SC2154 # the renderer sets the variables, other files use what this one sets
# `ask` sets `status`; `died` succeeds if the started process is gone. Variables: rollback_state, server_name, health_path.
read -r former port old < "$rollback_state"
unit=$(unit_on "$port")
ask() { http_get "$port" "$server_name" "$health_path"; }
# systemd restarts it when it dies: the number of starts shows that.
restarts=0 process=0
while IFS='=' read -r key value; do
  case $key in NRestarts) [[ ! $value =~ ^[0-9]{1,9}$ ]] || restarts=$value ;; MainPID) process=$value ;; esac
done < <(systemctl show --property=NRestarts,MainPID "$unit")
died() { ((restarts > 0)) || [[ $process = 0 || ! -d /proc/$process ]]; }
