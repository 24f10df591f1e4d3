import { type Script, sh } from "../../../host/sh.ts";
import { releaseOf, type Work } from "./work.ts";

/** Whether nothing but files of a directory is ever used of a release: no process, job or script comes to look for the rest. */
export const isTrimmed = ({ project, hasJobs }: Work): boolean =>
  project.framework.runtimeFamily === "static" &&
  project.zeroDowntime &&
  project.commands.build.trim() !== "" &&
  !hasJobs;

/**
 * Removes from a static release that is live what is not served: packages, caches, sources. The directory that is served stays in its
 * place, with `.longshore`, which knows it; so the release can be made live again, and open pages find its assets. It stays whole when
 * the directory is the whole release, or has links to what is beside it.
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
