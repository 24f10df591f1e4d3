import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { JobHandler } from "../../engine/queue/worker.ts";
import { announce } from "../notifications/actions.ts";
import { wasSetUp } from "./capabilities.ts";
import { findServerForWork } from "./queries.ts";

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
  work: ({ serverId }) =>
    transaction(ctx.pool, async (tx) => {
      const server = await findServerForWork(tx, Number(serverId));
      if (!server || server.connection_status === 1) return;
      // A repeated setup, running or failed, leaves a server that serves projects at status 1.
      if (!wasSetUp(server)) return;
      const { id, organization_id: organizationId, name, public_ip, connection_error: error } = server;
      await announce(tx, ctx, {
        organizationId,
        topic: "server.unreachable",
        title: `The server ${name} does not answer`,
        text: `${name} (${public_ip}): ${error ?? "It did not answer."}`,
        data: { server_id: id, server_name: name, public_ip, error },
      });
    }),
});
