import type { PoolClient } from "pg";
import type { Context } from "../../../context.ts";
import { endRun, findRun, isEnded, type Run } from "../../../engine/queries.ts";
import { createRun, repeatRun } from "../../../engine/runs.ts";
import { reissueAfterMove } from "../../certificates/actions.ts";
import { followMove } from "../../databases/actions.ts";
import { applyKey } from "../../jobs/plans.ts";
import { jobsForDeployment, touchJobs } from "../../jobs/server.ts";
import { setDisk, takeOverPlacement } from "../../placements/queries.ts";
import { emitUpdated } from "../../projects/events.ts";
import { findProjectForWork, listActiveRuns, lockProjectForWork, setServer } from "../../projects/queries.ts";
import { projectWorkKinds } from "../../projects/removal.ts";
import type { ProjectRow } from "../../projects/schema.ts";
import { beginPublication, moveSite, preparedBy } from "../../projects/web-server.ts";
import { wakeDispatches } from "../../servers/dispatch.ts";
import { findServerForWork } from "../../servers/queries.ts";
import { announceEnd } from "../announcements.ts";
import { emitDeployment } from "../events.ts";
import { endDeployment } from "../queries.ts";
import { sendQueuedAfter } from "../queue/queries.ts";
import { deploymentStatus } from "../schema.ts";
import { diskOf } from "../steps/disk.ts";
import { domainAdvice } from "./advice.ts";
import { appFilesOf } from "./apps.ts";
import { closingPlan, releasingPlan, removingPlan, undoingPlan } from "./plans.ts";
import {
  clearingKind,
  deleteMove,
  holdNames,
  leave,
  listMoveRuns,
  lockMove,
  moveCertificate,
  moveDatabases,
  releaseKind,
  setDeploymentRun,
  setDescription,
  setLeavingRun,
  turnAround,
} from "./queries.ts";
import type { MoveRow } from "./schema.ts";
import type { Transit } from "./transit.ts";
import { transitOnDestination, transitOnSource, type Work } from "./work.ts";

// The end of a move. It is decided once, in the transaction that records it; the remaining work is retried until it is done, on
// each server that still exists.

type Ctx = Pick<Context, "queue" | "log">;

// The switch ----------------------------------------------------------------------------------------------------------------

/** The destination serves: it becomes the project's server, and the project is removed from the source. */
export async function switchOver(
  tx: PoolClient,
  ctx: Ctx,
  { move, deployment, project }: Work,
  run: Run,
): Promise<void> {
  const { deployment_id: deploymentId, source_id: sourceId, destination_id: destinationId } = move;
  if (sourceId === null || destinationId === null) throw new Error(`Move ${deploymentId} has lost a server`);
  const transit = await transitOnSource(tx, move);
  await takeOverPlacement(tx, project.id, {
    from: sourceId,
    to: destinationId,
    portPair: move.other_port_pair,
    livePort: run.facts.live_port ? Number(run.facts.live_port) : move.other_port_pair,
    // The live release of an application was not made by a deployment.
    live: appFilesOf(project)
      ? { deploymentId: project.live_deployment_id, releaseId: project.live_release_id }
      : { deploymentId, releaseId: deploymentId },
    prepared: await preparedThere(tx, deploymentId),
  });
  await setServer(tx, project.id, destinationId);
  await setDisk(tx, { projectId: project.id, serverId: destinationId }, diskOf(run) ?? null);
  await takeAlong(tx, ctx, move, { from: sourceId, to: destinationId, certificate: run.facts.certificate });
  await turnAround(tx, move, project.port_pair);
  await moveSite(tx, { id: project.id, server_id: sourceId }, destinationId);
  const clearingRunId = await beginRemoving(tx, ctx, transit, sourceId);
  await leave(tx, deploymentId, { outcome: "succeeded", error: null, releaseRunId: null, clearingRunId });
  await adviseOnDomains(tx, { deploymentId, project, serverId: destinationId });
  await endMoving(tx, ctx, { ...move, outcome: "succeeded", error: null });
  // Notifies actors with either server in reach.
  for (const serverId of [sourceId, destinationId]) {
    await emitUpdated(tx, { id: project.id, organization_id: deployment.organization_id, server_id: serverId });
  }
  await publishThere(tx, ctx, project.id);
}

