# shellcheck shell=bash
# Functions that write files.

# Writes only files that differ, and moves them into place: a reader never sees half a file, a second run changes nothing.
# Compares and creates the file in bash itself: starting a program takes longer than that. `read` succeeds only at a zero
# byte, which no text has. `set -C` prevents writing to an existing file. The status of each command is checked: inside
# `$(…)` bash continues after a failed command, and an empty file would replace the old one.
put_file() { # PATH MODE CONTENT
  local path=$1 mode=$2 content=$3 directory=${1%/*} present='' temporary
  if [ -f "$path" ] && ! IFS= read -r -d '' present < "$path" && [[ $present == "$content" ]]; then return; fi
  [ -d "$directory" ] || mkdir -p "$directory" || return
  temporary=$directory/.longshore.$SRANDOM
  if make_file "$temporary" "$mode" "$content" && mv -T "$temporary" "$path"; then
    echo "Wrote $path."
  else
    rm -f "$temporary"
    return 1
  fi
}
make_file() { # PATH MODE CONTENT
  local mask
  printf -v mask %o $((0777 & ~$2))
  (umask "$mask" && set -C && printf '%s' "$3" > "$1") || return
  # No file is made as one that can be run.
  if (($2 & 0111)); then chmod "$2" "$1"; fi
}
