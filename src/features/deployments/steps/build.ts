import { type Step, step } from "../../../engine/runs/plan.ts";
import { exportsFile, withEnvironment } from "../../../host/environment/with-environment.ts";
import { nodeOf } from "../../../host/node/release-node.ts";
import { programsOf } from "../../../host/php/pool.ts";
import { scriptsBeside, setBefore } from "../../../host/script-file.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import { projectSandbox } from "../../../host/systemd/sandbox.ts";
import { readAccess } from "./access.ts";
import { buildCacheFunctions } from "./build-cache.ts";
import { reuseFrontend } from "./frontend.ts";
import { ownPrograms } from "./managers.ts";
import { defaultInstall, managerFunctions } from "./packages.ts";
import { limitCaches } from "./tidy.ts";
import { environmentOf, releaseOf, stop, type Work, workingDirectoryOf } from "./work.ts";

const script = scriptsBeside(import.meta.url);

/** Installs dependencies: by the lock file, from the cache if it has exactly these; or by the user's command. */
export function install(work: Work): Step | undefined {
  const { install } = work.project.commands;
  if (install.trim() === "") return undefined;
  const isDefault = install === work.project.framework.defaults.install;
  return clientStep(work, {
    key: "install",
    label: "Install dependencies",
    command: "install",
    body: lines(sh`install_without_options`, isDefault ? defaultInstall(work) : asWritten(install)),
    undo: limitCaches(work.layout),
  });
}

/** The user's build, or the `build` script of package.json when there is one; with the build cache of the branch. */
export function build(work: Work, branch: string): Step | undefined {
  const { build } = work.project.commands;
  if (build.trim() === "") return undefined;
  const isDefault = build === work.project.framework.defaults.build;
  const hasCache = work.project.buildCache ?? true;
  const own = hasCache
    ? sh`
      restore_build_cache
      ${asWritten(build)}
      store_build_cache || echo "The build cache could not be stored."`
    : asWritten(build);
  return clientStep(work, {
    key: "build",
    label: "Build",
    command: "build",
    body: lines(hasCache && buildCacheFunctions(work, branch), isDefault ? defaultBuild(work, hasCache) : own),
  });
}

export const runCustomCommands = (work: Work): Step | undefined =>
  work.project.commands.custom.trim() === ""
    ? undefined
    : clientStep(work, {
        key: "custom",
        label: "Run the deployment script",
        command: "deployment script",
        body: asWritten(work.project.commands.custom),
      });

// In a shell of its own, with the project's environment. It stops at the first command that fails.
const asWritten = (text: string): Script => sh`as_project bash -e -c -- ${text}`;

interface ClientCommand {
  key: string;
  label: string;
  /** Its name in sentences. */
  command: string;
  body: Script;
  undo?: Script;
}

// Defaults, also of the user's own commands.
const defaultsOf = ({ layout }: Work): string[] => [
  "CI?=true",
  "npm_config_fund?=false",
  "npm_config_audit?=false",
  "npm_config_update_notifier?=false",
  // The project may have a HOME to which nothing can be written, as in an image of a container.
  `npm_config_cache?=${layout.home}/.npm`,
];

/**
 * As the project's user, in the working directory; what it runs with `as_project` has the project's environment. Ends with a sentence if
 * it fails.
 */
function clientStep(work: Work, { key, label, command, body, undo }: ClientCommand): Step {
  const node = nodeOf(work.layout, work.release);
  return step(
    key,
    label,
    lines(
      script("client-command.sh", {
        working_directory: workingDirectoryOf(work),
        environment_exports: `${environmentOf(work)}/${exportsFile}`,
        with_environment: withEnvironment,
        settings: [...defaultsOf(work), ...(key === "install" ? [] : ["NODE_ENV?=production"])],
        command,
        project_home: work.layout.home,
      }),
      work.project.framework.runtimeFamily === "php" && sh`PATH=${programsOf(environmentOf(work))}:$PATH`,
      // The release's own version. Native packages are built with its headers: node-gyp would download others.
      sh`
        PATH=${node}/bin:$PATH
        if [[ -d ${node}/include/node ]]; then
          settings+=("npm_package_config_node_gyp_nodedir?=$(readlink ${node})")
        fi
        PATH=${ownPrograms(work)}:$PATH`,
      body,
    ),
    {
      phase: "build",
      sandbox: projectSandbox(work.layout),
      audience: "client",
      timeoutSeconds: work.settings.commandTimeoutSeconds,
      ...(undo && { undo }),
    },
  );
}

