import type { Db } from "../db/sql.ts";
import type { Queue } from "./queue.ts";

/** The queue whose jobs start what may start on a server. Deployments work on it; whoever makes room wakes it. */
export const dispatchQueue = "dispatch-deployments";

/** Has it looked, after the caller's transaction, at what may start on a server now. */
export const wakeDispatch = (tx: Db, queue: Queue, serverId: number): Promise<void> =>
  queue.enqueue(tx, dispatchQueue, { serverId }, { key: String(serverId) });
