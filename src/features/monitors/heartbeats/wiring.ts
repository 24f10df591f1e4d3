import type { PoolClient } from "pg";
import { installationUrl } from "../../../config.ts";
import type { Context } from "../../../context.ts";
import { transaction } from "../../../db/transaction.ts";
import { reportDigest, setJobReport } from "../../jobs/server.ts";
import { findHeartbeatOfJob, listWiring } from "./queries.ts";
import { pingUrlOf } from "./schema.ts";

type Wiring = Pick<Context, "config" | "queue" | "secrets">;

/** The address of a heartbeat, from its stored token. */
export const pingUrl = ({ config, secrets }: Pick<Context, "config" | "secrets">, token: Uint8Array): string =>
  pingUrlOf(installationUrl(config), secrets.decrypt(token));

/** Has a job report to its heartbeat, or to nothing when it has none, in the transaction that made or deleted that. */
export async function wireJob(tx: PoolClient, ctx: Wiring, job: { id: number; projectId: number }): Promise<void> {
  const heartbeat = await findHeartbeatOfJob(tx, job.id);
  const url = heartbeat && pingUrl(ctx, heartbeat.ping_token);
  await setJobReport(tx, ctx, { id: job.id, project_id: job.projectId }, url);
}

/** Rewires the jobs whose servers were given another address: that of the installation has changed. */
export async function rewireJobs(ctx: Wiring & Pick<Context, "pool">, signal: AbortSignal): Promise<void> {
  for (const wired of await listWiring(ctx.pool)) {
    if (signal.aborted) return;
    if (wired.report_digest === reportDigest(pingUrl(ctx, wired.ping_token))) continue;
    const job = { id: wired.job_id, projectId: wired.project_id };
    await transaction(ctx.pool, (tx) => wireJob(tx, ctx, job));
  }
}
