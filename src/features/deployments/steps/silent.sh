# shellcheck shell=bash
# uses: stop.sh, units.sh
# given: noise marks remedy_marks remedies health_path elsewhere_seconds
# Functions that find out why a new process does not respond; they use `unit` and `port`. `noise` and `marks`: patterns of lines
# without and with a reason, the strongest first; `remedy_marks` and `remedies`: patterns of reasons, and what to do about them;
# `elsewhere_seconds`: for how long a process may listen only where it is not asked.

show_output() {
  output=$(last_lines "$unit" | tr -d '\0' | tail -c 64K)
  [[ ! $output ]] || printf '%s\n' "$output"
}
reason_in() { # OUTPUT
  local lines mark
  lines=$(printf '%s\n' "$1" | sed 's/\x1b\[[0-9;?]*[A-Za-z]//g' | cut -c 1-2000 | grep -avE "$noise") || true
  for mark in "${marks[@]}"; do
    if grep -aEm 1 -e "$mark" <<< "$lines"; then return; fi
  done
  tail -n 1 <<< "$lines"
}
give_up() { # SENTENCE
  local output reason remedy='' at
  show_output
  reason=$(reason_in "$output" | head -c 300) || true
  for at in "${!remedy_marks[@]}"; do
    if [[ $reason =~ ${remedy_marks[at]} ]]; then remedy=${remedies[at]}; break; fi
  done
  if [[ $remedy ]]; then reason="${reason%.}. $remedy"; fi
  stop "$1${reason:+: $reason}"
}
# ADDRESS:PORT of the first few sockets on which processes of the unit listen. What ss prints is checked: programs choose their
# own names.
listening() {
  local line found=()
  local pattern='^(LISTEN +)?[0-9]+ +[0-9]+ +([0-9a-fA-F.:*]+|\[[0-9a-fA-F.:]+\])(%[a-z0-9]+)?:([0-9]{1,5}) .*pid=([0-9]{1,8}),'
  while IFS= read -r line && ((${#found[@]} < 5)); do
    [[ $line =~ $pattern ]] || continue
    grep -qsF "/$unit" "/proc/${BASH_REMATCH[5]}/cgroup" || continue
    found+=("${BASH_REMATCH[2]}:${BASH_REMATCH[4]}")
  done < <(ss -Hltnp | head -c 256K)
  printf '%s\n' "${found[@]}"
}
look_where_it_listens() { listens=$(listening | sort -u | paste -sd ' '); }
# Succeeds if it listens only where nothing asks: the wrong way to listen, which no more time makes right.
is_elsewhere() {
  case " $listens " in
    "  " | *" 127.0.0.1:$port "* | *" 0.0.0.0:$port "* | *" *:$port "*) return 1 ;;
  esac
}
silence() { # ends the step; needs `listens`
  if is_elsewhere; then
    show_output
    case " $listens " in
      *":$port "*)
        stop "The process listens on ${listens// /, } only, and is asked on 127.0.0.1:$port: have it listen on 127.0.0.1, which it is given as HOST (process.env.HOST)." ;;
      *)
        stop "The process listens on ${listens// /, }, and nothing answers on port $port, which it is given as PORT: have it listen on process.env.PORT instead of a port of its own." ;;
    esac
  fi
  [[ $listens ]] || give_up "The process runs but nothing answers on port $port, which it is given as PORT"
  give_up "The process listens on port $port but does not answer a request for $health_path"
}
# Once a second, while nothing answers: ends the step when the process has listened elsewhere for too long.
looked=0 elsewhere_since=''
give_up_elsewhere() {
  ((SECONDS > looked)) || return 0
  looked=$SECONDS
  look_where_it_listens
  if ! is_elsewhere; then elsewhere_since=''; return; fi
  elsewhere_since=${elsewhere_since:-$SECONDS}
  ((SECONDS - elsewhere_since < elsewhere_seconds)) || silence
}
