# shellcheck shell=bash
# given: first_uid last_uid companion_distance first_port
# Ends what listens on a project's port, or on its companion, and is another project's. Arguments: PORT USER. `first_uid` and
# `last_uid`: the users of projects; `first_port`: of projects. A port without a companion is below another project's by the same
# distance.
companion=$(($1 - companion_distance))
if ((companion >= first_port)); then companion=$1; fi
uid=$(id -u "$2") || exit 0
# By the numbers of the sockets: where ss names processes, a process that calls itself `pid=7` would pass for process 7.
holders() { # PORT
  local socket
  while read -r socket; do
    find /proc/[0-9]*/fd -maxdepth 1 -lname "socket:\\[$socket\\]" 2> /dev/null | cut -d / -f 3
  done < <(ss -Hltne "sport = :$1 or sport = :$companion" | grep -o ' ino:[0-9]*' | cut -d : -f 2)
}
for ((tries = 0; tries < 20; tries++)); do
  foreign=0
  while read -r pid; do
    owner=$(stat -c %u "/proc/$pid" 2>/dev/null) || continue
    # The server's own processes are their owner's to move.
    if ((owner == uid || owner < first_uid || owner > last_uid)); then continue; fi
    foreign=1
    unit=$(ps -o unit= -p "$pid")
    if [[ $unit = longshore-* ]]; then systemctl kill --signal=KILL "$unit"; else kill -KILL "$pid"; fi
  done < <(holders "$1")
  ((foreign)) || exit 0
  sleep 0.02
done
exit 0
