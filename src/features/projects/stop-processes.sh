# shellcheck shell=bash
# given: php_socket_unit unit_wants unit_prefix unit_template php_socket crontab job_prefix unit_files
# Stops the processes of a project. `crontab`: a file; `unit_prefix` and `job_prefix`: of units; `unit_wants` and `unit_files`:
# directories.
rm -f -- "$crontab" "$crontab.stopped"
# First the socket, which would start PHP again. A background job may wait for a while for what it works on.
systemctl stop "$php_socket_unit" 2> /dev/null || true
systemctl stop "$unit_prefix*.service" "$job_prefix*.service" || true
shopt -s nullglob
links=("$unit_wants/$unit_prefix"*.service "$unit_wants/$job_prefix"*)
units=("$unit_template"* "$unit_files/$job_prefix"*)
if ((${#links[@]} + ${#units[@]})); then rm -rf -- "${links[@]}" "${units[@]}"; systemctl daemon-reload; fi
# systemd remembers a unit that failed, such as one whose start a reboot interrupted, also without its file.
systemctl reset-failed "$unit_prefix*" "$job_prefix*" 2> /dev/null || true
rm -f -- "$php_socket"
