# shellcheck shell=bash
# uses: git/as-git.sh
# given: own_file
# `own_environment` prints the .env of the repository. `own_file`: a path in the commit, for git.

own_environment() {
  local type size object
  read -r type size object < <(printf '%s\n' "$own_file" |
    as_git cat-file --follow-symlinks --batch-check='%(objecttype) %(objectsize) %(objectname)') || return 0
  # A word of the fetching user's processes that is no number would be evaluated as an expression.
  [[ $type = blob && $size =~ ^[0-9]{1,15}$ && $object =~ ^[0-9a-f]{40,64}$ ]] || return 0
  if ((size > 1048576)); then
    echo "The .env of the repository has more than 1 MB." >&2
    return 1
  fi
  as_git cat-file blob "$object" | tr -d '\0'
}