function defaultBuild(work: Work, hasCache: boolean): Script {
  const { framework, zeroDowntime } = work.project;
  // In place, the files of the previous release are gone.
  const canReuse = framework.runtimeFamily === "php" && zeroDowntime;
  return lines(
    managerFunctions(work),
    sh`
      pick_manager
      if [[ ! -e package.json ]]; then
        echo "There is no package.json: nothing to build."
        exit
      fi
      if [[ ! $manager ]] || ! has_script build; then
        echo "package.json has no build script: nothing to build."
        exit
      fi
      need_manager
      build_frontend() {
        ${hasCache ? sh`restore_build_cache` : sh`:`}
        echo "$manager run build"
        as_project "$manager" run build
        ${hasCache ? sh`store_build_cache || echo "The build cache could not be stored."` : sh`:`}
      }`,
    canReuse ? reuseFrontend(work) : sh`build_frontend`,
  );
}

/** A separate step for the choice, after the user's commands have made the candidates. */
export function chooseStep(work: Work, choice: Script): Step {
  const options = { phase: "build", sandbox: projectSandbox(work.layout) };
  return work.ports
    ? step("choose-start-command", "Choose the start command", choice, options)
    : step("choose-public-directory", "Choose the directory to serve", choice, options);
}

/**
 * Links the directory to serve as `.longshore/public`; false for Node. Candidates may be patterns; a directory with an index file
 * wins over one without.
 */
export function linkPublicDirectory(work: Work): Script | false {
  const { framework, directory, outputDirectory } = work.project;
  if (framework.runtimeFamily === "node") return false;
  const candidates = outputDirectory === undefined ? framework.publicCandidates : [outputDirectory];
  // Those of the framework may be patterns.
  const words = candidates.map((each) =>
    outputDirectory === undefined && each.includes("*") ? each : sh`${each}`.script,
  );
  // The other name of nginx's index page.
  const otherIndex = framework.runtimeFamily === "php" ? "index.php" : "index.htm";
  return lines(
    sh`
      cd -- ${workingDirectoryOf(work)}
      shopt -s nullglob
      chosen='' second=''
      for candidate in ${{ script: words.join(" ") }}; do
        [[ -d $candidate ]] || continue
        if [[ -e $candidate/index.html || -e $candidate/${otherIndex} ]]; then chosen=$candidate; break; fi
        second=\${second:-$candidate}
      done
      if [[ ! $chosen && $second ]]; then ${withoutIndex(work, candidates)}; fi
      if [[ ! $chosen ]]; then
        ${stop} "There is nothing to serve: the release has none of the directories "${candidates.join(", ")}". "${advice}
      fi`,
    script("serve-chosen.sh", {
      chosen: setBefore,
      release_directory: releaseOf(work),
      parents: directory === "" ? "../" : `../${directory}/`,
    }),
    framework.runtimeFamily === "static" && framework.spa && detectPages(work),
    readAccess(work),
  );
}

const advice = "Set the output directory (output_directory) to the directory that the build makes.";

const named = (candidate: string): string => (candidate === "." ? "the project's directory" : candidate);

// Without an index page visitors get 403, unless the project's settings name another page.
const withoutIndex = ({ project, settings }: Work, candidates: readonly string[]): Script =>
  project.framework.runtimeFamily === "static" && settings.healthPath === "/" && settings.healthStatuses.length === 0
    ? sh`${stop} "There is no page to serve: no index.html is in "${candidates.map(named).join(", ")}". "${advice}`
    : sh`chosen=$second`;

/**
 * Leaves the file `.longshore/pages` in a release of several pages: their unknown addresses get 404; those of other releases get
 * the index page. A single-page application is recognized by an index page that is only its frame, by the name that its tools
 * give to a page for unknown addresses, or by having no other page.
 */
const detectPages = (work: Work): Script => script("detect-pages.sh", { release_directory: releaseOf(work) });
