import { type Step, step } from "../../../engine/runs/plan.ts";
import type { ProjectLayout } from "../../../host/layout.ts";
import { scriptsBeside } from "../../../host/script-file.ts";
import { lines, type Script } from "../../../host/sh.ts";
import { projectSandbox } from "../../../host/systemd/sandbox.ts";
import { buildCacheLimits, buildCachesOf } from "./build-cache.ts";
import { sharePackages } from "./kept-packages.ts";
import { isTrimmed, trimRelease } from "./trim.ts";
import type { Work } from "./work.ts";

const script = scriptsBeside(import.meta.url);

/** Limit for the package managers' downloads of a project, and for the copies of installed packages, each. */
const keptBytes = 2 ** 29;

/** Removes the least recently used part of the project's caches. Also after a deployment that failed: many may fail before one succeeds. */
export const limitCaches = (layout: ProjectLayout): Script =>
  lines(
    // The least recently stored first.
    script("drop-build-caches.sh", {
      build_caches: buildCachesOf(layout),
      most_days: buildCacheLimits.days,
      most_bytes: buildCacheLimits.bytes,
    }),
    // Copies of installed packages; the last one always stays, since the next deployment needs it.
    script("drop-copies.sh", { package_cache: layout.cache, kept_bytes: keptBytes }),
    // Each manager detects a missing download, and repeats it: single files of npm, Yarn 2 and later, Composer and pnpm, whole
    // packages of Yarn 1 and Bun. Files that pnpm has linked into a release take no additional space.
    script("drop-downloads.sh", { home: layout.home, releases_directory: layout.releases, kept_bytes: keptBytes }),
  );

/**
 * Frees disk space that a project no longer needs, after its release is live: as the project's user, since the project may write
 * all of these files. A failure here is harmless.
 */
export function tidyUp(work: Work): Step | undefined {
  const { layout } = work;
  const { commands, zeroDowntime, framework } = work.project;
  if (commands.install.trim() === "" && commands.build.trim() === "" && commands.custom.trim() === "") return undefined;
  const sharing = framework.runtimeFamily === "node" && zeroDowntime;
  return step(
    "tidy-up",
    "Give back disk space",
    lines(isTrimmed(work) && trimRelease(work), sharing && sharePackages(work), limitCaches(layout)),
    { phase: "finish", onFailure: "continue", sandbox: projectSandbox(layout), timeoutSeconds: 600 },
  );
}
