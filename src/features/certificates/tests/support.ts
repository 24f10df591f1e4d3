import type { Pool } from "pg";
import type { Context } from "../../../context.ts";
import { row, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import type { Outcome } from "../../../engine/journal.ts";
import { endRun, type Run } from "../../../engine/queries.ts";
import { reconcileQueue } from "../../../engine/reconcile/reconcile.ts";
import { workflowJobs } from "../../../engine/workflow/advance.ts";
import { findWorkflow } from "../../../engine/workflow/queries.ts";
import { workflowRunKinds } from "../../../engine/workflow/runs.ts";
import { workflowQueue } from "../../../engine/workflow/start.ts";
import type { Workflow, WorkflowKind } from "../../../engine/workflow/workflow.ts";
import { storeResults } from "../queries.ts";
import type { OrderData, OrderRow } from "../schema.ts";
import { orderKind } from "../schema.ts";
import { certificateWorkflow } from "../workflow.ts";

export const orderQueues = [workflowQueue, reconcileQueue].map((name) => ({ name, policy: "keyed" as const }));

export const workflowFor = async (pool: Pool, { id }: OrderRow): Promise<Workflow<OrderData>> =>
  (await findWorkflow(pool, { ...orderKind, subjectId: id })) as Workflow<OrderData>;

/** Puts an order into a phase, with the results of the earlier phases. */
export async function putAt(
  pool: Pool,
  order: OrderRow,
  phase: string,
  results: Parameters<typeof storeResults>[2] = {},
): Promise<void> {
  await storeResults(pool, order.id, results);
  await pool.query(
    `update workflows set phase = $2, phase_started_at = now(), run_id = null, attempts = 0
     where kind = $3 and subject_id = $1`,
    [order.id, phase, orderKind.kind],
  );
}

/** Continues an order as a job does, as far as possible without its server. */
export async function proceed(
  ctx: Context,
  order: OrderRow,
  kind: WorkflowKind<OrderData> = certificateWorkflow(ctx),
): Promise<void> {
  const { id } = await workflowFor(ctx.pool, order);
  const [job] = workflowJobs(ctx, [kind as WorkflowKind]);
  await job?.work({ workflowId: id }, new AbortController().signal);
}

/** The run that is under way for an order. */
const runFor = (pool: Pool, { id }: OrderRow): Promise<Run | undefined> =>
  row<Run>(
    pool,
    sql`
      select r.* from runs r join workflows w on w.run_id = r.id
      where w.kind = ${orderKind.kind} and w.subject_id = ${id} and r.ended_at is null
    `,
  );

/** Begins the run of an order's present phase, and ends it in place of a server. */
export async function endPhase(ctx: Context, order: OrderRow, outcome: Outcome, error?: string): Promise<void> {
  await proceed(ctx, order);
  await endRunFor(ctx, order, outcome, error);
}

export async function endRunFor(ctx: Context, order: OrderRow, outcome: Outcome, error?: string): Promise<void> {
  const run = await runFor(ctx.pool, order);
  if (!run) throw new Error(`No run is under way for order ${order.id}`);
  const kinds = workflowRunKinds(ctx, certificateWorkflow(ctx) as WorkflowKind);
  await transaction(ctx.pool, async (tx) => {
    const ended = (await endRun(tx, run.id, { state: outcome, error: error ?? null })) as Run;
    await kinds.find(({ kind }) => kind === run.kind)?.onEnded(tx, ended, outcome);
  });
}
