# shellcheck shell=bash
# given: release_directory
# Removes what is not served of a release.
trim_release() {
  local release public entry at part
  release=$(realpath -- "$release_directory")
  public=$(realpath -e -- "$release/.longshore/public") || return 0
  [[ $public = "$release"/* && $public/ != "$release"/.longshore/* ]] || return 0
  while IFS= read -r -d '' entry; do
    entry=$(realpath -m -- "$entry")
    if [[ $entry/ = "$release"/* && $entry/ != "$public"/* ]]; then
      echo "The directory that is served has links to files beside it: the release stays whole."
      return 0
    fi
  done < <(find "$public" -type l -print0)
  shopt -s nullglob dotglob
  at=$release
  while [[ $at != "$public" ]]; do
    part=${public#"$at/"} part=${part%%/*}
    for entry in "$at"/*; do
      [[ $entry = "$at/$part" || $entry = "$release/.longshore" ]] || rm -rf -- "$entry"
    done
    at=$at/$part
  done
  shopt -u nullglob dotglob
}
trim_release
