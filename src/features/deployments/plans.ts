import { type Limits, type Plan, plan, type Step } from "../../engine/runs/plan.ts";
import type { GitSource } from "../../host/git/git.ts";
import type { ReleaseName } from "../../host/layout.ts";
import { defaultNodeMirror } from "../../host/node/node-runtime.ts";
import type { PhpPackages } from "../../host/php/php-versions.ts";
import { restartJobs } from "../jobs/plans.ts";
import type { ProjectOnServer } from "../projects/plans.ts";
import { initialSettings } from "../projects/settings/schema.ts";
import { changesWhatServes, prepareProjectSteps } from "../sites/plans.ts";
import { activate, pruneReleases, verifyServed } from "./steps/activate.ts";
import { build, chooseStep, install, linkPublicDirectory, runCustomCommands } from "./steps/build.ts";
import { joinBalancer, leaveBalancer } from "./steps/drain.ts";
import { handEnvironment } from "./steps/environment.ts";
import { restorePackages } from "./steps/kept-packages.ts";
import { addExtensionsAgain, choosePhp } from "./steps/php.ts";
import { checkHealth, drainOld, restartInPlace, soak, startOnStandbyPort, switchUpstream } from "./steps/process.ts";
import {
  checkDiskSpace,
  createRelease,
  exportRelease,
  fetchSource,
  linkSharedPaths,
  unlinkSharedPaths,
  writeEnvironment,
} from "./steps/source.ts";
import { chooseStart } from "./steps/start.ts";
import { tidyUp } from "./steps/tidy.ts";
import type { DeploymentSettings, Work } from "./steps/work.ts";
import { checkWritten, checkWrittenBefore } from "./steps/written.ts";

export interface DeploymentInput {
  project: ProjectOnServer;
  /** Also the name of the release that it makes. */
  deploymentId: number;
  source: GitSource;
  settings?: Partial<DeploymentSettings>;
  /** Whether background jobs run the project's code. */
  restartsJobs?: boolean;
  /** The source of PHP versions. */
  phpPackages?: PhpPackages | undefined;
  /** Whether the project has jobs of any kind; default: it may have. */
  hasJobs?: boolean;
  /** The release that is live before this one. */
  formerRelease?: number | undefined;
  /** The mirror of Node versions. */
  nodeMirror?: string;
}

const defaults: DeploymentSettings = {
  keptReleases: 5,
  keptReleasesMb: initialSettings.kept_releases_mb,
  healthTimeoutSeconds: initialSettings.start_timeout_seconds,
  healthPath: initialSettings.health_path,
  healthStatuses: [],
  soakMs: 3000,
  drainTimeoutSeconds: initialSettings.drain_timeout_seconds,
  nodeDrainSeconds: 10,
  minimumFreeMb: 300,
  commandTimeoutSeconds: 1800,
};

// A build uses only resources that the server does not need for serving.
export const buildLimits: Limits = { cpuWeight: 20, ioWeight: 20, memoryHigh: "80%", memoryMax: "90%", tasksMax: 4096 };

// Everything can still be undone until the new release is verified as served.
const options = { pointOfNoReturn: "verify-served", limits: buildLimits };

/**
 * Fetches, builds and activates a release of a project that is prepared on its server. Also repeats `outdated` steps of the
 * preparation; those that change the served site run only after the new release is live, and their failure does not fail the
 * deployment.
 */
export const deploymentPlan = (input: DeploymentInput, outdated: readonly Step[] = []): Plan => {
  const afterwards = outdated.filter(changesWhatServes).map((each): Step => ({ ...each, onFailure: "continue" }));
  const before = outdated.filter((each) => !changesWhatServes(each));
  return plan("deployment", [...before, ...deploymentSteps(input), ...afterwards], options);
};

/** The first deployment: prepares the server and deploys, as one run. The preparation stays if the rest fails. */
export const installationPlan = (input: DeploymentInput): Plan =>
  plan("installation", [...prepareProjectSteps(input.project), ...deploymentSteps(input)], options);

/** Makes a release that is still on the server live again: nothing is fetched or built. */
export const rollbackPlan = (input: Omit<DeploymentInput, "source"> & { releaseId: number }): Plan => {
  const work = workOf({ ...input, release: input.releaseId });
  return plan(
    "rollback",
    [
      checkWrittenBefore(work, linkSharedPaths(work), unlinkSharedPaths(work)),
      writeEnvironment(work),
      work.ports && restorePackages(work),
      addExtensionsAgain(work),
      ...goLive(work),
    ],
    options,
  );
};

