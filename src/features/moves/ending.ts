import type { PoolClient } from "pg";
import type { Context, WithQueue } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { forgetTarget, forgetTargets, touch } from "../../engine/reconcile/reconcile.ts";
import type { TargetKind, TargetRef } from "../../engine/reconcile/target.ts";
import type { Run } from "../../engine/runs/queries.ts";
import type { PeriodicTask } from "../../engine/schedule/schedule.ts";
import type { Workflow } from "../../engine/workflow/workflow.ts";
import { releaseNames } from "../databases/queries.ts";
import { endDeployment } from "../deployments/ending.ts";
import { emitProgress } from "../deployments/progress.ts";
import { resumeJobs } from "../jobs/targets.ts";
import { deleteIdlePlacement, findForwarding } from "../placements/queries.ts";
import { findProjectForWork, lockProjectForWork } from "../projects/queries.ts";
import { touchForwardings } from "../projects/site-targets.ts";
import { findForwardingSite } from "../publication/forwarding.ts";
import { wakeDispatches } from "../servers/dispatch.ts";
import { closingPlan, leavesForwarding, releasingPlan, removingPlan, undoingPlan } from "./plans.ts";
import {
  clearingKind,
  decideOutcome,
  deleteMoveRows,
  findMove,
  listMoveRuns,
  lockMove,
  releaseKind,
} from "./queries.ts";
import type { MoveData, MoveRow } from "./schema.ts";
import { destinationDeleted, transitOnOther, transitOnSource } from "./work.ts";

// The end of a move is decided once, in the transaction that records it. What is left to do on its servers are targets: each is
// retried until it succeeds, or its server is deleted.

/** A move that failed or was cancelled: the source is made to serve again, and everything of the move on the destination is removed. */
export async function abandonMove(tx: PoolClient, ctx: WithQueue, workflow: Workflow<MoveData>): Promise<void> {
  const { subjectId: deploymentId } = workflow;
  const move = await lockMove(tx, deploymentId);
  if (!move) return;
  const runs = await listMoveRuns(tx, deploymentId);
  const { source_id: sourceId, destination_id: destinationId } = move;
  const onDestination = runs.filter(({ server_id: serverId }) => serverId !== null && serverId === destinationId);
  const end =
    workflow.state === "cancelled"
      ? { outcome: "cancelled" as const, error: "Cancelled." }
      : { outcome: "failed" as const, error: reasonOf(move, workflow.error, runs) };
  // After the switch the destination is the project's server, whatever the workflow ended of.
  if (!(await decideOutcome(tx, deploymentId, { ...end, runIds: onDestination.map(({ id }) => id) }))) return;
  const isReleased = sourceId !== null && runs.length > 0;
  if (isReleased) await touch(tx, ctx.queue, { ...releaseKind, subjectId: deploymentId, serverId: sourceId });
  if (destinationId !== null && onDestination.length > 0) {
    await touch(tx, ctx.queue, { ...clearingKind, subjectId: deploymentId, serverId: destinationId });
  }
  // A held project is not free for its next deployment before it serves again.
  if (!isReleased || !runs.some(isHolding)) await endDeploymentOfMove(tx, ctx, { ...move, ...end });
  await deleteFinishedMoves(tx, ctx, deploymentId);
}

const isHolding = ({ plan }: Run): boolean => plan.kind === "move-holding";

function reasonOf({ destination_id: destinationId }: MoveRow, error: string | null, runs: readonly Run[]): string {
  if (destinationId === null) return destinationDeleted;
  const reason = error ?? "The run failed.";
  const last = runs.at(-1);
  const isSilent = last !== undefined && (last.state === "stalled" || last.started_at === null);
  if (!isSilent || !runs.some(isHolding)) return reason;
  return `${reason} The project was not moved, so that its visitors need not wait.`;
}

// What is left to do -------------------------------------------------------------------------------------------------------

// Visitors may be waiting.
const releaseAtLeastEverySeconds = 15 * 60;

