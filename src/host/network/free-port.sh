# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# Ends what listens on a project's port and is another project's. Arguments: PORT USER. Variables: first_uid and last_uid (the users of
# projects).
uid=$(id -u "$2") || exit 0
for ((tries = 0; tries < 20; tries++)); do
  foreign=0
  while read -r pid; do
    owner=$(stat -c %u "/proc/$pid" 2>/dev/null) || continue
    # The server's own processes are their owner's to move.
    if ((owner == uid || owner < first_uid || owner > last_uid)); then continue; fi
    foreign=1
    unit=$(ps -o unit= -p "$pid")
    if [[ $unit = longshore-* ]]; then systemctl kill --signal=KILL "$unit"; else kill -KILL "$pid"; fi
  done < <(ss -Hltnp "sport = :$1" | grep -o 'pid=[0-9]*' | cut -d = -f 2)
  ((foreign)) || exit 0
  sleep 0.02
done
exit 0
