# shellcheck shell=bash disable=SC2034,SC2154 # the renderer sets the variables, other files use what this one sets
# What comes before a user's command. Variables: command (its name in sentences), working_directory, environment_exports (a file),
# with_environment (words), project_home. Only what runs through `as_project` has the project's own variables.

stop() { command=''; printf '%s\n' "$1" >&2; exit 1; }
# Defaults, also of the user's own commands.
settings=('CI?=true' 'npm_config_fund?=false' 'npm_config_audit?=false' 'npm_config_update_notifier?=false')
# The project may have a HOME to which nothing can be written, as in an image of a container.
settings+=("npm_config_cache?=$project_home/.npm")
as_project() { "${with_environment[@]}" "$environment_exports" "${settings[@]}" -- "$@"; }
# For the platform's own downloads: only how the project's registry is reached.
with_registry() {
  "${with_environment[@]}" "$environment_exports" \
    '~^(npm_config_(registry|proxy|https?_?proxy|noproxy|ca|cafile|strict_ssl)|(https?|all|no)_proxy|node_extra_ca_certs)$' -- "$@"
}
# Fails if Node starts with the project's NODE_OPTIONS; otherwise `why` has its reason.
why_no_node() {
  why=''
  grep -qs '^export NODE_OPTIONS=' "$environment_exports" && command -v node > /dev/null || return 1
  ! why=$(as_project node -e '' 2>&1 < /dev/null) || return 1
  why=$(grep -m 1 -E 'Error: |NODE_OPTIONS|option|argument' <<< "$why" || head -n 1 <<< "$why")
}
# What NODE_OPTIONS loads may be one of the packages that are not installed yet.
install_without_options() {
  why_no_node || return 0
  echo "Node does not start with the project's variable NODE_OPTIONS yet ($why): the packages are installed without it."
  settings+=('~^(?!NODE_OPTIONS$)')
}
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
