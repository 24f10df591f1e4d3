#!/usr/bin/env bash
# supervise.sh ROOT CGROUP COMMAND...: runs a server's container, and again whenever the server rebooted itself.
set -uo pipefail
cgroup=$2
shift 2

# A cgroup of its own, in the hierarchies systemd keeps its units in: without it, all servers' systemds would share one
# tree and stop each other's services.
for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified; do
  [[ -e $hierarchy/cgroup.procs ]] || continue
  mkdir -p "$hierarchy/$cgroup" && echo $$ >"$hierarchy/$cgroup/cgroup.procs"
done

# systemd-nspawn ends with 133 when the system inside asked for a reboot.
status=133
while ((status == 133)); do
  "$@" </dev/null
  status=$?
done
exit "$status"
