import type { Pool } from "pg";
import type { Db } from "../../db/sql.ts";
import type { Kind, SubjectRef } from "../kind.ts";
import type { Listener } from "../listener.ts";
import type { Queue } from "../queue/queue.ts";
import { linesOf } from "../runs/await-run.ts";
import { listOutput } from "../runs/output.ts";
import { findRunOf } from "../runs/queries.ts";
import { awaitChange, type Wait } from "../wait.ts";
import {
  changeServer,
  deleteTarget,
  deleteTargets,
  findTarget,
  findTargetById,
  hastenRetries,
  listTargets,
  lockTarget,
  raiseWanted,
  targetsChannel,
} from "./queries.ts";
import { type AnyRef, type Sync, syncOfAll, type Target, type TargetRef } from "./target.ts";

/** The queue whose jobs move one target a step forward. */
export const reconcileQueue = "reconcile";
/** The same for outside targets: a slow service must not keep servers waiting. */
export const outsideQueue = "reconcile-outside";

/**
 * Records, in the transaction that changed the rows of a target, that its server has to follow; returns the version. It starts as
 * soon as that commits, one run at a time, or none if the server has that state already. `again`: also then. Lock the rows before
 * this call: that is the order everywhere.
 */
export async function touch(tx: Db, queue: Queue, target: AnyRef, { again = false } = {}): Promise<number> {
  const raised = await raiseWanted(tx, target, again);
  await enqueueReconcile(tx, queue, raised);
  return raised.wantedVersion;
}

/** As `touch`, for several targets, in the order of their identity so that two callers cannot deadlock. */
export async function touchAll(tx: Db, queue: Queue, targets: readonly AnyRef[]): Promise<void> {
  const ordered = targets.toSorted(
    (a, b) => a.kind.localeCompare(b.kind) || a.subjectId - b.subjectId || (a.serverId ?? 0) - (b.serverId ?? 0),
  );
  for (const target of ordered) await touch(tx, queue, target);
}

/** Retries now what failed on a server, for example when it answers again. */
export async function retryServer(tx: Db, queue: Queue, serverId: number): Promise<void> {
  for (const { id } of await hastenRetries(tx, serverId)) await enqueueReconcile(tx, queue, { id, serverId });
}

/** Deletes a target: nothing more is applied for it. The end of a run in progress is ignored. */
export const forgetTarget = async (tx: Db, target: AnyRef): Promise<void> => void (await deleteTarget(tx, target));

/**
 * As `forgetTarget`, for everything that one server, or all, still had to do for a record. No run starts after this. Outside
 * services still follow the record, also after its deletion.
 */
export const forgetTargets = async (tx: Db, record: SubjectRef, serverId?: number): Promise<void> =>
  void (await deleteTargets(tx, record, serverId));

/**
 * Moves a target to another server, in the transaction that moves its record there; `touch` it there. Requests that wait for it
 * get the answer of that server, and the end of a run on the former one is ignored: no run starts there after this.
 */
export const moveTarget = async (tx: Db, { serverId: from, ...record }: TargetRef, to: number): Promise<void> =>
  void (await changeServer(tx, record, { from, to }));

/** Whether a run is applying a target. No run starts before the transaction ends. */
export async function isTargetRunning(tx: Db, target: AnyRef): Promise<boolean> {
  const found = await findTarget(tx, target);
  const locked = found && (await lockTarget(tx, found.id));
  return locked !== undefined && locked.runId !== null;
}

export interface Applied {
  /** `pending`: not applied in time, or an attempt failed and is retried; it continues in the background. */
  state: "applied" | "failed" | "pending";
  /** A sentence for the reader when an attempt failed. */
  error: string | null;
  /** The output of the newest run, line by line. */
  output: string[];
}

/**
 * Waits until a version (or a later one) was applied or given up, an attempt failed, or the timeout. A target that is gone counts
 * as applied: it was a removal.
 */
export async function awaitApplied(
  ctx: { pool: Pool; listener: Pick<Listener, "listen"> },
  { version, ...ref }: AnyRef & { version: number },
  wait: Wait,
): Promise<Applied> {
  const found = await findTarget(ctx.pool, ref);
  const stateOf = (target: Target | undefined): Applied["state"] =>
    !target || target.appliedVersion >= version ? "applied" : target.givenUpVersion >= version ? "failed" : "pending";
  const watched = {
    listener: ctx.listener,
    channel: targetsChannel,
    payload: String(found?.id),
    look: async () => found && (await findTargetById(ctx.pool, found.id)),
    isSettled: (target: Target | undefined) => stateOf(target) !== "pending" || (target?.attempts ?? 0) > 0,
  };
  const target = found && (await awaitChange(watched, wait));
  const run = await findRunOf(ctx.pool, ref, ref.subjectId, ref.serverId);
  const output = run ? await listOutput(ctx.pool, run.id) : [];
  return { state: stateOf(target), error: target?.error ?? null, output: linesOf(output.map(({ text }) => text)) };
}

/** The sync of each record that has targets of these kinds. */
export async function listSyncs(
  db: Db,
  kinds: Kind | readonly Kind[],
  subjectIds: readonly number[],
): Promise<Map<number, Sync>> {
  const targets = await listTargets(db, [kinds].flat(), subjectIds);
  const bySubject = Map.groupBy(targets, ({ subjectId }) => subjectId);
  return new Map(Array.from(bySubject, ([subjectId, its]) => [subjectId, syncOfAll(its)]));
}

/** `serverId` is null for an outside target. */
export const enqueueReconcile = (
  tx: Db,
  queue: Queue,
  { id: targetId, serverId }: { id: number; serverId: number | null },
  afterSeconds = 0,
): Promise<void> => {
  const name = serverId === null ? outsideQueue : reconcileQueue;
  return queue.enqueue(tx, name, { targetId }, { key: String(targetId), afterSeconds });
};
