# shellcheck shell=bash
# given: mirror
# With `as_git`, which is another one for each user.
drop_refs() { # RELEASE
  [[ -d $mirror/objects ]] || return 0
  as_git for-each-ref --format='delete %(refname)' -- \
    "refs/longshore/releases/$1" "refs/longshore/submodules/$1" | as_git update-ref --stdin
}
