import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import { forgetTarget, touch } from "../../engine/reconcile/reconcile.ts";
import type { TargetKind, TargetRef } from "../../engine/reconcile/target.ts";
import type { PeriodicTask } from "../../engine/schedule/schedule.ts";
import type { WorkflowKind } from "../../engine/workflow/workflow.ts";
import { emitProgress } from "../deployments/progress.ts";
import { findForwarding } from "../placements/queries.ts";
import { findProjectForWork, lockProjectForWork } from "../projects/queries.ts";
import { findForwardingSite } from "../sites/forwarding.ts";
import { deleteFinishedMoves, endDeploymentOfMove } from "./ending.ts";
import { closingPlan, leavesForwarding, releasingPlan, removingPlan, undoingPlan } from "./plans.ts";
import { clearingKind, findMove, lockMove, releaseKind } from "./queries.ts";
import type { MoveRow } from "./schema.ts";
import { transitOnOther, transitOnSource } from "./work.ts";
import { moveWorkflow } from "./workflow.ts";

export const moveWorkflows = (ctx: Context): WorkflowKind[] => [moveWorkflow(ctx) as WorkflowKind];

/** Finds moves that nothing else ends: their project was deleted before their turn, or the last server to clean up was. */
export const moveSchedules = (ctx: Context): PeriodicTask[] => [
  {
    name: "delete-finished-moves",
    everyMs: 60_000,
    work: () => transaction(ctx.pool, (tx) => deleteFinishedMoves(tx, ctx)),
  },
];

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
