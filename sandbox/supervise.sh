#!/usr/bin/env bash
# supervise.sh ROOT CGROUP PRIORITY COMMAND...: runs a server's container, and again whenever the server rebooted itself. With the
# PRIORITY idle its processes run when nothing else on this machine wants the processors; otherwise it is normal.
set -uo pipefail
cgroup=$2 priority=$3
shift 3

# A cgroup of its own, in the hierarchies systemd keeps its units in: without it, all servers' systemds would share one
# tree and stop each other's services.
for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified; do
  [[ -e $hierarchy/cgroup.procs ]] || continue
  mkdir -p "$hierarchy/$cgroup" && echo $$ >"$hierarchy/$cgroup/cgroup.procs"
done
if [[ $priority == idle ]]; then
  # Version 2 of cgroups, and version 1, where the processors are a hierarchy of their own.
  for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/cpu; do
    [[ -e $hierarchy/cgroup.procs ]] || continue
    mkdir -p "$hierarchy/$cgroup"
    [[ -e $hierarchy/$cgroup/cpu.idle ]] || continue
    echo 1 >"$hierarchy/$cgroup/cpu.idle" && echo $$ >"$hierarchy/$cgroup/cgroup.procs"
  done
fi

# systemd-nspawn ends with 133 when the system inside asked for a reboot.
status=133
while ((status == 133)); do
  "$@" </dev/null
  status=$?
done
exit "$status"
