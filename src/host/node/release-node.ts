import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ProjectLayout, ReleaseName } from "../layout.ts";
import { type Script, sh } from "../sh.ts";
import { nodeDirectory, onDemandMark } from "./node-runtime.ts";

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

/** Values of remove-unused-nodes.sh. */
export const nodeRemoval = (layout: ProjectLayout) => ({
  nodes: nodeDirectory,
  on_demand_mark: onDemandMark,
  projects: dirname(layout.directory),
});
