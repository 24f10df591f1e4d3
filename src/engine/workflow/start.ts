import type { Db } from "../../db/sql.ts";
import { AppError } from "../../lib/errors.ts";
import type { Kind, SubjectRef } from "../kind.ts";
import type { Queue } from "../queue/queue.ts";
import { requestCancel } from "../runs/runs.ts";
import { insertWorkflow, listWorkflowsFor, markCancelRequested } from "./queries.ts";

/** The queue whose jobs move one workflow forward. */
export const workflowQueue = "workflow";

interface NewWorkflow<Data extends object> extends Kind {
  subjectId: number;
  organizationId?: number;
  data: Data;
  /** Does not start before this; default: at once. */
  afterSeconds?: number;
}

/**
 * Creates a workflow in the caller's transaction; it starts as soon as that commits. Throws `conflict` when a workflow of the
 * same kind is in progress for the record.
 */
export async function startWorkflow<Data extends object>(
  tx: Db,
  queue: Queue,
  { afterSeconds = 0, ...workflow }: NewWorkflow<Data>,
): Promise<number> {
  const inserted = await insertWorkflow(tx, workflow);
  if (!inserted) throw new AppError("conflict", "The same work is under way already.");
  await enqueueWorkflow(tx, queue, inserted.id, afterSeconds);
  return inserted.id;
}

/**
 * Requests a cancel in the caller's transaction. It takes effect between phases, between attempts and inside runs, before the
 * point of no return: finished phases are undone, last first. False when the workflow is past that point, has ended, is being
 * undone, or a cancel was already requested.
 */
export async function cancelWorkflow(tx: Db, queue: Queue, id: number): Promise<boolean> {
  const workflow = await markCancelRequested(tx, id);
  if (!workflow) return false;
  if (workflow.runId !== null) await requestCancel(tx, queue, workflow.runId);
  await enqueueWorkflow(tx, queue, id);
  return true;
}

/** As `cancelWorkflow`, for every workflow of a record. */
export async function cancelWorkflowsFor(tx: Db, queue: Queue, record: SubjectRef): Promise<void> {
  for (const { id } of await listWorkflowsFor(tx, record)) await cancelWorkflow(tx, queue, id);
}

export const enqueueWorkflow = (tx: Db, queue: Queue, workflowId: number, afterSeconds = 0): Promise<void> =>
  queue.enqueue(tx, workflowQueue, { workflowId }, { key: String(workflowId), afterSeconds });
