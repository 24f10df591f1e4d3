import { dirname } from "node:path";
import { applying, fromTheStart, type Plan, plan, type Step, step } from "../../engine/runs/plan.ts";
import { lastUid, type ProjectLayout } from "../../host/layout.ts";
import { claimPorts } from "../../host/network/ports.ts";
import type { Site } from "../../host/nginx/model.ts";
import {
  extensionsOf,
  livePrograms,
  type PhpChoices,
  phpIni,
  phpIniDirectory,
  phpServiceUnit,
  phpSettings,
  phpSocketUnit,
  phpStart,
  phpStartPath,
  phpWorkers,
  workerMb,
} from "../../host/php/pool.ts";
import { claimNumber, type ProjectIdentity, unlessAnothers } from "../../host/project-mark/mark.ts";
import { putFile } from "../../host/runner/functions.ts";
import { exclusively } from "../../host/runner/lock.ts";
import { withPrelude } from "../../host/runner/prelude.ts";
import { scriptsBeside } from "../../host/script-file.ts";
import { lines, type Script, sh } from "../../host/sh.ts";
import { endProcesses, endProcessesProgram, nodeUnit } from "../../host/systemd/unit.ts";
import type { PlannedIn } from "../../http/settings.ts";
import type { Framework, KeptPaths } from "./frameworks.ts";
import {
  awaitRuns,
  finishRequests,
  removeAllButCertificates,
  removeFiles,
  removeSite,
  stopProcesses,
} from "./removal-steps.ts";
import type { projectSettings } from "./settings/schema.ts";

const script = scriptsBeside(import.meta.url);

/** A step of a project's preparation; `sentence` is the message of a failure without its own reason. */
export const prepare = (key: string, label: string, sentence: string, script: Script): Step =>
  step(key, label, withPrelude(sentence, script), { phase: "prepare", timeoutSeconds: 180 });

/** The data about a project that plans need; made from its rows. Texts were validated where they came in: `domainName`,
 * `parseRepository`, `isBranchName`, `pathInRelease`, `parseEnvironment`. */
export interface ProjectOnServer extends Partial<PlannedIn<typeof projectSettings>> {
  layout: ProjectLayout;
  identity: ProjectIdentity;
  framework: Framework;
  /** The web server's side; its `kind` belongs to the framework's family. */
  site: Site;
  /** Working directory inside the repository; empty: its root. */
  directory: string;
  /** The user's commands or the framework's defaults; empty: none. `dev` runs a Node project. */
  commands: { install: string; build: string; dev: string; custom: string };
  sharedDirectories: readonly string[];
  sharedFiles: readonly string[];
  /** Paths shared by default, as far as they exist; relative to the repository's root. */
  keeps?: KeptPaths | undefined;
  /** Whether the run's secrets hold the environment (host/environment/environment.ts, `environmentSecrets`). */
  hasEnvironment: boolean;
  zeroDowntime: boolean;
  /** What becomes of files that the application has written into the live release. Undefined: they are not looked for. */
  writtenFiles?: WrittenFiles | undefined;
  /** Whether its load balancer shows the maintenance page. */
  isHeldBefore?: boolean | undefined;
  health?: HealthCheck | undefined;
  /** What it changes of its PHP; undefined: nothing. */
  php?: PhpChoices | undefined;
}

export interface WrittenFiles {
  /** Whether they may get lost. */
  mayGo: boolean;
  /** The settings of shared paths, as the user wrote them. */
  directories: readonly string[];
  files: readonly string[];
}

/** The request and the response that a release needs to count as healthy. */
export interface HealthCheck {
  healthPath: string;
  /** Empty: anything below 500. */
  healthStatuses: readonly number[];
  /** How long a new process may take until it answers. */
  healthTimeoutSeconds: number;
}

/** Prepares the server for deployments of the project, but for its site. Can be repeated: correct parts stay untouched. */
export const stepsBeforeSite = (project: ProjectOnServer): Step[] =>
  [
    createAccount(project.layout, project.identity),
    createFolders(project.layout),
    createDeployKey(project.layout),
    ...(project.framework.runtimeFamily === "php" ? phpSteps(project) : []),
    ...(project.framework.runtimeFamily === "node" ? [writeUnit(project)] : []),
  ].map((each) => preparationPart(project.layout, each));

/** Sets up the PHP of a project. */
export const phpSteps = (project: ProjectOnServer): Step[] =>
  [writePhpStart(project.layout), writePool(project)].map((each) => preparationPart(project.layout, each));

/** A deployment repeats the parts of the preparation whose state on the server is another one, or unknown. */
export const preparationPart = ({ id: subjectId }: ProjectLayout, made: Step): Step =>
  applying({ kind: made.key, subject: "project", subjectId }, made);

/** What the project has on every server that does something for it: its user, and its folders. */
export const homeSteps = (layout: ProjectLayout, identity: ProjectIdentity): Step[] => [
  createAccount(layout, identity),
  createFolders(layout),
];

/** Makes only the project's deploy key: a git host needs it before anything can be fetched. */
export const deployKeyPlan = (layout: ProjectLayout, identity: ProjectIdentity): Plan =>
  plan("deploy-key", [...homeSteps(layout, identity), createDeployKey(layout)], {
    pointOfNoReturn: "create-deploy-key",
  });

