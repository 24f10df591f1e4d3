#!/bin/bash
# Longshore: ends a project's process. SIGTERM for each of its processes, once; SIGKILL for what is left after SECONDS.
trap '' TERM
group=
while IFS=: read -r _ kind path; do
  if [[ $kind && $kind != name=systemd ]]; then continue; fi
  for root in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/systemd; do
    if [[ -r $root$path/cgroup.procs ]]; then group=$root$path/cgroup.procs; fi
  done
done < /proc/self/cgroup
# Then systemd ends them.
if [[ ! $group ]]; then exit; fi
exec {quiet}<> <(:)
others() {
  mapfile -t others < "$group"
  for at in "${!others[@]}"; do
    if [[ ${others[at]} = "$$" ]]; then unset "others[$at]"; fi
  done
}
others
kill -TERM "${others[@]}" 2> /dev/null
end=$((SECONDS + $1))
while others; ((${#others[@]} > 0)); do
  if ((SECONDS >= end)); then
    kill -KILL "${others[@]}" 2> /dev/null
    exit
  fi
  read -r -t 0.05 -u "$quiet"
done
exit 0
