# shellcheck shell=bash
# uses: as-project.sh
# given: working_directory command project_home
# What comes before a user's command. `command`: its name in sentences. Only what runs through `as_project` has the project's own
# variables.

stop() { command=''; printf '%s\n' "$1" >&2; exit 1; }
at_exit() {
  local code=$?
  [[ $code = 0 || ! ${on_failure-} ]] || echo "$on_failure"
  [[ $code != 0 && $command ]] || return 0
  echo "The $command ended with exit code $code." >&2
  if why_no_node; then echo "Node does not start with the project's variable NODE_OPTIONS: $why" >&2; fi
}
trap at_exit EXIT
cd -P -- "$working_directory" || exit
# What the server's owner set for everyone, such as a proxy or certificate authorities.
set -a +u
# shellcheck source=/dev/null
if [[ -r /etc/environment ]]; then source /etc/environment; fi
set +a -u
export HOME=$project_home PATH=/usr/local/bin:/usr/bin:/bin