// A certificate that was renewed at the last moment was not copied: the site has none until the next is ordered.
async function takeAlong(
  tx: PoolClient,
  ctx: Ctx,
  { project_id: projectId, deployment_id: deploymentId }: MoveRow,
  { from, to, certificate }: { from: number; to: number; certificate: string | undefined },
): Promise<void> {
  await sendQueuedAfter(tx, projectId, { from, to });
  await moveDatabases(tx, projectId, to, deploymentId);
  await followMove(tx, ctx, projectId, { from });
  await holdNames(tx, projectId, from, deploymentId);
  if (certificate !== undefined) await moveCertificate(tx, projectId, to, Number(certificate));
  await reissueAfterMove(tx, ctx, projectId);
}

// Ends runs for the project on the source; the destination receives the present rows.
async function beginRemoving(tx: PoolClient, ctx: Ctx, transit: Transit, serverId: number): Promise<number> {
  const runs = await listActiveRuns(tx, transit.layout.id, projectWorkKinds);
  for (const { id } of runs) await endRun(tx, id, { state: "cancelled", error: "The project was moved." });
  const plan = removingPlan(
    transit,
    runs.map(({ id }) => id),
  );
  return await createRun(tx, ctx.queue, { serverId, kind: clearingKind, subjectId: transit.deploymentId, plan });
}

// The record and notifications show the remaining steps.
async function adviseOnDomains(
  tx: PoolClient,
  { deploymentId, project, serverId }: { deploymentId: number; project: ProjectRow; serverId: number },
): Promise<void> {
  const server = await findServerForWork(tx, serverId);
  if (server) await setDescription(tx, deploymentId, `Moved to ${server.name}. ${domainAdvice(project, server)}`);
}

async function preparedThere(tx: PoolClient, deploymentId: number): Promise<Record<string, string>> {
  const runs = await listMoveRuns(tx, deploymentId);
  const copying = runs.findLast((run) => run.plan.kind === "move-copying");
  return copying ? await preparedBy(tx, copying) : {};
}

// Domains, redirects and the like may have been changed while the destination was being prepared; and a caller that waits for the
// outcome of a change on the source gets the destination's.
async function publishThere(tx: PoolClient, ctx: Ctx, projectId: number): Promise<void> {
  const project = await lockProjectForWork(tx, projectId);
  if (project) await beginPublication(tx, ctx, project);
}

// Giving up -----------------------------------------------------------------------------------------------------------------

/** The source serves again and the destination is cleared, whatever steps were done there. */
export async function giveUp(
  tx: PoolClient,
  ctx: Ctx,
  move: MoveRow,
  end: { outcome: "failed" | "cancelled"; error: string },
): Promise<void> {
  if (move.phase === "leaving") return;
  if (move.phase === "queued") return await deleteMove(tx, move.deployment_id);
  await endPhase(tx, move, end.error);
  const releaseRunId = await beginRelease(tx, ctx, move);
  const clearingRunId = await beginUndoing(tx, ctx, move);
  await leave(tx, move.deployment_id, { ...end, releaseRunId, clearingRunId });
  const isHeld = move.phase === "holding" || move.phase === "finishing";
  // A held project is not free for its next deployment before it serves again.
  if (isHeld && releaseRunId !== null) await setDeploymentRun(tx, move.deployment_id, releaseRunId);
  else await endMoving(tx, ctx, { ...move, ...end });
  await finishLeaving(tx, move.deployment_id);
}

// No worker follows the run any more. The servers are instructed to end it, and to refuse it if it arrives later.
async function endPhase(tx: PoolClient, move: MoveRow, error: string): Promise<void> {
  const run = move.run_id === null ? undefined : await findRun(tx, move.run_id);
  if (run && !isEnded(run)) await endRun(tx, run.id, { state: "cancelled", error });
}

