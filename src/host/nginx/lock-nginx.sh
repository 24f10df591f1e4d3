# shellcheck shell=bash
# From the call to its end, a step's script is the only one that changes the web server.
lock_nginx() {
  [ -d /run/longshore ] || mkdir -m 700 /run/longshore
  exec 9> /run/longshore/nginx.lock
  flock 9
  # It opens files for each project, also to test.
  ulimit -Sn 65535 2> /dev/null || ulimit -Sn "$(ulimit -Hn)"
}
