# shellcheck shell=bash
# given: measured
# Functions that measure releases. `measured`: further directories.

measure() { timeout 60 du -sB1 -- "$@" 2> /dev/null; }
declare -A sizes=()
measure_releases() {
  local size name names=(*)
  ((${#names[@]} > 0)) || return 0
  while IFS=$'\t' read -r size name; do
    [[ ! $size =~ ^[0-9]{1,18}$ ]] || sizes[$name]=$size
  done < <(measure "${names[@]}")
}
report_disk() { # NAME...
  local caches=0 releases=0 size name
  for name in "$@"; do
    # In arithmetic, a subscript would be evaluated too.
    size=${sizes[$name]-}
    [[ $size ]] || return 0
    releases=$((releases + size))
  done
  while IFS=$'\t' read -r size name; do
    [[ ! $size =~ ^[0-9]{1,18}$ ]] || caches=$((caches + size))
  done < <(measure "${measured[@]}")
  {
    printf 'releases_bytes %s\n' "$releases"
    printf 'caches_bytes %s\n' "$caches"
    [[ " $* " = *in-place* ]] || printf 'kept_releases %s\n' "$*"
  } >> "$LONGSHORE_FACTS"
}
