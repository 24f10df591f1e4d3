# shellcheck shell=bash disable=SC2034
# uses: network/request.sh, units.sh
# given: rollback_state server_name health_path
# `ask` sets `status`; `died` succeeds if the started process is gone.
read -r former port old < "$rollback_state"
unit=$(unit_on "$port")
ask() { http_get "$port" "$server_name" "$health_path"; }
# systemd restarts it when it dies: the number of starts shows that.
restarts=0 process=0
while IFS='=' read -r key value; do
  case $key in NRestarts) [[ ! $value =~ ^[0-9]{1,9}$ ]] || restarts=$value ;; MainPID) process=$value ;; esac
done < <(systemctl show --property=NRestarts,MainPID "$unit")
died() { ((restarts > 0)) || [[ $process = 0 || ! -d /proc/$process ]]; }
