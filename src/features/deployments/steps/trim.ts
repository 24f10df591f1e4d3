import { type Script, sh } from "../../../host/sh.ts";
import { releaseOf, type Work } from "./work.ts";

/** Whether only the files of one directory of a release are ever used: no process, job or script needs the rest. */
export const isTrimmed = ({ project, hasJobs }: Work): boolean =>
  project.framework.runtimeFamily === "static" &&
  project.zeroDowntime &&
  project.commands.build.trim() !== "" &&
  !hasJobs;

/**
 * Removes unserved files from a live static release: packages, caches, sources. The served directory stays in place, with
 * `.longshore`, which links to it; so the release can be made live again, and open pages find its assets. Nothing is removed if
 * the directory is the whole release, or has links to files beside it.
 */
export const trimRelease = (work: Work): Script => sh`
  trim_release() {
    local release public entry at part
    release=$(realpath -- ${releaseOf(work)})
    public=$(realpath -e -- "$release"/.longshore/public) || return 0
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
      part=\${public#"$at/"} part=\${part%%/*}
      for entry in "$at"/*; do
        [[ $entry = "$at/$part" || $entry = "$release/.longshore" ]] || rm -rf -- "$entry"
      done
      at=$at/$part
    done
    shopt -u nullglob dotglob
  }
  trim_release`;
