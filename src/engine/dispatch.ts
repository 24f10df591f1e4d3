import { type Db, rows, sql } from "../db/sql.ts";
import type { Queue } from "./queue.ts";

/** The queue whose jobs start what may start on a server. Deployments work on it; whoever makes room wakes it. */
export const dispatchQueue = "dispatch-deployments";

// Any number that nothing else uses as the first key of a two-key advisory lock.
const lockSpace = 51_711;
const keySpace = 2 ** 31;

/**
 * Has it looked, after the caller's transaction, at what may start on servers now. Jobs are one for each server, so the
 * one that is waiting may belong to another transaction: the lock keeps that job from looking before this transaction's
 * changes can be seen. Servers are locked in the order of their ids, or two who wake several could wait for each other.
 */
export async function wakeDispatches(tx: Db, queue: Queue, serverIds: Iterable<number>): Promise<void> {
  const ids = inOrder(serverIds);
  if (ids.length === 0) return;
  await lockDispatches(tx, ids);
  await queue.enqueueKeyed(
    tx,
    dispatchQueue,
    ids.map((serverId) => ({ key: String(serverId), data: { serverId } })),
  );
}

export const wakeDispatch = (tx: Db, queue: Queue, serverId: number): Promise<void> =>
  wakeDispatches(tx, queue, [serverId]);

/** Held until the end of the transaction: decisions about what starts on a server come one after the other. */
export async function lockDispatches(tx: Db, serverIds: Iterable<number>): Promise<void> {
  const keys = inOrder(serverIds).map((id) => id % keySpace);
  await rows(tx, sql`select pg_advisory_xact_lock(${lockSpace}, key) from unnest(${keys}::integer[]) key`);
}

export const lockDispatch = (tx: Db, serverId: number): Promise<void> => lockDispatches(tx, [serverId]);

const inOrder = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b);
