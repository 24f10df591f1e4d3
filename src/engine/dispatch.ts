import type { Db } from "../db/sql.ts";
import type { Queue } from "./queue.ts";

/** The queue whose jobs start what may start on a server. Deployments work on it; whoever makes room wakes it. */
export const dispatchQueue = "dispatch-deployments";

// Any number that nothing else uses as the first key of a two-key advisory lock.
const lockSpace = 51_711;

/**
 * Has it looked, after the caller's transaction, at what may start on a server now. Jobs are one for each server, so the
 * one that is waiting may belong to another transaction: the lock keeps that job from looking before this transaction's
 * changes can be seen. Who wakes several servers does so in the order of their ids, or two could wait for each other.
 */
export async function wakeDispatch(tx: Db, queue: Queue, serverId: number): Promise<void> {
  await lockDispatch(tx, serverId);
  await queue.enqueue(tx, dispatchQueue, { serverId }, { key: String(serverId) });
}

/** Held until the end of the transaction: decisions about what starts on a server come one after the other. */
export async function lockDispatch(tx: Db, serverId: number): Promise<void> {
  await tx.query("select pg_advisory_xact_lock($1, $2)", [lockSpace, serverId % 2 ** 31]);
}
