import { type Step, step } from "../../../engine/runs/plan.ts";
import type { ProjectLayout } from "../../../host/layout.ts";
import { scriptsBeside } from "../../../host/script-file.ts";
import type { Script } from "../../../host/sh.ts";
import { projectSandbox } from "../../../host/systemd/sandbox.ts";
import { releaseOf, type Work } from "./work.ts";

const script = scriptsBeside(import.meta.url);

/*
 * The packages of Node releases are on the disk once for each lock file, not once for each release. A release notes its installed
 * packages, and their directory. The live one always has its packages; another release deletes its own if they are unchanged
 * since the installation and a release before it in the order of retention has the same: the live one, the one before it, then
 * the newest. A rollback restores them by copying. Nothing is linked, so a process that writes into its packages changes no other
 * release.
 */

/**
 * The note of a release: the key of its packages, and their directory inside of the release. Its time: when they were complete.
 */
const noteName = ".longshore/packages";

/**
 * Values of note-packages.sh. `note_packages KEY` in the working directory of a release whose packages are installed: notes them if they are in node_modules.
 */
export const packageNote = (work: Work) => ({ release_directory: releaseOf(work), package_note: noteName });

/**
 * Values of kept-packages.sh. `packages_of RELEASE` sets `key` and `packages`, and fails without a note. `are_as_installed RELEASE` succeeds if nothing but
 * caches was written into its packages since. `holder_of KEY` prints unchanged packages of releases and of the cache.
 */
export const packageHolders = (layout: ProjectLayout) => ({
  package_note: noteName,
  package_cache: layout.cache,
  releases_directory: layout.releases,
});

/** Restores the deleted packages of a release before its process is started again. */
export const restorePackages = (work: Work): Step =>
  step(
    "restore-packages",
    "Bring back the release's packages",
    script("restore-packages.sh", { ...packageHolders(work.layout), release_directory: releaseOf(work) }),
    { phase: "start", sandbox: projectSandbox(work.layout), timeoutSeconds: 600 },
  );

/** Deletes packages of releases that are not live if another release has the same, see above. */
export const sharePackages = (work: Work): Script => {
  const { layout, formerRelease } = work;
  return script("share-packages.sh", {
    ...packageHolders(layout),
    live_link: layout.current,
    slots: layout.slots,
    former_release: formerRelease ?? "",
  });
};
