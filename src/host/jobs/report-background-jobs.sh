#!/bin/bash
# Reports the state of all watched background jobs of this server in one request; a timer starts it each minute. What it
# remembers from one time to the next is in its runtime directory.
set -uo pipefail
shopt -s nullglob
reports=/etc/longshore/reports
state=$RUNTIME_DIRECTORY
# A process that was started again this recently, and not for the first time, keeps crashing.
window_seconds=150

# Sets `url`, `name` and `processes` to what is to be watched; fails for a file of which nothing is.
read_watched() { # FILE
  url='' processes=0 name=${1##*/}
  { IFS= read -r url && IFS= read -r processes; } < "$1" && [[ $processes =~ ^[0-9]{1,4}$ ]] && ((processes > 0)) || return
  # A project that is being moved away is stopped on purpose, and reports from where it goes.
  [ ! -e "/srv/longshore/projects/${name%-*}/state/held" ]
}

watched=() units=()
for file in "$reports"/*; do
  read_watched "$file" || continue
  watched+=("$file")
  for ((number = 1; number <= processes; number++)); do
    units+=("longshore-project-${name%-*}-job-${name#*-}@$number.service")
  done
done
[ "${#units[@]}" != 0 ] || exit 0

# A block of lines for each unit, in the order in which they were named, with an empty line between two.
declare -A active=() restarts=()
at=0
while IFS='=' read -r key value; do
  unit=${units[at]-}
  case $key in
    '') ((at++)) ;;
    ActiveState) active[$unit]=$value ;;
    NRestarts) [[ ! $value =~ ^[0-9]{1,9}$ ]] || restarts[$unit]=$value ;;
  esac
done < <(systemctl show --property=ActiveState,NRestarts "${units[@]}")
# systemd did not answer for all of them: no report is better than a wrong one.
[ "${#active[@]}" = "${#units[@]}" ] || exit 1

# Sets `problem` to what is wrong with a unit; empty when nothing is. Two looks are needed: a deployment restarts processes.
look_at() { # UNIT
  local unit=$1 starts=${restarts[$1]-0} former=0 count=0 changed_at=0 missing=0
  [ ! -r "$state/$unit" ] || read -r former count changed_at missing < "$state/$unit"
  [[ "$former $count $changed_at $missing" =~ ^[0-9]{1,9}\ [0-9]{1,9}\ [0-9]{1,12}\ [0-9]{1,9}$ ]] || former=0 count=0 changed_at=0 missing=0
  if ((starts > former)); then
    ((count++, changed_at = EPOCHSECONDS))
  elif ((starts < former || EPOCHSECONDS - changed_at > window_seconds)); then
    count=0
  fi
  if [[ ${active[$unit]} = active ]]; then missing=0; else ((missing++)); fi
  echo "$starts $count $changed_at $missing" > "$state/$unit"
  problem=
  if ((missing >= 2)); then
    problem="Process $number does not run."
  elif ((count >= 2)); then
    problem="Process $number keeps crashing; it was started again $starts times."
  fi
}

declare -A lines=()
for file in "${watched[@]}"; do
  read_watched "$file" || continue
  found=
  for ((number = 1; number <= processes; number++)); do
    look_at "longshore-project-${name%-*}-job-${name#*-}@$number.service"
    [ -n "$found" ] || found=$problem
  done
  token=${url##*/}
  if [ -n "$found" ]; then lines[${url%/*}]+="$token fail $found"$'\n'; else lines[${url%/*}]+="$token success"$'\n'; fi
done

for url in "${!lines[@]}"; do
  curl --silent --fail --output /dev/null --max-time 5 --retry 2 --retry-delay 5 --retry-all-errors \
    --config <(printf 'url = "%s"\n' "$url") --data-binary @- <<< "${lines[$url]}"
done
