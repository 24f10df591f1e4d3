# shellcheck shell=bash
# given: root directories
# Prints the newest log file in `directories` of the directory `root`, after the one before it if that has the same name with another date.
# The project's user runs it. A link in place of a file is not followed; a directory may be one, to what releases share.
list_logs() {
  local directory
  for directory in "${directories[@]}"; do
    find "$root/$directory/" -maxdepth 1 -type f -name '*.log' ! -name $'*\n*' -printf '%T@ %p\n' 2> /dev/null
  done | sort -rn | head -n 200 | cut -d ' ' -f 2-
}
name_of() { # PATH
  local name=${1%.log}
  [[ $name =~ ^(.*)[-.][0-9]{4}-[0-9]{2}-[0-9]{2}$ ]] && name=${BASH_REMATCH[1]}
  printf '%s' "$name"
}
mapfile -t logs < <(list_logs)
for log in "${logs[@]:1}"; do
  if [[ $(name_of "$log") = "$(name_of "${logs[0]}")" ]]; then
    printf '%s\n' "$log"
    break
  fi
done
printf '%s' "${logs[0]-}"
