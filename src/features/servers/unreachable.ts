import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { JobHandler } from "../../engine/worker.ts";
import { announce } from "../notifications/actions.ts";
import { findServerForWork } from "./queries.ts";
import { serverStatus } from "./schema.ts";

const queue = "announce-unreachable-server";

/** By then it was checked again: a lost packet is no reason to alert people. */
export const unreachableAfterMinutes = 2;

/** Most machines are back sooner. */
export const rebootedAfterMinutes = 10;

/**
 * Schedules a notification of people, unless the server responds again by then. A flapping server is checked once, not each time.
 */
export const scheduleCheck = (tx: Db, jobs: Context["queue"], serverId: number, minutes: number): Promise<void> =>
  jobs.enqueue(tx, queue, { serverId }, { key: String(serverId), afterSeconds: minutes * 60 });

export const unreachableJob = (ctx: Context): JobHandler => ({
  name: queue,
  policy: "keyed",
  concurrency: 10,
  work: ({ serverId }) => transaction(ctx.pool, (tx) => announceUnreachable(tx, ctx, Number(serverId))),
});

async function announceUnreachable(tx: Db, ctx: Context, serverId: number): Promise<void> {
  const server = await findServerForWork(tx, serverId);
  if (!server || server.connection_status === 1) return;
  // A repeated setup, running or failed, leaves a server that serves projects at status 1.
  if (server.server_status !== serverStatus.provisioned && server.setup_version === null) return;
  await announce(tx, ctx, {
    organizationId: server.organization_id,
    topic: "server.unreachable",
    title: `The server ${server.name} does not answer`,
    text: `${server.name} (${server.public_ip}): ${server.connection_error ?? "It did not answer."}`,
    data: {
      server_id: server.id,
      server_name: server.name,
      public_ip: server.public_ip,
      error: server.connection_error,
    },
  });
}
