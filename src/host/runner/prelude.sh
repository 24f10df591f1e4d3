# shellcheck shell=bash
# given: failure
# The beginning of steps. `failure`: the sentence that is printed when the step fails without one of its own.

umask 022
said=
# shellcheck disable=SC2317 # called by scripts that end with it
fail() { said=yes; printf '%s\n' "$*" >&2; exit 1; }
# shellcheck disable=SC2317 # called by the trap
at_exit() {
  local status=$?
  [ -z "${scratch-}" ] || rm -rf "$scratch"
  [ "$status" = 0 ] || [ -n "$said" ] || printf '%s\n' "$failure" >&2
}
trap at_exit EXIT
