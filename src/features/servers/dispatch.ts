import type { Db } from "../../db/sql.ts";
import type { Queue } from "../../engine/queue.ts";

/** Its jobs start what may start on servers. Deployments work on it; each transaction that frees a slot of a server adds to it. */
export const dispatchQueue = "dispatch-deployments";

export const wakeDispatch = (tx: Db, queue: Queue, serverId: number): Promise<void> =>
  wakeDispatches(tx, queue, [serverId]);

/**
 * Has each server looked at after the caller's transaction. With a job of its own: one that waits already may look before this
 * transaction's changes can be seen, and to prevent that, everyone who adds or ends something on the server would have to wait.
 */
export const wakeDispatches = (tx: Db, queue: Queue, serverIds: Iterable<number>): Promise<void> =>
  queue.enqueueAll(
    tx,
    dispatchQueue,
    [...new Set(serverIds)].map((serverId) => ({ serverId })),
  );