/**
 * Removes everything of a project from its server. Can be repeated, and cannot be undone. `runs`: runs of the project that were
 * under way when it was deleted; their end is awaited first. `isReplica`: a load balancer may have sent a visitor here. With an
 * identity, nothing of another project with its number is removed.
 */
export function removeProjectPlan(
  { layout, identity }: Pick<ProjectOnServer, "layout"> & { identity?: ProjectIdentity },
  runs: readonly number[] = [],
  isReplica = false,
): Plan {
  const steps = [isReplica && finishRequests(layout), removeSite(layout), stopProcesses(layout), removeFiles(layout)];
  const own = (made: Step): Step =>
    identity ? { ...made, script: lines(unlessAnothers(layout, identity), made).script } : made;
  return plan("project-removal", [runs.length > 0 && awaitRuns(runs), ...steps.map((each) => each && own(each))], {
    pointOfNoReturn: fromTheStart,
  });
}

/** The same where the site stays: on a server that forwards the project's visitors from then on. */
export const removeAllButSite = (layout: ProjectLayout): Step[] => [
  stopProcesses(layout),
  removeAllButCertificates(layout),
];

// The group's id is the user's.
const createAccount = (layout: ProjectLayout, identity: ProjectIdentity): Step => {
  const { user, gitUser, uid, home, mirror } = layout;
  return prepare(
    "create-account",
    "Create the project's user",
    "The project's user could not be created.",
    lines(
      claimNumber(layout, identity),
      script("create-account.sh", { user, uid, home, git_user: gitUser, mirror, last_uid: lastUid }),
    ),
  );
};

// Each is an entry of a directory of root, so that none of them can be a link that the project made.
const createFolders = (layout: ProjectLayout): Step =>
  prepare(
    "create-folders",
    "Create the project's folders",
    "The project's folders could not be created.",
    script("create-folders.sh", {
      parents: [dirname(layout.directory), layout.acmeChallenges],
      user: layout.user,
      project_directory: layout.directory,
      root_folders: [layout.releases, layout.former, layout.state, layout.slots, layout.environments, layout.logs],
      git_user: layout.gitUser,
      mirror: layout.mirror,
      known_hosts: layout.knownHosts,
      own_folders: [layout.shared, layout.cache],
      private_folders: [layout.home, layout.sessions],
    }),
  );

// The private half never leaves the server, unless a move copies it to another one; only root reads it, and passes it to the
// fetching process. The fact `deploy_key` is the public half. Written under another name first, so that an incomplete key never
// counts. Two concurrent runs make one key.
const createDeployKey = ({ id, deployKey }: ProjectLayout): Step => ({
  ...prepare(
    "create-deploy-key",
    "Create the project's deploy key",
    "The project's deploy key could not be created.",
    lines(
      exclusively(`deploy-key-${id}`),
      script("create-deploy-key.sh", { deploy_key: deployKey, comment: `longshore-project-${id}` }),
    ),
  ),
  facts: { deploy_key: "public-key" },
});

// Separate from the workers' other settings, because it is needed before a release is verified: that may have a version of its own.
const writePhpStart = (layout: ProjectLayout): Step =>
  prepare(
    "write-php-start",
    "Set up the start of PHP",
    "The start of PHP could not be set up for the project.",
    sh`${putFile} ${phpStartPath(layout)} 0644 ${phpStart(layout)}`,
  );

// PHP-FPM, of the server's own version where a release has no other. A change of its settings takes effect without a lost
// request: by a reload, or, if the unit has changed, by a restart during which the socket queues requests.
const writePool = ({ layout, maxMemoryMb, php }: ProjectOnServer): Step => {
  const pool = { layout, maxMemoryMb, php };
  const made = prepare(
    "write-pool",
    "Set up the project's PHP workers",
    "PHP-FPM could not be set up for the project.",
    script("write-pool.sh", {
      user: layout.user,
      settings_file: layout.phpSettings,
      settings: phpSettings(pool),
      workers: phpWorkers(pool),
      worker_mb: workerMb,
      ini_directory: phpIniDirectory(layout),
      ini_file: `${phpIniDirectory(layout)}/longshore.ini`,
      ini: phpIni(pool),
      extensions: extensionsOf(pool),
      live_program: `${livePrograms(layout)}/php-fpm`,
      service: layout.phpService,
      socket: layout.phpSocketUnit,
      unit_directory: layout.units,
      service_unit: phpServiceUnit(layout),
      socket_unit: phpSocketUnit(layout),
    }),
  );
  // Packages may be installed.
  return extensionsOf(pool).length === 0 ? made : { ...made, timeoutSeconds: 1200 };
};

const writeUnit = ({ layout, site, maxMemoryMb }: ProjectOnServer): Step => {
  if (site.kind.family !== "node") throw new Error("Only a Node project has a process");
  const { ports } = site.kind;
  return prepare(
    "write-unit",
    "Set up the project's process",
    "The project's process could not be registered with systemd.",
    lines(
      claimPorts(layout, ports),
      sh`
        ${putFile} ${endProcessesProgram} 0755 ${endProcesses}
        wrote=$(${putFile} ${layout.unitTemplate} 0644 ${nodeUnit({ layout, ports, maxMemoryMb })})
        if [ -n "$wrote" ]; then
          echo "$wrote"
          systemctl daemon-reload
        fi`,
    ),
  );
};
