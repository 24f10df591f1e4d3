# shellcheck shell=bash
# given: mirror
# Functions that list the submodules of a commit, as links: lines of ls-tree.

has_submodules() { git --git-dir="$mirror" cat-file -e "$1:.gitmodules" 2> /dev/null; } # COMMIT
list_links() { # COMMIT
  mapfile -d '' -t links < <(git --git-dir="$mirror" ls-tree -r -z "$1" | grep -z '^160000 ')
}
path_of() { printf '%s' "${1#*$'\t'}"; } # LINK
commit_of() { # LINK
  local word=${1%%$'\t'*}
  printf '%s' "${word##* }"
}
