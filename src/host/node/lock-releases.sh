# shellcheck shell=bash
# The lock for links and versions: held for moments, unlike the lock of installations.
lock_node_releases() {
  [ -d /run/longshore ] || mkdir -m 700 /run/longshore
  exec 8> /run/longshore/node-releases.lock
  flock 8
}
