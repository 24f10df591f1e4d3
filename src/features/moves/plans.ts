import { fromTheStart, type Plan, plan, type Step } from "../../engine/runs/plan.ts";
import type { Forwarding } from "../../host/nginx/forwarding.ts";
import { buildLimits, type DeploymentInput, goLiveSteps, releaseSteps } from "../deployments/plans.ts";
import { checkWrittenOnSource } from "../deployments/steps/written.ts";
import { type ProjectOnServer, removeProjectPlan } from "../projects/plans.ts";
import { leaveForwardingSteps, prepareProjectSteps } from "../sites/plans.ts";
import { forwardingStep } from "../sites/steps.ts";
import type { AppFiles } from "./apps.ts";
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
import type { StepsOnDestination } from "./hooks.ts";
import { copyKeys } from "./keys.ts";
import { authorizeDestination, holdSource, releaseSource, revokeDestination } from "./source.ts";
import type { Transit } from "./transit.ts";

// The runs of a move, in order. Until the end of the last one the source serves, or is made to serve again. Runs on the
// destination are not undone: if one fails, everything of the project is removed there.

/** On the source: gives the destination read access, if nothing would be left behind in the release of `project`. */
export const openingPlan = (transit: Transit, publicKey: string, project: ProjectOnServer, app?: AppFiles): Plan =>
  plan(
    "move-opening",
    [
      checkWrittenOnSource({ project, layout: transit.layout, hasJobs: true }),
      authorizeDestination(transit, publicKey, app),
    ],
    { pointOfNoReturn: fromTheStart },
  );

/** The data about the source that the copying steps need. */
export interface Origin {
  source: SourceAddress;
  /** Version of the certificate that it serves. */
  certificate: number | undefined;
  /** For a catalog application, which is copied rather than built. */
  app?: AppFiles | undefined;
}

/** On the destination: a home for the project, with a first copy of its files and databases, while the source serves. */
export const copyingPlan = (transit: Transit, { source, certificate, app }: Origin, project: ProjectOnServer): Plan =>
  upToTheEnd("move-copying", [
    checkGivenUp(transit),
    claimHome(transit, project.identity),
    reachSource(source),
    copyKeys(transit, source, certificate),
    checkRoom(transit, source),
    ...prepareProjectSteps(project),
    claimDatabases(transit),
    ...transit.databases.map((database) => copyDatabase(transit, source, database)),
    copySharedFiles(transit, source, app),
  ]);

/** On the destination: builds the commit that is live on the source. The build commands have the first copy of the data. */
export const buildingPlan = (transit: Transit, input: DeploymentInput): Plan => ({
  ...upToTheEnd("move-building", [checkGivenUp(transit), ...releaseSteps(input)]),
  limits: buildLimits,
});

/** On the source: after this, nothing is written. */
export const holdingPlan = (transit: Transit): Plan =>
  plan("move-holding", [holdSource(transit)], { pointOfNoReturn: fromTheStart });

// A release that was healthy on the source needs no long soak, and visitors wait.
const soakMs = 1_000;

export interface FinishingInput extends Omit<DeploymentInput, "source"> {
  inMaintenance: boolean;
  /** Steps of other features. */
  further: readonly StepsOnDestination[];
}

/** On the destination: copies the changes since the first copy, makes the release live, and verifies that nginx serves it. */
export const finishingPlan = (
  transit: Transit,
  { source, certificate, app }: Origin,
  { inMaintenance, further, ...input }: FinishingInput,
): Plan =>
  upToTheEnd("move-finishing", [
    checkGivenUp(transit),
    inMaintenance && showMaintenance(transit),
    copyKeys(transit, source, certificate),
    ...transit.databases.map((database) => copyDatabase(transit, source, database)),
    copySharedFiles(transit, source, app),
    ...further.flatMap(({ before }) => before),
    ...goLiveSteps({ ...input, settings: { ...input.settings, soakMs } }),
    ...further.flatMap(({ after }) => after),
  ]);

/** On the source of an abandoned move: it serves as before. */
export const releasingPlan = (transit: Transit): Plan =>
  plan("move-releasing", [releaseSource(transit)], { pointOfNoReturn: fromTheStart });

/** On the source of a move whose project was deleted: only revokes the destination's access; the deletion removes the rest. */
export const closingPlan = (transit: Transit): Plan =>
  plan("move-closing", [revokeDestination(transit)], { pointOfNoReturn: fromTheStart });

/** On the destination of an abandoned move: removes all of it. It may have been a server that forwards the project's visitors. */
export const undoingPlan = (transit: Transit, runs: readonly number[], forwarding?: Forwarding): Plan =>
  plan(
    "move-undoing",
    [
      endRuns(transit, runs),
      ...removalSteps(transit, forwarding).map((made) => ifClaimed(transit, made)),
      dropDatabases(transit, "claimed"),
    ],
    { pointOfNoReturn: fromTheStart },
  );

/** On the source of a successful move: removes the project, and forwards its visitors. Ends `runs`, which were sent to it before. */
export const removingPlan = (transit: Transit, runs: readonly number[], forwarding?: Forwarding): Plan =>
  plan(
    "move-removing",
    [
      endRuns(transit, runs),
      revokeDestination(transit),
      ...removalSteps(transit, forwarding),
      dropDatabases(transit, "all"),
    ],
    { pointOfNoReturn: fromTheStart },
  );

const removalSteps = (transit: Transit, forwarding: Forwarding | undefined): Step[] =>
  forwarding ? leaveForwardingSteps(transit.layout, forwarding) : removeProjectPlan(transit).steps;

/** Whether a run has left a server that forwards visitors. */
export const leavesForwarding = ({ steps }: Plan): boolean => steps.some(({ key }) => key === forwardingStep);

// A cancel takes effect at every step, and an interruption ends the run.
function upToTheEnd(kind: string, steps: (Step | undefined | false)[]): Plan {
  const kept = steps
    .filter((each): each is Step => Boolean(each))
    .map(({ undo: _, ...each }): Step => ({ ...each, checkpoint: true }));
  return plan(kind, kept, { pointOfNoReturn: (kept.at(-1) as Step).key });
}
