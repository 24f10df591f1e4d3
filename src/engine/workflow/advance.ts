import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { transaction } from "../../db/transaction.ts";
import { AppError, failureSentence } from "../../lib/errors.ts";
import type { Logger } from "../../lib/log.ts";
import { lockRecord } from "../locks.ts";
import { underLease } from "../queue/lease.ts";
import type { Queue } from "../queue/queue.ts";
import type { JobHandler } from "../queue/worker.ts";
import { findRun, isEnded } from "../runs/queries.ts";
import { createRun } from "../runs/runs.ts";
import type { PeriodicTask } from "../schedule/schedule.ts";
import {
  changePhase,
  changeWorkflow,
  claimWorkflow,
  getWorkflow,
  insertPhases,
  leaseSeconds,
  listOverdue,
  releaseWorkflow,
  renewWorkflow,
} from "./queries.ts";
import { enqueueWorkflow, workflowQueue } from "./start.ts";
import {
  beginUndo,
  beginWorkflow,
  completePhase,
  endUndone,
  failPhase,
  phaseOf,
  type Settling,
} from "./transitions.ts";
import { isOver, type Phase, pauseAfter, timeoutOf, type Work, type Workflow, type WorkflowKind } from "./workflow.ts";

export interface WorkflowContext {
  pool: Pool;
  queue: Queue;
  log: Logger;
}

/** The state of one process while it holds a workflow. */
interface Held {
  ctx: WorkflowContext;
  kind: WorkflowKind;
  token: string;
  /** Aborts when the process stops, or the lease was lost. */
  signal: AbortSignal;
}

/** Another process took over; this process must not store any more results. */
class Superseded extends Error {}

const postponedMs = 2_000;
/** For a shorter pause the process keeps the workflow: the queue counts in seconds. */
const shortestQueuedMs = 1_000;
const contendedSeconds = 2;
const sweepMs = 60_000;
const sweptAtOnce = 500;
const undoPatienceMs = 7 * 24 * 3_600_000;

/** The jobs of every kind of workflow: execute phase after phase until one has to wait. */
export function workflowJobs(ctx: WorkflowContext, kinds: readonly WorkflowKind[]): JobHandler[] {
  const byKind = new Map(kinds.map((kind) => [kind.kind, kind]));
  const work = (data: Record<string, unknown>, signal: AbortSignal) =>
    advance(ctx, byKind, Number(data.workflowId), signal);
  return [{ name: workflowQueue, policy: "keyed", concurrency: 500, work }];
}

/** Finds workflows whose job was lost. */
export const workflowSchedules = (ctx: WorkflowContext): PeriodicTask[] => [
  {
    name: "workflow-overdue",
    everyMs: sweepMs,
    work: async () => {
      for (const { id } of await listOverdue(ctx.pool, sweptAtOnce)) await enqueueWorkflow(ctx.pool, ctx.queue, id);
    },
  },
];

async function advance(
  ctx: WorkflowContext,
  kinds: ReadonlyMap<string, WorkflowKind>,
  id: number,
  stopping: AbortSignal,
): Promise<void> {
  const token = randomUUID();
  let workflow = await claimWorkflow(ctx.pool, id, token);
  if (!workflow) {
    // The other process may be alive, or dead with a lease that has not expired.
    const held = await getWorkflow(ctx.pool, id);
    if (held && !isOver(held)) await enqueueWorkflow(ctx.pool, ctx.queue, id, contendedSeconds);
    return;
  }
  const lease = { seconds: leaseSeconds, renew: () => renewWorkflow(ctx.pool, id, token), stopping };
  try {
    const kind = kinds.get(workflow.kind);
    if (!kind) throw new Error(`No feature declares workflows of kind ${workflow.kind}`);
    await underLease(lease, async (signal) => {
      while (workflow && !signal.aborted) workflow = await step({ ctx, kind, token, signal }, workflow);
    });
  } finally {
    await releaseWorkflow(ctx.pool, id, token);
  }
}

