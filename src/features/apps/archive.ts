import type { Step } from "../../engine/runs/plan.ts";
import { releaseDirectory } from "../../host/layout.ts";
import { scriptFile } from "../../host/script-file.ts";
import type { AppWork, Artifact } from "./app.ts";
import { asProject, createRelease, download, downloaded } from "./steps.ts";

// Applications that come as one archive of PHP files.

export interface Unpacking {
  /** The application's name, for people. */
  name: string;
  /**
   * Uses scripts/unpack.sh, and runs in the unpacked tree: checks it, and links files that outlive releases. It is given `release`
   * and `shared`.
   */
  link: URL;
  /** Further values of that script. */
  variables?: Readonly<Record<string, string>>;
  /** Directory of the release that the tree becomes; default: the release itself. */
  into?: string;
  /** Downloaded with the archive. */
  tools?: readonly Artifact[];
}

/** Downloads the archive and makes a release that is not live yet. The archive's outermost directory is stripped. */
export function unpackArchive(
  { layout, release, version }: AppWork,
  { name, link, variables = {}, into, tools = [] }: Unpacking,
): Step[] {
  const directory = releaseDirectory(layout, release);
  return [
    download(layout, [...tools, version.archive], name),
    createRelease(layout, release),
    asProject(
      layout,
      { key: "unpack", label: `Unpack ${name}`, sentence: `${name} could not be unpacked.` },
      scriptFile(link, {
        archive: downloaded(layout, version.archive),
        directory: into === undefined ? directory : `${directory}/${into}`,
        release: directory,
        shared: layout.shared,
        ...variables,
      }),
      { phase: "download" },
    ),
  ];
}
