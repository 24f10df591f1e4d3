# shellcheck shell=bash
# given: working_directory environment_directory command project_home
# What comes before a user's command. `command`: its name in sentences. The project's own variables are read after them.

stop() { command=''; printf '%s\n' "$1" >&2; exit 1; }
at_exit() {
  local code=$?
  [[ $code = 0 || ! ${on_failure-} ]] || echo "$on_failure"
  [[ $code = 0 || ! $command ]] || echo "The $command ended with exit code $code." >&2
}
trap at_exit EXIT
cd -P -- "$working_directory" || exit
# What the server's owner set for everyone, such as a proxy or certificate authorities.
set -a +u
# shellcheck source=/dev/null
if [[ -r /etc/environment ]]; then source /etc/environment; fi
set +a -u
# shellcheck source=/dev/null
if [[ -r $environment_directory/environment-exports ]]; then source "$environment_directory/environment-exports"; fi
export npm_config_update_notifier=false HOME=$project_home PATH=/usr/local/bin:/usr/bin:/bin
