import type { Pool, PoolClient } from "pg";
import { partly, transaction } from "../../db/transaction.ts";
import { AppError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/log.ts";
import { findRun, isEnded, type Run } from "../queries.ts";
import type { Queue } from "../queue.ts";
import { createRun, type RunKind } from "../runs.ts";
import type { PeriodicTask } from "../schedule/schedule.ts";
import type { JobHandler } from "../worker.ts";
import { findTargetOfRun, listOverdue, lockTarget, startedRun, storeApplied, storeFailed } from "./queries.ts";
import { enqueueReconcile, reconcileQueue } from "./reconcile.ts";
import { retryDelaySeconds, type Target, type TargetKind } from "./target.ts";

export interface ReconcileContext {
  pool: Pool;
  queue: Queue;
  log: Logger;
}

type Kinds = ReadonlyMap<string, TargetKind>;

const sweepMs = 60_000;
const sweptAtOnce = 500;

/** The jobs of every target, whatever its kind: start a run when the server is behind and none is under way. */
export function reconcileJobs(ctx: ReconcileContext, kinds: readonly TargetKind[]): JobHandler[] {
  const byKind: Kinds = new Map(kinds.map((kind) => [kind.kind, kind]));
  const work = (data: Record<string, unknown>) =>
    transaction(ctx.pool, (tx) => apply(tx, ctx, byKind, Number(data.targetId)));
  return [{ name: reconcileQueue, policy: "keyed", concurrency: 32, work }];
}

/** Finds lost work, such as a target whose run could not be settled. */
export const reconcileSchedules = (ctx: ReconcileContext): PeriodicTask[] => [
  {
    name: "reconcile-overdue",
    everyMs: sweepMs,
    work: async () => {
      for (const { id } of await listOverdue(ctx.pool, sweptAtOnce)) await enqueueReconcile(ctx.pool, ctx.queue, id);
    },
  },
];

/** The runs of a kind of target. */
export const targetRunKind = (ctx: ReconcileContext, kind: TargetKind): RunKind => ({
  kind: kind.kind,
  secrets: async (run) => {
    const target = await findTargetOfRun(ctx.pool, run.id);
    return (target && (await kind.secrets?.(target, run))) ?? { files: {}, masked: [] };
  },
  ...(kind.onProgress ? { onProgress: kind.onProgress } : {}),
  onEnded: async (tx, run, outcome) => {
    // Not locked before the rows of the feature: `touch` comes after them too.
    const target = await findTargetOfRun(tx, run.id);
    if (!target) return;
    if (outcome === "succeeded") await settleApplied(tx, ctx, kind, { target, run });
    else await settleFailed(tx, ctx, kind, { target, run, error: run.error ?? "The work was cancelled." });
  },
});

async function apply(tx: PoolClient, ctx: ReconcileContext, kinds: Kinds, targetId: number): Promise<void> {
  const target = await lockTarget(tx, targetId);
  if (!target || !isBehind(target)) return;
  const kind = kinds.get(target.kind);
  if (!kind) throw new Error(`No feature declares targets of kind ${target.kind}`);
  if (target.runId !== null) return settleLost(tx, ctx, kind, target);
  const desired = await partly(tx, () => kind.desired(tx, target)).catch((error: unknown) => asPermanent(error));
  if (desired instanceof AppError)
    return settleFailed(tx, ctx, kind, { target, error: desired.message, isFinal: true });
  if (!desired) return settleApplied(tx, ctx, kind, { target });
  if ("afterSeconds" in desired) return enqueueReconcile(tx, ctx.queue, target.id, desired.afterSeconds);
  const { kind: name, subjectId, serverId } = target;
  await startedRun(tx, target.id, await createRun(tx, ctx.queue, { serverId, kind: name, subjectId, plan: desired }));
}

const isBehind = ({ wantedVersion, appliedVersion, givenUpVersion }: Target): boolean =>
  appliedVersion < wantedVersion && givenUpVersion < wantedVersion;

function asPermanent(error: unknown): AppError {
  if (error instanceof AppError && error.permanent) return error;
  throw error;
}

// A run normally settles its target. One whose end could not be stored with all that belongs to it did not.
async function settleLost(tx: PoolClient, ctx: ReconcileContext, kind: TargetKind, target: Target): Promise<void> {
  const run = target.runId === null ? undefined : await findRun(tx, target.runId);
  if (!run || !isEnded(run)) return;
  await settleFailed(tx, ctx, kind, { target, run, error: run.error ?? "How the work ended was lost." });
}

interface Attempt {
  target: Target;
  run?: Run;
}

async function settleApplied(tx: PoolClient, ctx: ReconcileContext, kind: TargetKind, { target, run }: Attempt) {
  await kind.onApplied?.(tx, target, run);
  const stored = await storeApplied(tx, target.id, target.runningVersion ?? target.wantedVersion);
  if (stored && stored.wantedVersion > stored.appliedVersion) await enqueueReconcile(tx, ctx.queue, stored.id);
}

async function settleFailed(
  tx: PoolClient,
  ctx: ReconcileContext,
  kind: TargetKind,
  { target, run, error, isFinal = false }: Attempt & { error: string; isFinal?: boolean },
): Promise<void> {
  const decided = (await kind.onFailed?.(tx, target, run, error)) ?? "retry";
  const version = target.runningVersion ?? target.wantedVersion;
  const retryInSeconds = isFinal || decided === "stop" ? null : retryDelaySeconds(target.attempts + 1);
  const stored = await storeFailed(tx, target.id, { version, error, retryInSeconds });
  if (!stored) return;
  ctx.log.warn(
    { target: target.kind, subjectId: target.subjectId, serverId: target.serverId, retryAt: stored.retryAt },
    `A server does not follow its records yet: ${error}`,
  );
  // A change that was made during the attempt does not wait for a retry.
  if (stored.wantedVersion > version) await enqueueReconcile(tx, ctx.queue, stored.id);
  else if (retryInSeconds !== null) await enqueueReconcile(tx, ctx.queue, stored.id, retryInSeconds);
}
