import type { Db } from "../../db/sql.ts";
import type { Queue } from "../../engine/queue.ts";

/** Its jobs start what may start on servers. Deployments work on it; each transaction that frees a slot of a server adds to it. */
export const dispatchQueue = "dispatch-deployments";

// One transaction starts what may start on several servers: its cost hardly depends on their number, but the first of them waits
// for the last. Of a hundred deployments that may start at the same time on fifty servers, the last began after 0.2 s on a busy
// machine, and after 0.6 s with a job for each server.
const serversTogether = 16;

/** The data of a job: the servers to look at. */
export interface DispatchJob {
  serverIds: readonly number[];
}

export const wakeDispatch = (tx: Db, queue: Queue, serverId: number): Promise<void> =>
  wakeDispatches(tx, queue, [serverId]);

/**
 * Has each server looked at after the caller's transaction. With new jobs: one that waits already may look before this
 * transaction's changes can be seen, and to prevent that, everyone who adds or ends something on the server would have to wait.
 */
export function wakeDispatches(tx: Db, queue: Queue, serverIds: Iterable<number>): Promise<void> {
  const ids = [...new Set(serverIds)];
  const jobs = Array.from({ length: Math.ceil(ids.length / serversTogether) }, (_, at) => ({
    serverIds: ids.slice(at * serversTogether, (at + 1) * serversTogether),
  }));
  return queue.enqueueAll(tx, dispatchQueue, jobs satisfies DispatchJob[]);
}
