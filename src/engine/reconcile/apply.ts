import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { pipelined, savepoint, transaction } from "../../db/transaction.ts";
import { requestedWaitMs } from "../../lib/backoff.ts";
import { AppError, failureSentence } from "../../lib/errors.ts";
import type { Logger } from "../../lib/log.ts";
import { lockRecord } from "../locks.ts";
import { underLease } from "../queue/lease.ts";
import type { Queue } from "../queue/queue.ts";
import type { JobHandler } from "../queue/worker.ts";
import { markIn } from "../runs/plan.ts";
import { findRun, insertRun, isEnded, type Run } from "../runs/queries.ts";
import { queueRuns, type RunKind } from "../runs/runs.ts";
import type { PeriodicTask } from "../schedule/schedule.ts";
import {
  findTargetById,
  findTargetOfRun,
  leaseSeconds,
  leaseTarget,
  listOverdue,
  lockTarget,
  releaseTarget,
  renewTarget,
  startedRun,
  storeApplied,
  storeFailed,
} from "./queries.ts";
import { enqueueReconcile, outsideQueue, reconcileQueue } from "./reconcile.ts";
import {
  type AnyTargetKind,
  longestRetrySeconds,
  type OutsideTargetKind,
  retryDelaySeconds,
  type Target,
  type TargetKind,
} from "./target.ts";

export interface ReconcileContext {
  pool: Pool;
  queue: Queue;
  log: Logger;
}

type Kinds = ReadonlyMap<string, AnyTargetKind>;

const sweepMs = 60_000;
const sweptAtOnce = 500;
// After a process died, its lease lasts for a while.
const contendedSeconds = 5;

/** The jobs of every kind of target: start a run, or call the service, when the target is behind and nothing is in progress. */
export function reconcileJobs(ctx: ReconcileContext, kinds: readonly AnyTargetKind[]): JobHandler[] {
  const byKind: Kinds = new Map(kinds.map((kind) => [kind.kind, kind]));
  const work = async (data: Record<string, unknown>, stopping: AbortSignal) => {
    const call = await transaction(ctx.pool, (tx) => apply(tx, ctx, byKind, Number(data.targetId)));
    if (call) await callOutside(ctx, call, stopping);
  };
  return [
    { name: reconcileQueue, policy: "keyed", concurrency: 32, work },
    { name: outsideQueue, policy: "keyed", concurrency: 32, work },
  ];
}

/** Finds lost work, such as a target whose run could not be settled. */
export const reconcileSchedules = (ctx: ReconcileContext): PeriodicTask[] => [
  {
    name: "reconcile-overdue",
    everyMs: sweepMs,
    work: async () => {
      for (const each of await listOverdue(ctx.pool, sweptAtOnce)) await enqueueReconcile(ctx.pool, ctx.queue, each);
    },
  },
];

/** The runs of a kind of target. */
export const targetRunKind = (ctx: ReconcileContext, kind: TargetKind): RunKind => ({
  kind: kind.kind,
  subject: kind.subject,
  secrets: async (run) => {
    const target = await findTargetOfRun(ctx.pool, run.id);
    return (target && (await kind.secrets?.(target, run))) ?? { files: {}, masked: [] };
  },
  ...(kind.onProgress ? { onProgress: kind.onProgress } : {}),
  onEnded: async (tx, run, outcome) => {
    const target = await findTargetOfRun(tx, run.id);
    if (!target) return;
    if (outcome === "succeeded") await settleApplied(tx, ctx, kind, { target, run });
    else await settleFailed(tx, ctx, kind, { target, run, error: run.error ?? "The work was cancelled." });
  },
});

/** Starts what a target needs: a run, or the returned call of an outside service, for which this process holds the target. */
async function apply(tx: PoolClient, ctx: ReconcileContext, kinds: Kinds, targetId: number): Promise<Call | undefined> {
  const found = await findTargetById(tx, targetId);
  if (!found) return undefined;
  const [, target] = await pipelined(lockRecord(tx, found, found.serverId), lockTarget(tx, targetId));
  if (!target || !isBehind(target)) return undefined;
  const kind = kinds.get(target.kind);
  if (!kind) throw new Error(`No feature declares targets of kind ${target.kind}`);
  if ("call" in kind) {
    const token = randomUUID();
    const held = await leaseTarget(tx, target.id, token);
    if (held) return { kind, target: held, token };
    await enqueueReconcile(tx, ctx.queue, target, contendedSeconds);
  } else if (target.runId === null) {
    await beginRun(tx, ctx, kind, target);
  } else {
    // A run normally settles its target. A run whose end could not be stored with all its records did not.
    const run = await findRun(tx, target.runId);
    if (!run || !isEnded(run)) return undefined;
    await settleFailed(tx, ctx, kind, { target, run, error: run.error ?? "How the work ended was lost." });
  }
  return undefined;
}

