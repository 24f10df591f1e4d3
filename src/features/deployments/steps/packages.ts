import { releaseRef } from "../../../host/git/git.ts";
import { nodeDirectory } from "../../../host/node/node-runtime.ts";
import { phpVersions } from "../../../host/php/php-versions.ts";
import { scriptsBeside } from "../../../host/script-file.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import { packageHolders, packageNote } from "./kept-packages.ts";
import { fetching } from "./managers.ts";
import { releaseOf, type Work } from "./work.ts";

const script = scriptsBeside(import.meta.url);

/** The default installation: packages by their lock files, from the cache if it has exactly these. */
export function defaultInstall(work: Work): Script {
  if (work.project.framework.runtimeFamily !== "php") {
    return lines(script("install-packages.sh", installing(work)), sh`install_packages`);
  }
  const needsFrontend = work.project.commands.build.trim() !== "";
  return lines(
    // Composer itself runs every time: it makes the autoloader from the source. It downloads nothing if all packages are there. Its
    // plugins may apply patches that composer.json names.
    script("composer.sh", { ...installing(work), php_versions: phpVersions.join(", ") }),
    needsFrontend && sh`if has_script build; then install_packages; fi`,
  );
}

/**
 * Values of pick-manager.sh. `pick_manager` finds the lock file to use, and with it the package manager (`manager`, its install
 * command `run`): the nearest one from the working directory upwards that has the working directory as a workspace. `base` is its
 * directory, where packages are installed. `has_script NAME` succeeds if package.json has the script. `need_manager` gets the
 * manager itself.
 */
export const picking = (work: Work) => ({
  ...fetching(work),
  release_directory: releaseOf(work),
  nodes: nodeDirectory,
});

/** The functions of pick-manager.sh, for code that calls them. */
export const managerFunctions = (work: Work): Script => script("pick-manager.sh", picking(work));

/**
 * Values of install-packages.sh. `install_packages` installs by the chosen lock file. The installed packages are cached by a hash of
 * all inputs, and copied rather than linked: a build may write into them, which must not affect the live release. Patches are part
 * of the hash; if the project's own scripts run during the installation, so is the whole commit, since they may read any of it.
 * Packages that are directories of the repository are not cached.
 */
const installing = (work: Work) => ({
  ...picking(work),
  ...packageHolders(work.layout),
  ...packageNote(work),
  mirror: work.layout.mirror,
  tree: `${releaseRef(work.release)}^{tree}`,
});