/** Moves one step forward; undefined when the workflow has ended, waits, or is held by another process. */
async function step(held: Held, workflow: Workflow): Promise<Workflow | undefined> {
  if (isOver(workflow)) return undefined;
  if (workflow.state === "undoing") return undo(held, workflow);
  const settle = settlingOf(held, workflow);
  if (workflow.runId !== null) {
    // A run settles its workflow in the transaction that stores its end. A run whose end could not be stored that way did not.
    const run = await findRun(held.ctx.pool, workflow.runId);
    if (run && !isEnded(run)) return undefined;
    const error = run?.error ?? "How the work on the server ended was lost.";
    return inTransaction(held, workflow, (tx) => failPhase(tx, settle, error));
  }
  if (workflow.cancelRequestedAt) return inTransaction(held, workflow, (tx) => beginUndo(tx, settle));
  if (workflow.phase === null) {
    return inTransaction(held, workflow, async (tx) => {
      await insertPhases(tx, workflow.id, held.kind.phases);
      return beginWorkflow(tx, settle);
    });
  }
  const phase = phaseOf(held.kind, workflow);
  if (phase.skip?.(workflow.data))
    return inTransaction(held, workflow, (tx) => completePhase(tx, settle, { state: "skipped" }));
  try {
    return await attempt(held, workflow, phase);
  } catch (error) {
    return settleError(held, workflow, phase, error);
  }
}

async function attempt(held: Held, workflow: Workflow, phase: Phase): Promise<Workflow | undefined> {
  if ("run" in phase) return beginRun(held, workflow, phase);
  const settle = settlingOf(held, workflow);
  const work = workOf(held, workflow);
  if ("call" in phase) {
    const patch = await phase.call(work);
    return inTransaction(held, workflow, (tx) => completePhase(tx, settle, { patch: patch ?? undefined }));
  }
  const found = await phase.until(work);
  if (found !== undefined) {
    return inTransaction(held, workflow, (tx) =>
      completePhase(tx, settle, { patch: found === true ? undefined : found }),
    );
  }
  if (isOverdue(workflow, phase))
    throw new AppError("run_failed", `“${phase.label}” took too long.`, { permanent: true });
  const { everyMs } = phase;
  const pauseMs = typeof everyMs === "number" ? everyMs : everyMs(sinceMs(workflow.phaseStartedAt));
  if (pauseMs >= shortestQueuedMs) return retryLater(held, workflow, pauseMs);
  await pause(pauseMs, undefined, { signal: held.signal }).catch(() => undefined);
  return getWorkflow(held.ctx.pool, workflow.id);
}

const retryLater = (held: Held, workflow: Workflow, pauseMs: number): Promise<Workflow | undefined> =>
  retryAfter(held, workflow, { pauseMs, attempts: workflow.attempts, error: null });

// The end of the run continues the workflow.
async function beginRun(held: Held, workflow: Workflow, phase: Extract<Phase, { run: unknown }>) {
  const isBegun = await inTransaction(held, workflow, async (tx) => {
    const run = await phase.run(tx, workflow);
    if (!run) return false;
    const { kind, subject, subjectId } = workflow;
    const runId = await createRun(tx, held.ctx.queue, { kind, subject, subjectId, ...run });
    const changed = await changeWorkflow(tx, workflow.id, { token: held.token }, { runId, error: null });
    if (!changed) throw new Superseded();
    await held.kind.onChanged?.(tx, changed);
    return true;
  });
  return isBegun ? undefined : retryLater(held, workflow, postponedMs);
}

async function settleError(held: Held, workflow: Workflow, phase: Phase, error: unknown) {
  if (error instanceof Superseded || held.signal.aborted) return undefined;
  const message = sentenceOf(held, workflow, error);
  const isPermanent = error instanceof AppError && error.permanent;
  if (isPermanent || isOverdue(workflow, phase)) {
    return inTransaction(held, workflow, (tx) => failPhase(tx, settlingOf(held, workflow), message));
  }
  const attempts = workflow.attempts + 1;
  return retryAfter(held, workflow, { pauseMs: pauseAfter(attempts, error, false), attempts, error: message });
}

