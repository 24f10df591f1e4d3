# shellcheck shell=bash
# uses: stop.sh, units.sh, network/drain.sh, save-ports.sh
# given: slots free_port user release_name
# Starts the release on the standby port. `slots`: the directory; `free_port`: a program.

# A drain that was interrupted may have left the port closed to nginx.
accept_requests "$port"
ln -sfn "../releases/$release_name" "$slots/$port"
unit=$(unit_on "$port")
# A process that was left there by a run that died is replaced.
systemctl stop "$unit"
"$free_port" "$port" "$user"
# Another program that answers there would pass for the new process.
holder=$(ss -Hltnp "sport = :$port")
if [[ $holder ]]; then
  pattern='users:\(\("([^"]+)",pid=([0-9]+)' program='another program'
  if [[ $holder =~ $pattern ]]; then program="${BASH_REMATCH[1]} (process ${BASH_REMATCH[2]})"; fi
  stop "Port $port, where the new process would listen, is in use by $program. End it or give it another port, and deploy again."
fi
if ! systemctl start "$unit"; then
  last_lines "$unit"
  stop "The process could not be started; its last lines are above."
fi
echo "Started a process on port $port."
