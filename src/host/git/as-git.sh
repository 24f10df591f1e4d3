# shellcheck shell=bash
# given: git_user user mirror
# Output comes through pipes, since what holds the journal of a run can truncate it; of errors as much as a person reads.
as_git() {
  {
    GIT_CONFIG_GLOBAL=/dev/null setpriv --reuid="$git_user" --regid="$user" --clear-groups --no-new-privs -- \
      git --git-dir="$mirror" "$@" 2>&1 >&3 3>&- | head -c 65536 >&2
  } 3>&1 | cat
}
