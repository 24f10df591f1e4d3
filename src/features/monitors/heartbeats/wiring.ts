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

/** Makes a job report to its heartbeat, or not at all without one, in the transaction that made or deleted the heartbeat. */
export async function wireJob(tx: PoolClient, ctx: Wiring, job: { id: number; projectId: number }): Promise<void> {
  const heartbeat = await findHeartbeatOfJob(tx, job.id);
  const url = heartbeat && pingUrl(ctx, heartbeat.ping_token);
  await setJobReport(tx, ctx, { id: job.id, project_id: job.projectId }, url);
}

/** Rewires the jobs whose servers have an outdated address, after the address of the installation changed. */
export async function rewireJobs(ctx: Wiring & Pick<Context, "pool">, signal: AbortSignal): Promise<void> {
  for (const wired of await listWiring(ctx.pool)) {
    if (signal.aborted) return;
    if (wired.report_digest === reportDigest(pingUrl(ctx, wired.ping_token))) continue;
    const job = { id: wired.job_id, projectId: wired.project_id };
    await transaction(ctx.pool, (tx) => wireJob(tx, ctx, job));
  }
}
