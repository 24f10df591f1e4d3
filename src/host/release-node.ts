import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ProjectLayout, ReleaseName } from "./layout.ts";
import { exclusively } from "./lock.ts";
import { nodeDirectory, onDemandMark } from "./node-runtime.ts";
import { type Script, sh } from "./sh.ts";

// A release keeps the version of Node that it was made with: a link in a directory of root's, with the release's name, to the
// version's directory. Whatever runs for the release has its `bin` at the front of its PATH. A release of before has no link, and
// runs with the server's own.

/** The beginning of the paths of the links of all releases. */
export const nodeLinks = ({ state }: Pick<ProjectLayout, "state">): string => `${state}/node-`;

/** Where the version of Node of a release is linked. */
export const nodeOf = (layout: ProjectLayout, release: ReleaseName): string => `${nodeLinks(layout)}${release}`;

/** The same for the release whose directory is in `release`. */
export const nodeOfRelease = (layout: ProjectLayout): Script => sh`${nodeLinks(layout)}"\${release##*/}"`;

/** The program that chooses a version, for a Node of the server. */
export const chooser: string = `${readFileSync(new URL("choose-node.ts", import.meta.url), "utf8")}\nmain();\n`;

// Of links and versions: held for moments, unlike the lock of installations.
const alone = exclusively("node-releases", 8);

/** `remember_node VERSION LINK`: from then on the version stays, or is missing and can be installed. */
export const rememberNode: Script = sh`
  remember_node() ( # VERSION LINK
    ${alone}
    ln -sfn -- ${nodeDirectory}/"$1" "$2.new"
    mv -T -- "$2.new" "$2"
  )`;

/** `remove_unused_nodes` removes the versions that were fetched for releases of the server's projects and that none has any more. */
export const removeUnusedNodes = (layout: ProjectLayout): Script => sh`
  remove_unused_nodes() (
    shopt -s nullglob
    marks=(${nodeDirectory}/*/${onDemandMark} ${nodeDirectory}/.removed.*)
    ((\${#marks[@]} > 0)) || exit 0
    ${alone}
    rm -rf -- ${nodeDirectory}/.removed.*
    used=$(find ${dirname(layout.directory)}/*/state -maxdepth 1 -name 'node-*' -printf '%l\\n')
    used=$used$'\\n'$(readlink -e ${nodeDirectory}/current || true)$'\\n'
    for mark in ${nodeDirectory}/*/${onDemandMark}; do
      version=\${mark%/*}
      if [[ $'\\n'$used == *$'\\n'"$version"$'\\n'* ]]; then continue; fi
      version=\${version##*/}
      # Never there by halves.
      mv -T -- ${nodeDirectory}/"$version" ${nodeDirectory}/.removed."$version"
      rm -rf -- ${nodeDirectory}/.removed."$version"
      echo "Removed Node $version, which no release has any more."
    done
  )`;