async function beginRun(tx: PoolClient, ctx: ReconcileContext, kind: TargetKind, target: Target): Promise<void> {
  const desired = await savepoint(tx, () => kind.desired(tx, target)).catch((error: unknown) => {
    if (error instanceof AppError && error.permanent) return error;
    throw error;
  });
  if (desired instanceof AppError)
    return settleFailed(tx, ctx, kind, { target, error: desired.message, isFinal: true });
  if (!desired) return settleApplied(tx, ctx, kind, { target });
  if ("afterSeconds" in desired) return enqueueReconcile(tx, ctx.queue, target, desired.afterSeconds);
  const mark = markIn(desired.steps, target);
  if (mark !== undefined && mark === target.appliedMark) return settleApplied(tx, ctx, kind, { target });
  const { subject, subjectId, serverId } = target;
  const runId = await insertRun(tx, { kind: kind.kind, subject, subjectId, serverId, plan: desired });
  await pipelined(queueRuns(tx, ctx.queue, [runId]), startedRun(tx, target.id, runId));
}

interface Call {
  kind: OutsideTargetKind;
  target: Target;
  token: string;
}

async function callOutside(ctx: ReconcileContext, { kind, target, token }: Call, stopping: AbortSignal): Promise<void> {
  const renew = () => renewTarget(ctx.pool, target.id, token);
  try {
    await underLease({ seconds: leaseSeconds, renew, stopping }, (signal) => kind.call(target, signal));
  } catch (error) {
    if (stopping.aborted) return void (await releaseTarget(ctx.pool, target.id, token));
    const sentence = failureSentence(error, (err) =>
      ctx.log.error({ err, target: kind.kind, subjectId: target.subjectId }, "an outside service could not be updated"),
    );
    const failed = { target, token, error: sentence, atLeastSeconds: waitAfter(error) };
    return transaction(ctx.pool, (tx) => settleFailed(tx, ctx, {}, failed));
  }
  await transaction(ctx.pool, (tx) => settleApplied(tx, ctx, {}, { target, token }));
}

function waitAfter(error: unknown): number {
  if (error instanceof AppError && error.permanent) return longestRetrySeconds;
  return Math.min(requestedWaitMs(error) / 1_000, longestRetrySeconds);
}

const isBehind = ({ wantedVersion, appliedVersion, givenUpVersion }: Target): boolean =>
  appliedVersion < wantedVersion && givenUpVersion < wantedVersion;

interface Attempt {
  target: Target;
  run?: Run;
  /** The lease of a call to an outside service. */
  token?: string;
}

type SettlingKind = Pick<TargetKind, "onApplied" | "onFailed" | "longestRetrySeconds">;

async function settleApplied(
  tx: PoolClient,
  ctx: ReconcileContext,
  kind: SettlingKind,
  { target, run, token }: Attempt,
) {
  await kind.onApplied?.(tx, target, run);
  const stored = await storeApplied(tx, target.id, { version: target.runningVersion ?? target.wantedVersion, token });
  if (stored && stored.wantedVersion > stored.appliedVersion) await enqueueReconcile(tx, ctx.queue, stored);
}

async function settleFailed(
  tx: PoolClient,
  ctx: ReconcileContext,
  kind: SettlingKind,
  {
    target,
    run,
    token,
    error,
    isFinal = false,
    atLeastSeconds = 0,
  }: Attempt & { error: string; isFinal?: boolean; atLeastSeconds?: number },
): Promise<void> {
  const decided = (await kind.onFailed?.(tx, target, run, error)) ?? "retry";
  const version = target.runningVersion ?? target.wantedVersion;
  const delay = retryDelaySeconds(target.attempts + 1, kind.longestRetrySeconds);
  const retryInSeconds = isFinal || decided === "stop" ? null : Math.max(delay, atLeastSeconds);
  const stored = await storeFailed(tx, target.id, { version, error, retryInSeconds, token });
  if (!stored) return;
  ctx.log.warn(
    { target: target.kind, subjectId: target.subjectId, serverId: target.serverId, retryAt: stored.retryAt },
    `${target.serverId === null ? "An outside service" : "A server"} does not follow its records yet: ${error}`,
  );
  // A change that was made during the attempt does not wait for a retry.
  if (stored.wantedVersion > version) await enqueueReconcile(tx, ctx.queue, stored);
  else if (retryInSeconds !== null) await enqueueReconcile(tx, ctx.queue, stored, retryInSeconds);
}
