# shellcheck shell=bash
# given: user git_user uid
# Removes what outlives the processes of the users of a project. `uid`: of the first; the other has the next one.
rm -f -- /var/spool/cron/crontabs/"$user" /var/lib/systemd/linger/"$user" /var/mail/"$user"
for id in "$uid" "$((uid + 1))" $(id -u "$user" 2> /dev/null) $(id -u "$git_user" 2> /dev/null); do
  for directory in /tmp /var/tmp /dev/shm /dev/mqueue /run/lock /var/crash /var/spool/cron /var/lib/php/sessions; do
    [[ ! -d $directory ]] || find "$directory" -xdev -mindepth 1 -uid "$id" -delete 2> /dev/null || true
  done
  # Shared memory, queues and semaphores, by the column that holds their owner.
  for kind in 'm shm 8' 'q msg 8' 's sem 5'; do
    read -r option file column <<< "$kind"
    awk -v id="$id" -v column="$column" 'NR > 1 && $column == id { print $2 }' "/proc/sysvipc/$file" |
      xargs --no-run-if-empty --max-args=1 ipcrm "-$option" || true
  done
done
