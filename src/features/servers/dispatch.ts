import type { Db } from "../../db/sql.ts";
import type { Queue } from "../../engine/queue/queue.ts";

/**
 * Queue of jobs that start deployments on servers. The deployments feature handles them; each transaction that frees a slot of a
 * server adds one.
 */
export const dispatchQueue = "dispatch-deployments";

// One transaction starts deployments on several servers: its cost hardly depends on their number, but the first deployment waits
// for the last. With a hundred deployments that could start at once on fifty servers, the last began after 0.2 s on a busy
// machine, and after 0.6 s with one job per server.
const serversTogether = 16;

/** The data of a job: the servers to check. */
export interface DispatchJob {
  serverIds: readonly number[];
}

export const wakeDispatch = (tx: Db, queue: Queue, serverId: number): Promise<void> =>
  wakeDispatches(tx, queue, [serverId]);

/**
 * Has each server checked after the caller's transaction. Always adds new jobs: a waiting one may run before this transaction's
 * changes are visible, and preventing that would make every transaction that adds or ends something on the server wait.
 */
export function wakeDispatches(tx: Db, queue: Queue, serverIds: Iterable<number>): Promise<void> {
  const ids = [...new Set(serverIds)];
  const jobs = Array.from({ length: Math.ceil(ids.length / serversTogether) }, (_, at) => ({
    serverIds: ids.slice(at * serversTogether, (at + 1) * serversTogether),
  }));
  return queue.enqueueAll(tx, dispatchQueue, jobs satisfies DispatchJob[]);
}
