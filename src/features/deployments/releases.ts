import type { PoolClient } from "pg";
import type { Db } from "../../db/sql.ts";
import { findRun, listRunSteps } from "../../engine/runs/queries.ts";
import { requestCancel } from "../../engine/runs/runs.ts";
import type { RequestContext } from "../../http/route.ts";
import { AppError, notFound } from "../../lib/errors.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { deployingCapabilities, deploymentCapabilities } from "./capabilities.ts";
import { cancelQueued, markCancelling } from "./ending/queries.ts";
import type { Procedure } from "./hooks.ts";
import { findDeployment, lockProjects } from "./queries.ts";
import { isMadeInPlace, listKeptReleases } from "./releases/queries.ts";
import { type DeploymentRow, deploymentStatus, isEndedStatus } from "./schema.ts";

// Deployments that make a release live, in one run.

const inOneRun = {
  followsProject: true,
  start: async (tx, _, deployment, project) => ({
    releaseId: await releaseFor(tx, deployment, project),
    hasRun: true,
  }),
  cancel: async (tx, ctx, { id, status, project_id: projectId }) => {
    if (status === deploymentStatus.queued) {
      // Before the deployment: its end is recorded in the project's row.
      await lockProjects(tx, [projectId]);
      if (await cancelQueued(tx, id)) return "cancelled";
    }
    await cancelRunning(tx, ctx, id);
    return "cancelling";
  },
  listLogParts: async (_, { run_id: runId, status }) =>
    runId === null ? [] : [{ runId, base: 0, hasEnded: isEndedStatus(status) }],
} satisfies Partial<Procedure>;

export const releaseProcedures: readonly Procedure[] = [
  { ...inOneRun, processType: "deployment", mayFetch: true },
  // It builds if its release is not kept.
  { ...inOneRun, processType: "rollback", mayFetch: true },
  { ...inOneRun, processType: "recycle", mayFetch: false },
];

// Start --------------------------------------------------------------------------------------------------------------------

/** Besides the live one; decides whether a rollback has to build. */
const keptReleases = 4;

/** The release that a deployment makes live: its own, which is built, or the kept one of a rollback or recycle. */
async function releaseFor(tx: PoolClient, deployment: DeploymentRow, project: PlacedProject): Promise<number> {
  const kept = await keptRelease(tx, deployment, project);
  if (kept === undefined && deployment.process_type === "recycle") throw await recycleError(tx, project);
  return kept ?? deployment.id;
}

// What was true when the recycle was queued is not any more.
async function recycleError(tx: PoolClient, { id, zero_downtime, placement }: PlacedProject): Promise<AppError> {
  if (!zero_downtime) return deployingCapabilities.refusal("recycle", "in_place");
  const { live_release_id: live } = placement;
  if (live !== null && (await isMadeInPlace(tx, id, live)))
    return deployingCapabilities.refusal("recycle", "live_in_place");
  return new AppError("refused", "The release is no longer on the server: recycle the one that is live now.");
}

/** The release on disk that a rollback or recycle makes live; undefined if there is none. */
export async function keptRelease(tx: Db, { release_id: wanted }: DeploymentRow, project: PlacedProject) {
  const { server_id: serverId, is_prepared: isPrepared, live_release_id: live } = project.placement;
  if (wanted === null || !project.zero_downtime || !isPrepared) return undefined;
  if (wanted === live) return (await isMadeInPlace(tx, project.id, wanted)) ? undefined : wanted;
  const kept = await listKeptReleases(tx, { projectId: project.id, serverId }, live, keptReleases);
  return kept.some((release) => release.release_id === wanted) ? wanted : undefined;
}

// Cancel -------------------------------------------------------------------------------------------------------------------

async function cancelRunning(tx: PoolClient, ctx: RequestContext, id: number): Promise<void> {
  const seen = await findDeployment(tx, ctx.actor, id);
  if (!seen) throw notFound("The deployment");
  await deploymentCapabilities.refuse("cancel", seen, {
    in_place: () => seen.in_place === true,
    live: async () => seen.run_id !== null && (await isLive(tx, seen.run_id)),
  });
  if (!(await markCancelling(tx, id))) throw deploymentCapabilities.refusal("cancel", "overtaken");
  const current = await findDeployment(tx, ctx.actor, id);
  if (current?.run_id) await requestCancel(tx, ctx.queue, current.run_id);
}

// The steps that lead to the point of no return have begun, or the server reported that in response to an earlier cancel.
async function isLive(tx: PoolClient, runId: number): Promise<boolean> {
  const [run, steps] = [await findRun(tx, runId), await listRunSteps(tx, runId)];
  if (!run) return false;
  if (run.cancel_requested_at) return true;
  const noReturn = run.plan.steps.findIndex((step) => step.key === run.plan.pointOfNoReturn);
  const turn = run.plan.steps.findLastIndex((step, position) => position <= noReturn && step.checkpoint) + 1;
  return steps.some((step) => step.position >= turn && step.started_at !== null);
}
