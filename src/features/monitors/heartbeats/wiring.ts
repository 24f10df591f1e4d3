import type { PoolClient } from "pg";
import type { Context } from "../../../context.ts";
import { transaction } from "../../../db/transaction.ts";
import { heartbeatDigest, setHeartbeatUrl } from "../../jobs/targets.ts";
import { pingUrl } from "../records.ts";
import { findHeartbeatOfJob, listWiring } from "./queries.ts";

type Wiring = Pick<Context, "config" | "queue" | "secrets">;

/** Makes a job report to its heartbeat, or not at all without one, in the transaction that made or deleted the heartbeat. */
export async function wireJob(tx: PoolClient, ctx: Wiring, job: { id: number; projectId: number }): Promise<void> {
  const heartbeat = await findHeartbeatOfJob(tx, job.id);
  const url = heartbeat && pingUrl(ctx, heartbeat);
  await setHeartbeatUrl(tx, ctx, { id: job.id, project_id: job.projectId }, url);
}

/** Rewires the jobs whose servers have an outdated address, after the address of the installation changed. */
export async function rewireJobs(ctx: Wiring & Pick<Context, "pool">, signal: AbortSignal): Promise<void> {
  for (const wired of await listWiring(ctx.pool)) {
    if (signal.aborted) return;
    if (wired.heartbeat_digest === heartbeatDigest(pingUrl(ctx, wired))) continue;
    const job = { id: wired.job_id, projectId: wired.project_id };
    await transaction(ctx.pool, (tx) => wireJob(tx, ctx, job));
  }
}
