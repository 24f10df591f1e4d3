# shellcheck shell=bash
# given: environment_exports with_environment settings
# Functions that run commands with the project's own variables. `environment_exports`: a file; `with_environment`: the words that read
# it; `settings`: their settings.

as_project() { "${with_environment[@]}" "$environment_exports" "${settings[@]}" -- "$@"; }
# The variables that settings of package managers name, as a pattern.
variables_in() { { grep -ohsP '\$\{\K[A-Za-z_][A-Za-z0-9_]{0,99}' -- "$@" || true; } | sort -u | awk 'NR <= 50' | paste -sd '|'; }
# For the platform's own downloads: only how the project's registry is reached, with the variables that npm's own settings name.
with_registry() {
  local names settings='registry|proxy|https?_?proxy|noproxy|ca|cafile|strict_ssl|userconfig|_auth.*|//.*'
  names=$(variables_in .npmrc "${base-.}/.npmrc" "$HOME/.npmrc")
  "${with_environment[@]}" "$environment_exports" \
    "~^(npm_config_($settings)|(https?|all|no)_proxy|node_extra_ca_certs${names:+|(?!node_options\$)($names)})\$" -- "$@"
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
