import { type Db, rows, sql } from "../db/sql.ts";
import type { Queue } from "./queue.ts";

/** The queue whose jobs start what may start on a server. Deployments work on it; the worker that frees a slot notifies it. */
export const dispatchQueue = "dispatch-deployments";

// Any number that nothing else uses as the first key of a two-key advisory lock.
const lockSpace = 51_711;
const keySpace = 2 ** 31;

/**
 * Has it looked, after the caller's transaction, at what may start on servers now. By jobs of its own: one that is waiting
 * may look before this transaction's changes can be seen, and to keep it from that would be to make everybody wait who adds
 * or ends something on the server.
 */
export async function wakeDispatches(tx: Db, queue: Queue, serverIds: Iterable<number>): Promise<void> {
  const jobs = inOrder(serverIds).map((serverId) => ({ serverId }));
  await queue.enqueueAll(tx, dispatchQueue, jobs);
}

export const wakeDispatch = (tx: Db, queue: Queue, serverId: number): Promise<void> =>
  wakeDispatches(tx, queue, [serverId]);

/**
 * Held until the end of the transaction: decisions about what starts on a server come one after the other. Servers are locked
 * in the order of their ids, or two who decide for several could wait for each other.
 */
export async function lockDispatches(tx: Db, serverIds: Iterable<number>): Promise<void> {
  const keys = inOrder(serverIds).map((id) => id % keySpace);
  await rows(tx, sql`select pg_advisory_xact_lock(${lockSpace}, key) from unnest(${keys}::integer[]) key`);
}

const inOrder = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b);
