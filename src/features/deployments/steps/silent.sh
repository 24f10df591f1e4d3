# shellcheck shell=bash
# uses: stop.sh, units.sh
# given: noise health_path
# Functions that find out why a new process does not respond; they use `unit` and `port`. `noise`: a pattern of lines without a
# reason.

give_up() {
  local output reason
  output=$(last_lines "$unit" | tr -d '\0' | tail -c 64K)
  [[ ! $output ]] || printf '%s\n' "$output"
  reason=$(printf '%s\n' "$output" | sed 's/\x1b\[[0-9;?]*[A-Za-z]//g' | grep -avE "$noise" | tail -n 1 | head -c 300) || true
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
silence() {
  local listens
  listens=$(listening | sort -u | paste -sd ' ')
  case " $listens " in
    "  ") echo "The process runs but nothing answers on port $port, which it is given as PORT" ;;
    *" 127.0.0.1:$port "* | *" 0.0.0.0:$port "* | *" *:$port "*)
      echo "The process listens on port $port but does not answer a request for $health_path" ;;
    *":$port "*)
      echo "The process listens on ${listens// /, } only, and is asked on 127.0.0.1:$port: have it listen on 127.0.0.1, which it is given as HOST" ;;
    *) echo "The process listens on ${listens// /, }, and nothing answers on port $port, which it is given as PORT" ;;
  esac
}
