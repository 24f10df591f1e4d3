import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ProjectLayout, ReleaseName } from "../layout.ts";
import { exclusively } from "../runner/lock.ts";
import { scriptsBeside } from "../script-file.ts";
import { lines, type Script, sh } from "../sh.ts";
import { nodeDirectory, onDemandMark } from "./node-runtime.ts";

const script = scriptsBeside(import.meta.url);

// A release keeps the version of Node that it was made with: a link in a directory owned by root, with the release's name, to the
// version's directory. Everything that runs for the release has its `bin` first in its PATH. An older release has no link, and
// uses the server's own version.

/** The common prefix of the paths of the links of all releases. */
export const nodeLinks = ({ state }: Pick<ProjectLayout, "state">): string => `${state}/node-`;

/** The link to the version of Node of a release. */
export const nodeOf = (layout: ProjectLayout, release: ReleaseName): string => `${nodeLinks(layout)}${release}`;

/** The same for the release whose directory is in `release`. */
export const nodeOfRelease = (layout: ProjectLayout): Script => sh`${nodeLinks(layout)}"\${release##*/}"`;

/** The program that chooses a version; it runs with a Node of the server. */
export const chooser: string = `${readFileSync(new URL("choose-node.ts", import.meta.url), "utf8")}\nmain();\n`;

// The lock for links and versions: held for moments, unlike the lock of installations.
const lockNodeReleases = sh`
  # shellcheck disable=SC2317 # called by the functions below
  lock_node_releases() {
    ${exclusively("node-releases", 8)}
  }`;

/** `remember_node VERSION LINK`: from now on the version is kept, or is missing and can be installed. */
export const rememberNode: Script = sh`
  ${lockNodeReleases}
  remember_node() ( # VERSION LINK
    lock_node_releases
    ln -sfn -- ${nodeDirectory}/"$1" "$2.new"
    mv -T -- "$2.new" "$2"
  )`;

/**
 * `remove_unused_nodes` removes the versions that were fetched for releases of the server's projects and that no
 * release uses any more.
 */
export const removeUnusedNodes = (layout: ProjectLayout): Script =>
  lines(
    lockNodeReleases,
    script("remove-unused-nodes.sh", {
      nodes: nodeDirectory,
      on_demand_mark: onDemandMark,
      projects: dirname(layout.directory),
    }),
  );
