# shellcheck shell=bash
# given: release_directory package_note
# `package_note`: the note's path in a release.

note_packages() { # KEY
  local here
  # Yarn's Plug'n'Play has no such directory, nor has a project without dependencies.
  [[ -d "$release_directory/.longshore" && -d node_modules ]] || return 0
  here=$(pwd -P)
  printf '%s %s\n' "$1" "${here#"$(cd -P -- "$release_directory" && pwd)"}/node_modules" > "$release_directory/$package_note"
  # Files get the time of the clock's last tick: with another one, what is written from here on is newer.
  sleep 0.02
}