async function beginRelease(tx: PoolClient, ctx: Ctx, move: MoveRow): Promise<number | null> {
  if (move.source_id === null) return null;
  const transit = await transitOnSource(tx, move);
  // A deleted project is being removed there, and must not be restored.
  const plan = (await findProjectForWork(tx, move.project_id)) ? releasingPlan(transit) : closingPlan(transit);
  const { source_id: serverId, deployment_id: subjectId } = move;
  return await createRun(tx, ctx.queue, { serverId, kind: releaseKind, subjectId, plan });
}

async function beginUndoing(tx: PoolClient, ctx: Ctx, move: MoveRow): Promise<number | null> {
  if (move.destination_id === null) return null;
  const runs = await listMoveRuns(tx, move.deployment_id);
  const there = runs.filter((run) => run.server_id === move.destination_id && run.kind !== clearingKind);
  if (there.length === 0) return null;
  const plan = undoingPlan(
    transitOnDestination(move),
    there.map((run) => run.id),
  );
  const { destination_id: serverId, deployment_id: subjectId } = move;
  return await createRun(tx, ctx.queue, { serverId, kind: clearingKind, subjectId, plan });
}

// Remaining work -----------------------------------------------------------------------------------------------------------

/** The end of a run that releases or clears a server: done, or begun again as long as the server exists. */
export async function leaveOn(tx: PoolClient, ctx: Ctx, run: Run, succeeded: boolean): Promise<void> {
  const move = await lockMove(tx, run.subject_id);
  if (!move) return;
  const isRelease = move.release_run_id === run.id;
  if (!isRelease && move.clearing_run_id !== run.id) return;
  const runId = succeeded || run.server_id === null ? null : await tryAgain(tx, ctx, run, isRelease);
  await setLeavingRun(tx, run.subject_id, isRelease ? { releaseRunId: runId } : { clearingRunId: runId });
  if (isRelease && runId === null) await endMoving(tx, ctx, move);
  if (isRelease && runId !== null) await setDeploymentRun(tx, run.subject_id, runId);
  await finishLeaving(tx, run.subject_id);
}

// Visitors may be waiting for a release.
const releaseAtMostSeconds = 15 * 60;

function tryAgain(tx: PoolClient, ctx: Ctx, run: Run, isRelease: boolean): Promise<number | null> {
  ctx.log.warn({ run: run.id }, `What a move left on a server could not be put right yet: ${run.error}`);
  return repeatRun(tx, ctx.queue, run, isRelease ? { atMostSeconds: releaseAtMostSeconds } : {});
}

async function finishLeaving(tx: PoolClient, deploymentId: number): Promise<void> {
  const move = await lockMove(tx, deploymentId);
  if (move && move.release_run_id === null && move.clearing_run_id === null) await deleteMove(tx, deploymentId);
}

// Jobs wait for the end of a move, and then run on the project's server; jobs that were deleted during the move end.
async function followJobs(tx: PoolClient, ctx: Ctx, projectId: number): Promise<void> {
  const project = await lockProjectForWork(tx, projectId);
  if (!project) return;
  const hasJobs = applyKey in project.prepared || (await jobsForDeployment(tx, projectId)).length > 0;
  if (hasJobs) await touchJobs(tx, ctx, project);
}

const endStatus = {
  succeeded: deploymentStatus.success,
  failed: deploymentStatus.failed,
  cancelled: deploymentStatus.cancelled,
} as const;

type Decided = Pick<MoveRow, "deployment_id" | "source_id" | "destination_id" | "outcome" | "error">;

// Ends the record, unless it has ended or is gone, and begins the next deployment on both servers.
async function endMoving(tx: PoolClient, ctx: Ctx, move: Decided): Promise<void> {
  if (move.outcome === null) return;
  const ended = await endDeployment(tx, move.deployment_id, { status: endStatus[move.outcome], error: move.error });
  if (ended) {
    await emitDeployment(tx, ended);
    await announceEnd(tx, ctx, ended);
    await followJobs(tx, ctx, ended.project_id);
  }
  await wakeDispatches(
    tx,
    ctx.queue,
    [move.source_id, move.destination_id].filter((id) => id !== null),
  );
}
