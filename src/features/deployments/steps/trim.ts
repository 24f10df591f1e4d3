import { scriptsBeside } from "../../../host/script-file.ts";
import type { Script } from "../../../host/sh.ts";
import { releaseOf, type Work } from "./work.ts";

const script = scriptsBeside(import.meta.url);

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
export const trimRelease = (work: Work): Script => script("trim-release.sh", { release_directory: releaseOf(work) });