export const moveTargets = (ctx: Context): TargetKind[] => [
  {
    ...releaseKind,
    longestRetrySeconds: releaseAtLeastEverySeconds,
    desired: async (tx, { subjectId }) => {
      const move = await findMove(tx, subjectId);
      if (!move) return undefined;
      const transit = await transitOnSource(tx, move);
      // A deleted project is being removed there, and must not be restored.
      return (await findProjectForWork(tx, move.project_id)) ? releasingPlan(transit) : closingPlan(transit);
    },
    onProgress: (tx, progress) => emitProgress(tx, ctx, progress),
    onApplied: async (tx, target) => {
      const move = await forget(tx, target);
      if (move) await endDeploymentOfMove(tx, ctx, move);
      await deleteFinishedMoves(tx, ctx, target.subjectId);
    },
  },
  {
    ...clearingKind,
    desired: async (tx, { subjectId, serverId }) => {
      const move = await findMove(tx, subjectId);
      if (!move) return undefined;
      const planOf = move.outcome === "succeeded" ? removingPlan : undoingPlan;
      const forwarding = await findForwardingSite(tx, { projectId: move.project_id, serverId });
      return planOf(transitOnOther(move), move.run_ids, forwarding);
    },
    onProgress: (tx, progress) => emitProgress(tx, ctx, progress),
    onApplied: async (tx, target, run) => {
      // The forwarding ended during the run, which left it there.
      if (run && leavesForwarding(run.plan) && !(await isForwarding(tx, target))) {
        return void (await touch(tx, ctx.queue, target));
      }
      await forget(tx, target);
      await deleteFinishedMoves(tx, ctx, target.subjectId);
    },
  },
];

async function isForwarding(tx: PoolClient, { subjectId, serverId }: TargetRef): Promise<boolean> {
  const move = await findMove(tx, subjectId);
  if (!move) return false;
  await lockProjectForWork(tx, move.project_id);
  return (await findForwarding(tx, { projectId: move.project_id, serverId })) !== undefined;
}

/** Returns the move with its row and its project locked: both of its targets may be applied at once. */
async function forget(tx: PoolClient, target: TargetRef): Promise<MoveRow | undefined> {
  const found = await findMove(tx, target.subjectId);
  if (found) await lockProjectForWork(tx, found.project_id);
  const move = await lockMove(tx, target.subjectId);
  await forgetTarget(tx, target);
  return move;
}

/** Deletes moves that have nothing left to do, or one of them, whose project the caller has locked, with what they reserved. */
export async function deleteFinishedMoves(tx: Db, ctx: WithQueue, deploymentId: number | null = null): Promise<void> {
  for (const { projectId, serverId, deploymentId: finished } of await deleteMoveRows(tx, deploymentId)) {
    await releaseNames(tx, finished);
    if (serverId !== null) {
      await deleteIdlePlacement(tx, { projectId, serverId });
      // Nothing of the project is there any more.
      await forgetTargets(tx, { subject: "project", subjectId: projectId }, serverId);
    }
    // Changes since that server was cleared; or its forwarding was interrupted by a move back.
    await touchForwardings(tx, ctx, projectId);
  }
}

/** Finds moves that nothing else ends: their project was deleted before their turn, or the last server to clean up was. */
export const moveSchedules = (ctx: Context): PeriodicTask[] => [
  {
    name: "delete-finished-moves",
    everyMs: 60_000,
    work: () => transaction(ctx.pool, (tx) => deleteFinishedMoves(tx, ctx)),
  },
];

// The record ---------------------------------------------------------------------------------------------------------------

type Ended = Pick<MoveRow, "deployment_id" | "source_id" | "destination_id" | "outcome" | "error">;

/** Ends the deployment, unless it has ended or is gone, and begins the next one on both servers. */
export async function endDeploymentOfMove(tx: PoolClient, ctx: WithQueue, move: Ended): Promise<void> {
  if (move.outcome === null) return;
  const { deployment_id: id, outcome, error } = move;
  const ended = await endDeployment(tx, ctx, id, { outcome, error });
  if (ended) {
    const project = await lockProjectForWork(tx, ended.project_id);
    if (project) await resumeJobs(tx, ctx, project);
  }
  await wakeDispatches(
    tx,
    ctx.queue,
    [move.source_id, move.destination_id].filter((id) => id !== null),
  );
}
