# shellcheck shell=bash
# given: reports service_file timer_file service timer
# Starts or removes the timer that watches background jobs. `reports`: the directory; `service_file` and `timer_file`: of its units,
# with the texts `service` and `timer`.
if grep -qsE '^[1-9][0-9]?$' "$reports"/*; then
  if [ ! -e "$timer_file" ]; then
    printf %s "$service" > "$service_file"
    # Whole or not at all: it is the sign that both are there.
    printf %s "$timer" > "$timer_file.new"
    mv -T -- "$timer_file.new" "$timer_file"
    systemctl daemon-reload
  fi
  systemctl enable --quiet --now "${timer_file##*/}"
elif [ -e "$timer_file" ]; then
  systemctl disable --quiet --now "${timer_file##*/}"
  rm -f -- "$timer_file" "$service_file"
  systemctl daemon-reload
fi
exec 8>&-
