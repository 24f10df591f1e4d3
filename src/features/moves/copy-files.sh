# shellcheck shell=bash
# given: source user
# `copy WHAT DIRECTORY [OPTION…]` makes a directory as the source hands it out. `source`: the name for ssh; `user`: of the project.
# Needs `fail`. Sets `scratch`, where `stats` is what rsync counted last.
scratch=$(mktemp -d)

copy() {
  local status=0 what=$1 directory=$2
  shift 2
  # Times to the nanosecond: what was written in the second of the first copy is copied again.
  rsync --recursive --links --perms --times --modify-window=-1 --hard-links --sparse --delete --stats --no-human-readable \
    --copy-as="$user:$user" "$@" -- "$source:$what/" "$directory/" 2>&1 > "$scratch/stats" |
    { head -c 100000 > "$scratch/errors" && cat > /dev/null; } || status=$?
  cat -- "$scratch/errors" >&2
  # Files that went while they were listed: as if they had gone before.
  [[ $status = 0 || $status = 24 ]] || fail "The shared files could not be copied$(uncopied)."
}

# The first file that rsync names, with its reason.
uncopied() {
  local files
  mapfile -t files < <(
    sed -nE 's/^rsync: .*"(.+)"[^"]*: ([^:"]+) \([0-9]+\)$/\1 (\2)/p' "$scratch/errors" | tr -d '\000-\011\013-\037\177' | sort -u
  )
  ((${#files[@]} > 0)) || return 0
  printf ': %s' "${files[0]:0:300}"
  ((${#files[@]} == 1)) || printf ' and %s more' $((${#files[@]} - 1))
  printf '. The user %s must be able to read all of them' "$user"
}
