# shellcheck shell=bash
# given: slots php_socket
# `busy` succeeds while nginx has a connection to one of the project's processes, which it closes a second after the last response,
# or to its PHP workers. Sending files takes no time.
busy() {
  local slot
  for slot in "$slots"/*; do
    if [[ -L $slot && -n $(ss -Htn state established "( sport = :${slot##*/} )") ]]; then return 0; fi
  done
  [[ -n $(ss -Hxn state established src "$php_socket") ]]
}
