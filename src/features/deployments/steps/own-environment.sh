# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# `own_environment` prints the .env of the repository; needs `as_git`. Variables: own_file (a path in the commit, for git).

own_environment() {
  local type object
  read -r type object < <(printf '%s\n' "$own_file" |
    as_git cat-file --follow-symlinks --batch-check='%(objecttype) %(objectname)')
  [[ $type = blob ]] || return 0
  as_git cat-file blob "$object" | head -c 1M | tr -d '\0'
}
