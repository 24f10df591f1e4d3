# shellcheck shell=bash
# uses: pick-manager.sh
# given: release_directory
# Functions that choose a start command.

shopt -s nullglob
start_with() { # COMMAND REASON
  printf '%s\n' "$1" > "$release_directory/.longshore/command"
  echo "The start command is $1: $2."
  exit
}
start_is() { # PATTERN
  if [[ ! $1 ]]; then
    if has_script start; then return 1; fi
  else
    holds package.json 'new RegExp(word).test(String(it.scripts?.start ?? "").trim())' "$1"
  fi
}
[[ -e package.json ]] || exit 0
pick_manager