/** Replaces the process of a Node project with a fresh one from the live release, with the present environment. */
export const recyclePlan = (input: Omit<DeploymentInput, "source"> & { releaseId: number }): Plan => {
  const work = workOf({ ...input, release: input.releaseId });
  return plan("recycle", [writeEnvironment(work), ...goLive(work)], options);
};

function deploymentSteps(input: DeploymentInput): Step[] {
  const steps = [...releaseSteps(input), ...goLiveSteps(input)];
  if (input.project.zeroDowntime) return steps;
  // It builds in the directory that is served. An incomplete build cannot be undone, so it is not interrupted.
  return whileOut(newRelease(input), ...steps.map(({ undo: _, ...each }) => ({ ...each, checkpoint: false })));
}

/** The steps that make a release that is not live yet. */
export function releaseSteps(input: DeploymentInput): Step[] {
  const work = newRelease(input);
  const commands = [install(work), build(work, input.source.branch), runCustomCommands(work)].filter(
    (each) => each !== undefined,
  );
  const choice = linkPublicDirectory(work) || chooseStart(work);
  const hasCommands = commands.length > 0;
  return [
    checkDiskSpace(work),
    fetchSource(work, input.source),
    createRelease(work),
    writeEnvironment(work),
    work.project.framework.runtimeFamily === "php" ? choosePhp(work) : undefined,
    exportRelease(work, !hasCommands && choice),
    ...commands,
    hasCommands && choice ? chooseStep(work, choice) : undefined,
  ].filter((each) => each !== undefined);
}

/** The steps that make it live. */
export function goLiveSteps(input: Omit<DeploymentInput, "source">): Step[] {
  const work = newRelease(input);
  if (input.project.zeroDowntime) return goLive(work, checkWritten(work));
  return [
    ...(work.ports ? [restartInPlace(work)] : [...handed(work), activate(work)]),
    verifyServed(work),
    ...finished(work),
  ];
}

const newRelease = (input: Omit<DeploymentInput, "source">): Work =>
  workOf({ ...input, release: input.project.zeroDowntime ? input.deploymentId : "in-place" });

/** `last`: what comes after the release is complete and its process is healthy. */
const goLive = (work: Work, last?: Step): Step[] =>
  work.ports
    ? [
        startOnStandbyPort(work),
        checkHealth(work),
        soak(work),
        ...(last ? [last] : []),
        ...whileOut(work, switchUpstream(work), verifyServed(work)),
        drainOld(work),
        ...finished(work),
      ]
    : [
        ...(last ? [last] : []),
        ...whileOut(work, ...handed(work), activate(work), verifyServed(work)),
        ...finished(work),
      ];

const handed = (work: Work): Step[] => (work.project.site.kind.family === "php" ? [handEnvironment(work)] : []);

// The load balancer sends visitors to other servers during this.
const whileOut = (work: Work, ...steps: Step[]): Step[] =>
  work.project.site.balancer ? [leaveBalancer(work), ...steps, joinBalancer(work)] : steps;

// Steps that visitors do not wait for.
const finished = (work: Work): Step[] =>
  [work.restartsJobs ? restartJobs(work.layout) : undefined, tidyUp(work), pruneReleases(work)].filter(
    (each) => each !== undefined,
  );

function workOf(input: Omit<DeploymentInput, "source"> & { release: ReleaseName }): Work {
  const {
    drainTimeoutSeconds = defaults.drainTimeoutSeconds,
    keptReleasesMb = defaults.keptReleasesMb,
    site,
  } = input.project;
  const { kind } = site;
  return {
    project: input.project,
    layout: input.project.layout,
    deploymentId: input.deploymentId,
    release: input.release,
    settings: { ...defaults, drainTimeoutSeconds, keptReleasesMb, ...input.project.health, ...input.settings },
    restartsJobs: input.restartsJobs ?? false,
    phpPackages: input.phpPackages,
    hasJobs: input.hasJobs ?? true,
    formerRelease: input.formerRelease,
    nodeMirror: input.nodeMirror ?? defaultNodeMirror,
    ports: kind.family === "node" ? kind.ports : undefined,
  };
}
