import { type Step, step } from "../../../engine/runs/plan.ts";
import { gitFunction, releaseRef } from "../../../host/git/git.ts";
import { phpVersion } from "../../../host/php/php.ts";
import { installPhp } from "../../../host/php/php-packages.ts";
import { programsOf } from "../../../host/php/pool.ts";
import { choosePhpByComposer } from "../../../host/php/release-php.ts";
import { withPrelude } from "../../../host/runner/prelude.ts";
import { scriptFile, scriptsBeside, setBefore } from "../../../host/script-file.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import { environmentOf, type Work } from "./work.ts";

const script = scriptsBeside(import.meta.url);
const extensionFunctions = scriptFile(new URL("../../../host/php/extensions.sh", import.meta.url), {});

/**
 * Chooses the release's version of PHP: that of the setting, or by composer.json. Installs it if it is missing, and records it
 * with the release as root's links, for the release's FPM, commands and jobs. So a rollback also restores the version that its
 * release was made with. A release without links has the distribution's PHP.
 */
export function choosePhp(work: Work): Step {
  const directory = environmentOf(work);
  const programs = programsOf(directory);
  return step(
    "choose-php",
    "Choose the version of PHP",
    withPrelude(
      "The version of PHP could not be set up on the server.",
      lines(
        sh`
          own=$(${phpVersion})
          [ -n "$own" ] || fail "PHP is not installed on this server."`,
        choice(work),
        // Before the installation, which may fail.
        sh`echo "PHP $version: $why."`,
        installPhp(work.phpPackages),
        addExtensions(work),
        script("link-php.sh", {
          own: setBefore,
          version: setBefore,
          programs,
          environment_directory: directory,
          user: work.layout.user,
        }),
      ),
    ),
    {
      phase: "fetch",
      timeoutSeconds: 1800,
      // Removes the directory only if this deployment made it. Other steps undo what they wrote there.
      undo: sh`
        rm -rf -- ${programs}
        if [[ -e ${directory}/new ]]; then rm -rf -- ${directory}; fi`,
    },
  );
}

// For the version that the release is to have; its workers load them when it is live.
function addExtensions({ project }: Work): Script | false {
  const { extensions = [] } = project.php ?? {};
  return extensions.length > 0 && lines(extensionFunctions, sh`add_extensions "$version" ${extensions}`);
}

/** For a release that is on the server: its version of PHP may be one that did not have them yet. */
export function addExtensionsAgain(work: Work): Step | undefined {
  const { extensions = [] } = work.project.php ?? {};
  if (extensions.length === 0) return undefined;
  const script = lines(
    extensionFunctions,
    sh`
      program=$(readlink -- ${programsOf(environmentOf(work))}/php-fpm) || program=php-fpm$(${phpVersion})
      add_extensions "\${program##*php-fpm}" ${extensions}`,
  );
  return step(
    "add-php-extensions",
    "Install extensions of PHP",
    withPrelude("The extensions of PHP could not be installed on the server.", script),
    { phase: "fetch", timeoutSeconds: 1200 },
  );
}

function choice(work: Work): Script {
  const { phpVersion: chosen, directory } = work.project;
  if (chosen === undefined) {
    const path = directory === "" ? "composer.json" : `${directory}/composer.json`;
    return lines(
      gitFunction(work.layout),
      choosePhpByComposer(work.layout, `${releaseRef(work.release)}:${path}`, work.phpPackages ?? {}),
    );
  }
  return chosen === "default"
    ? sh`version=$own why="the project's PHP version asks for the server's own"`
    : sh`version=${chosen} why="the project's PHP version asks for it, and the server's own is $own"`;
}

/** Whether the release's version is still there: it may have been removed since the release was made. */
export const hasItsPhp = (work: Work): Script => sh`
  program=$(readlink -- ${programsOf(environmentOf(work))}/php-fpm) || program=''
  if [[ $program && ! -x $program ]]; then
    echo "The release was made with PHP \${program#*php-fpm}, which is no longer on the server. Deploy its commit again." >&2
    exit 1
  fi`;
