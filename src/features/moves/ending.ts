import type { PoolClient } from "pg";
import type { WithQueue } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { forgetTargets, touch } from "../../engine/reconcile/reconcile.ts";
import type { Run } from "../../engine/runs/queries.ts";
import type { Workflow } from "../../engine/workflow/workflow.ts";
import { releaseNames } from "../databases/queries.ts";
import { endDeployment } from "../deployments/ending.ts";
import { resumeJobs } from "../jobs/targets.ts";
import { deleteIdlePlacement } from "../placements/queries.ts";
import { lockProjectForWork } from "../projects/queries.ts";
import { wakeDispatches } from "../servers/dispatch.ts";
import { touchForwardings } from "../sites/publish.ts";
import { clearingKind, decideOutcome, deleteMoveRows, listMoveRuns, lockMove, releaseKind } from "./queries.ts";
import type { MoveData, MoveRow } from "./schema.ts";
import { destinationDeleted } from "./work.ts";

// The end of a move is decided once, in the transaction that records it. What is left to do on its servers are the targets in
// jobs.ts: each is retried until it succeeds, or its server is deleted.

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
