import { fromTheStart, type Plan, plan, type Step } from "../../../engine/plan.ts";
import { type ProjectOnServer, prepareProjectSteps, removeProjectPlan } from "../../projects/plans.ts";
import { buildLimits, type DeploymentInput, goLiveSteps, releaseSteps } from "../plans.ts";
import type { AppFiles, AppSteps } from "./apps.ts";
import {
  checkGivenUp,
  checkRoom,
  claimDatabases,
  claimHome,
  copyDatabase,
  copySharedFiles,
  dropDatabases,
  endRuns,
  ifClaimed,
  reachSource,
  type SourceAddress,
  showMaintenance,
} from "./destination.ts";
import { copyKeys } from "./keys.ts";
import { closeDoorStep, holdSource, openDoor, releaseSource } from "./source.ts";
import type { Transit } from "./transit.ts";

// The runs of a move, in their order. Up to the end of the last of them the source is what serves, or what is brought back
// to serving. Of those on the destination nothing is undone: when one fails, everything of the project is removed there.

/** On the source: the destination may read what it needs. */
export const openingPlan = (transit: Transit, publicKey: string, app?: AppFiles): Plan =>
  plan("move-opening", [openDoor(transit, publicKey, app)], { pointOfNoReturn: fromTheStart });

/** What the steps that copy need to know of the source. */
export interface Origin {
  source: SourceAddress;
  /** Version of the one that it serves. */
  certificate: number | undefined;
  /** Of a catalog application, which is copied rather than built. */
  app?: AppFiles | undefined;
}

/** On the destination: a home for the project, with a first copy of its files and databases, while the source serves. */
export const copyingPlan = (transit: Transit, { source, certificate, app }: Origin, project: ProjectOnServer): Plan =>
  upToTheEnd("move-copying", [
    checkGivenUp(transit),
    claimHome(transit),
    reachSource(source),
    copyKeys(transit, source, certificate),
    checkRoom(transit, source),
    ...prepareProjectSteps(project),
    claimDatabases(transit),
    ...transit.databases.map((database) => copyDatabase(transit, source, database)),
    copySharedFiles(transit, source, app),
  ]);

/** On the destination: the release of the commit that is live on the source. Its commands find the first copy. */
export const buildingPlan = (transit: Transit, input: DeploymentInput): Plan => ({
  ...upToTheEnd("move-building", [checkGivenUp(transit), ...releaseSteps(input)]),
  limits: buildLimits,
});

/** On the source: from here on nothing is written. */
export const holdingPlan = (transit: Transit): Plan =>
  plan("move-holding", [holdSource(transit)], { pointOfNoReturn: fromTheStart });

// A release that was healthy on the source needs no long soak, and visitors wait.
const soakMs = 1_000;

export interface FinishingInput extends Omit<DeploymentInput, "source"> {
  inMaintenance: boolean;
  appSteps?: AppSteps | undefined;
}

/** On the destination: what changed since the first copy, and the release begins to serve; nginx was seen to answer. */
export const finishingPlan = (
  transit: Transit,
  { source, certificate, app }: Origin,
  { inMaintenance, appSteps, ...input }: FinishingInput,
): Plan =>
  upToTheEnd("move-finishing", [
    checkGivenUp(transit),
    inMaintenance && showMaintenance(transit),
    copyKeys(transit, source, certificate),
    ...transit.databases.map((database) => copyDatabase(transit, source, database)),
    copySharedFiles(transit, source, app),
    ...(appSteps?.before ?? []),
    ...goLiveSteps({ ...input, settings: { ...input.settings, soakMs } }),
    ...(appSteps?.after ?? []),
  ]);

/** On the source of a move that is given up: it serves as before. */
export const releasingPlan = (transit: Transit): Plan =>
  plan("move-releasing", [releaseSource(transit)], { pointOfNoReturn: fromTheStart });

/** On the source of a move whose project was deleted: what it held goes with the project. */
export const closingPlan = (transit: Transit): Plan =>
  plan("move-closing", [closeDoorStep(transit)], { pointOfNoReturn: fromTheStart });

/** On the destination of a move that is given up: nothing is left of it. */
export const undoingPlan = (transit: Transit, runs: readonly number[]): Plan =>
  plan(
    "move-undoing",
    [
      endRuns(transit, runs),
      ...removalSteps(transit).map((made) => ifClaimed(transit, made)),
      dropDatabases(transit, "claimed"),
    ],
    { pointOfNoReturn: fromTheStart },
  );

/** On the source of a move that has succeeded: nothing is left of the project. `runs` had been sent to it, and end. */
export const removingPlan = (transit: Transit, runs: readonly number[]): Plan =>
  plan(
    "move-removing",
    [endRuns(transit, runs), closeDoorStep(transit), ...removalSteps(transit), dropDatabases(transit, "all")],
    { pointOfNoReturn: fromTheStart },
  );

const removalSteps = (transit: Transit): Step[] => removeProjectPlan(transit).steps;

// Cancelled at every step, and over when it is interrupted.
function upToTheEnd(kind: string, steps: (Step | undefined | false)[]): Plan {
  const kept = steps
    .filter((each): each is Step => Boolean(each))
    .map(({ undo: _, ...each }): Step => ({ ...each, checkpoint: true }));
  return plan(kind, kept, { pointOfNoReturn: (kept.at(-1) as Step).key });
}
