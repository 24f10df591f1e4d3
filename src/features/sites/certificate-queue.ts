import type { WithQueue } from "../../context.ts";
import type { Db } from "../../db/sql.ts";

/**
 * Queue of jobs that order the certificate that a project's names need. The certificates feature handles them; each transaction
 * that changes what the certificate depends on adds one.
 */
export const certificateQueue = "reconcile-certificate";

/** Queues a check of the project's certificate, after the caller's transaction. */
export const queueCertificateCheck = (tx: Db, { queue }: WithQueue, projectId: number): Promise<void> =>
  queue.enqueue(tx, certificateQueue, { projectId }, { key: String(projectId) });
