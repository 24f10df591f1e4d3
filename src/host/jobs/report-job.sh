#!/bin/bash
# Reports the runs of a scheduled job. systemd calls it for the job's unit, as root:
#   report-job started NAME    the run has begun
#   report-job ended NAME      the run has ended; EXIT_CODE and EXIT_STATUS have the result
# Both only start `report-job send …` as a unit of its own and return, so that the job never waits for the control plane.
# NAME is PROJECT-JOB; the file of that name holds the address, which is a secret: it stands on no command line.
set -uo pipefail
reports=/etc/longshore/reports
verb=$1 name=$2

in_background() { # ARGUMENT…
  timeout 5 systemd-run --quiet --no-block --collect --property=RuntimeMaxSec=60 -- "$0" send "$name" "$@"
}

exit_status() {
  case ${EXIT_CODE-} in
    exited) echo "$EXIT_STATUS" ;;
    killed | dumped) echo $((128 + $(kill -l "$EXIT_STATUS" | tr -dc 0-9))) ;;
    *) echo 255 ;;
  esac
}

duration_ms() {
  local key value began=0 ended=0
  while IFS='=' read -r key value; do
    [[ $value =~ ^[0-9]{1,18}$ ]] || continue
    case $key in
      ExecMainStartTimestampMonotonic) began=$value ;;
      ExecMainExitTimestampMonotonic) ended=$value ;;
    esac
  done < <(timeout 5 systemctl show --property=ExecMainStartTimestampMonotonic,ExecMainExitTimestampMonotonic "$unit")
  echo $((ended > began ? (ended - began) / 1000 : 0))
}

# The last lines of what the run printed. They may be on their way to the journal still.
output() { # RUN
  timeout 5 journalctl --namespace=longshore --sync
  timeout 5 journalctl --namespace=longshore --quiet --no-pager --output=cat --lines=50 "_SYSTEMD_INVOCATION_ID=$1" |
    tail -c 9000
}

# Three tries of five seconds; then the report is given up.
send() { # PATH
  local url
  IFS= read -r url < "$reports/$name" || return
  curl --silent --fail --output /dev/null --max-time 5 --retry 2 --retry-delay 5 --retry-all-errors \
    --config <(printf 'url = "%s%s"\n' "$url" "$1") --data-binary @-
}

[ -r "$reports/$name" ] || exit 0
case $verb in
  started) in_background started "$INVOCATION_ID" ;;
  ended)
    unit=$3
    in_background ended "$INVOCATION_ID" "$(exit_status)" "$(duration_ms)"
    ;;
  send)
    case $3 in
      started) send "/start?rid=$4" < /dev/null ;;
      ended) output "$4" 2> /dev/null | send "/$5?rid=$4&duration_ms=$6" ;;
    esac
    ;;
esac
