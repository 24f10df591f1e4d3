import { DatabaseError, type PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import { lockDispatch, wakeDispatch, wakeDispatches } from "../../engine/dispatch.ts";
import type { Plan } from "../../engine/plan.ts";
import { findRunOf, isEnded } from "../../engine/queries.ts";
import { createRun } from "../../engine/runs.ts";
import type { GitSource } from "../../host/git.ts";
import { projectLayout } from "../../host/layout.ts";
import { AppError } from "../../lib/errors.ts";
import { hasProcesses, jobsForDeployment } from "../jobs/server.ts";
import { onServer } from "../projects/on-server.ts";
import { deployKeyKind, deployKeyPlan, outdatedPreparation } from "../projects/plans.ts";
import { findEnvironment, findProjectForWork } from "../projects/queries.ts";
import type { ProjectRow } from "../projects/schema.ts";
import { fetchAddressOf, holdForKey } from "../sources/source.ts";
import { announceEnd } from "./announcements.ts";
import { emitDeployment } from "./events.ts";
import { beginMove } from "./moves/jobs.ts";
import { type DeploymentInput, deploymentPlan, installationPlan, recyclePlan, rollbackPlan } from "./plans.ts";
import {
  claimedDeployment,
  endDeployment,
  listKeptReleases,
  listStartable,
  lockedQueued,
  sendQueuedAfter,
} from "./queries.ts";
import { type DeploymentRow, deploymentStatus } from "./schema.ts";

export const deploymentKind = "deployment";

/** Besides the live one; decides whether a rollback has to build. */
const keptReleases = 4;
// What began is seen when all of them have: few, so that the first does not wait for the last.
const startedAtOnce = 10;

/** Starts what may start on a server: one deployment of a project at a time, in order, within its queue_limit. */
export async function dispatch(ctx: Context, serverId: number): Promise<void> {
  const elsewhere = await transaction(ctx.pool, (tx) => startOn(ctx, tx, serverId));
  // Not in that transaction: who holds the queues of two servers has locked them in the order of their ids. Should this be
  // lost with the process, the queue is looked at soon in any case.
  if (elsewhere.length > 0) await transaction(ctx.pool, (tx) => wakeDispatches(tx, ctx.queue, elsewhere));
}

/** Servers whose queues have more now. */
async function startOn(ctx: Context, tx: PoolClient, serverId: number): Promise<number[]> {
  await lockDispatch(tx, serverId);
  const startable = await listStartable(tx, serverId, startedAtOnce);
  const begun: Begun[] = [];
  for (const deployment of startable) begun.push(await begin(ctx, tx, deployment));
  const started = begun.filter((each) => each === true).length;
  // There may be more than was looked at, and what could not be planned leaves its room to the next.
  if (started === startedAtOnce || started < startable.length) await wakeDispatch(tx, ctx.queue, serverId);
  return begun.flatMap((each) => (typeof each === "object" ? [each.sentTo] : []));
}

/** False when it was taken out of the queue, waits, or cannot be planned and has failed. */
type Begun = boolean | { sentTo: number };

async function begin(ctx: Context, tx: PoolClient, deployment: DeploymentRow): Promise<Begun> {
  // Cancelled or deleted since the queue was read, maybe with its project. Who wants to do so from here on finds it running.
  if (!(await lockedQueued(tx, deployment))) return false;
  const project = await findProjectForWork(tx, deployment.project_id);
  if (!project) return false;
  if (deployment.process_type !== "move" && deployment.server_id !== project.server_id) {
    // It was queued in the instant in which the project moved.
    await sendQueuedAfter(tx, project.id, project.server_id);
    return { sentTo: project.server_id };
  }
  if (await waitsForKey(ctx, tx, deployment, project)) return false;
  const begun = await runOrFailure(ctx, tx, deployment, project);
  if (!begun) return false;
  const isClaimed = await claimedDeployment(tx, deployment.id, begun.runId, begun.releaseId);
  // Its row is locked: a bug, after which nothing of this transaction may stay, least of all the run.
  if (!isClaimed) throw new Error(`Deployment ${deployment.id} was claimed by somebody else`);
  await emitDeployment(tx, { ...deployment, status: deploymentStatus.running });
  return true;
}

/** Creates the run of a deployment. What cannot be planned fails, and does not hold up the queue behind it. */
async function runOrFailure(ctx: Context, tx: PoolClient, deployment: DeploymentRow, project: ProjectRow) {
  try {
    return await beginRun(ctx, tx, deployment, project);
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    ctx.log.error({ err: error, deployment: deployment.id }, "a deployment could not be planned");
    const reason =
      error instanceof AppError ? error.message : "Longshore could not plan the deployment; its log says why.";
    const ended = await endDeployment(tx, deployment.id, { status: deploymentStatus.failed, error: reason });
    if (ended) {
      await emitDeployment(tx, ended);
      await announceEnd(tx, ctx, ended);
    }
    return undefined;
  }
}

// A connected account's host has to know the deploy key of the server before anything private can be fetched: the key is
// made in a run of its own, registered, and then the deployment begins.
async function waitsForKey(ctx: Context, tx: PoolClient, deployment: DeploymentRow, project: ProjectRow) {
  // A move brings the key along.
  if (deployment.process_type === "recycle" || deployment.process_type === "move") return false;
  const { server_id: serverId, project_id: projectId, id: deploymentId } = deployment;
  const held = await holdForKey(tx, ctx, { projectId, serverId, deploymentId });
  if (held === "key" && !(await isMakingKey(tx, projectId, serverId))) {
    const plan = deployKeyPlan(projectLayout(project.id));
    await createRun(tx, ctx.queue, { serverId, kind: deployKeyKind, subjectId: projectId, plan });
  }
  return held !== undefined;
}

async function isMakingKey(tx: PoolClient, projectId: number, serverId: number): Promise<boolean> {
  const last = await findRunOf(tx, deployKeyKind, projectId);
  return last !== undefined && !isEnded(last) && last.server_id === serverId;
}

async function beginRun(ctx: Context, tx: PoolClient, deployment: DeploymentRow, project: ProjectRow) {
  const { id: subjectId, server_id: serverId, process_type } = deployment;
  if (process_type === "move") return { runId: await beginMove(ctx, tx, deployment), releaseId: subjectId };
  const { plan, releaseId } = await planFor(ctx, tx, deployment, project);
  return { runId: await createRun(tx, ctx.queue, { serverId, kind: deploymentKind, subjectId, plan }), releaseId };
}

async function planFor(
  ctx: Context,
  tx: PoolClient,
  deployment: DeploymentRow,
  row: ProjectRow,
): Promise<{ plan: Plan; releaseId: number }> {
  const project = onServer(row, (await findEnvironment(tx, row.id)) !== null);
  const restartsJobs = hasProcesses(await jobsForDeployment(tx, row.id));
  const input = { project, deploymentId: deployment.id, restartsJobs };
  const kept = await keptRelease(tx, deployment, row);
  if (deployment.process_type === "recycle" && kept !== undefined) {
    return { plan: recyclePlan({ ...input, releaseId: kept }), releaseId: kept };
  }
  if (deployment.process_type === "rollback" && kept !== undefined) {
    return { plan: rollbackPlan({ ...input, releaseId: kept }), releaseId: kept };
  }
  const source = await sourceOf(ctx, tx, deployment, row);
  return { plan: buildingPlan(row, { ...input, source }), releaseId: deployment.id };
}

// Settings that the preparation writes, such as the memory limit, reach the server with the next deployment.
function buildingPlan(row: ProjectRow, input: DeploymentInput): Plan {
  if (!row.is_prepared) return installationPlan(input);
  return deploymentPlan(input, outdatedPreparation(input.project, row.prepared));
}

// The release on disk that a rollback or recycle makes live, or undefined when it has to be built.
async function keptRelease(tx: PoolClient, { release_id: wanted }: DeploymentRow, project: ProjectRow) {
  if (wanted === null || !project.zero_downtime || !project.is_prepared) return undefined;
  if (wanted === project.live_release_id) return wanted;
  const kept = await listKeptReleases(tx, project.id, project.live_release_id, keptReleases);
  return kept.some((release) => release.release_id === wanted) ? wanted : undefined;
}

export async function sourceOf(
  ctx: Context,
  tx: PoolClient,
  deployment: DeploymentRow,
  project: ProjectRow,
): Promise<GitSource> {
  const address = await fetchAddressOf(ctx, tx, project, deployment.server_id);
  if (!address) throw new AppError("refused", "The project has no repository that could be fetched.");
  return {
    ...address,
    branch: deployment.git_branch,
    commit: deployment.commit_id ?? undefined,
    access: "none",
  };
}