interface Retry {
  pauseMs: number;
  attempts: number;
  error: string | null;
}

/** Stores when to check again. A cancel that came during the attempt does not wait until then. */
async function retryAfter(
  held: Held,
  workflow: Workflow,
  { pauseMs, attempts, error }: Retry,
): Promise<Workflow | undefined> {
  const isUndoing = workflow.state === "undoing";
  const stored = await inTransaction(held, workflow, async (tx) => {
    const change = { attempts, retryInMs: pauseMs, ...(isUndoing ? {} : { error }) };
    const changed = await changeWorkflow(tx, workflow.id, { token: held.token }, change);
    if (!changed) throw new Superseded();
    if (changed.phase && error)
      await changePhase(tx, workflow.id, changed.phase, { state: "running", detail: error, attempts });
    await enqueueWorkflow(tx, held.ctx.queue, workflow.id, Math.max(1, Math.round(pauseMs / 1_000)));
    if (error) await held.kind.onChanged?.(tx, changed);
    return changed;
  });
  return stored?.cancelRequestedAt && stored.state === "running" ? stored : undefined;
}

/** Undoes the current phase of the workflow, and moves to the one before. */
async function undo(held: Held, workflow: Workflow): Promise<Workflow | undefined> {
  const settle = settlingOf(held, workflow);
  if (workflow.phase === null) return inTransaction(held, workflow, (tx) => endUndone(tx, settle));
  const phase = phaseOf(held.kind, workflow);
  if (!phase.undo || phase.skip?.(workflow.data)) return inTransaction(held, workflow, (tx) => endUndone(tx, settle));
  try {
    await phase.undo(workOf(held, workflow));
    return await inTransaction(held, workflow, (tx) => endUndone(tx, settle, { state: "undone" }));
  } catch (error) {
    if (error instanceof Superseded || held.signal.aborted) return undefined;
    const message = sentenceOf(held, workflow, error);
    if (sinceMs(workflow.phaseStartedAt) > undoPatienceMs) {
      return inTransaction(held, workflow, (tx) => endUndone(tx, settle, { state: "failed", detail: message }));
    }
    const attempts = workflow.attempts + 1;
    return retryAfter(held, workflow, { pauseMs: pauseAfter(attempts, error, true), attempts, error: message });
  }
}

const settlingOf = ({ kind, token }: Held, workflow: Workflow): Settling => ({
  kind,
  workflow,
  holder: { token },
});

function workOf({ ctx, kind, token, signal }: Held, workflow: Workflow): Work {
  const work: Work = {
    workflow,
    data: workflow.data,
    signal,
    save: async (patch, alsoIn) => {
      work.data = await transaction(ctx.pool, async (tx) => {
        await lockRecord(tx, workflow);
        const changed = await changeWorkflow(tx, workflow.id, { token }, { patch: patch as object });
        if (!changed) throw new Superseded();
        await alsoIn?.(tx);
        await kind.onChanged?.(tx, changed);
        return changed.data;
      });
      workflow.data = work.data;
    },
  };
  return work;
}

const inTransaction = <Result>(
  { ctx }: Held,
  workflow: Workflow,
  work: (tx: PoolClient) => Promise<Result>,
): Promise<Result> =>
  transaction(ctx.pool, async (tx) => {
    await lockRecord(tx, workflow);
    return work(tx);
  });

const sinceMs = (time: string | null): number => (time === null ? 0 : Date.now() - Date.parse(time));

const isOverdue = (workflow: Workflow, phase: Phase): boolean => sinceMs(workflow.phaseStartedAt) > timeoutOf(phase);

const sentenceOf = ({ ctx }: Held, { id, kind, phase }: Workflow, error: unknown): string =>
  failureSentence(error, (err) =>
    ctx.log.error({ err, workflowId: id, kind, phase }, "a phase of a workflow failed unexpectedly"),
  );
