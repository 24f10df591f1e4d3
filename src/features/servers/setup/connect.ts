import type { Context } from "../../../context.ts";
import type { Db } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { emitEvent } from "../../../engine/events.ts";
import type { JobHandler } from "../../../engine/queue/worker.ts";
import type { DueRows } from "../../../engine/schedule/schedule.ts";
import { claimFirstConnections, type FirstConnection, setNextConnection } from "../connecting/queries.ts";
import { failureOf, recordConnectionCheck } from "../connection-checks.ts";
import { findServerForWork, type ServerForWork } from "../queries.ts";
import { patienceMinutes, serverStatus } from "../schema.ts";
import { beginSetup } from "./run.ts";

const connectEveryMs = 2_000;
const connectedAtOnce = 500;
const connectPauseSeconds = 1;

// Owners authorize the key minutes or hours after they added a server: an attempt occupies a slot, the time in between does not.
export const connectSchedule = (ctx: Context): DueRows<FirstConnection> => ({
  name: "connect-servers",
  everyMs: connectEveryMs,
  batch: 100,
  concurrency: connectedAtOnce,
  claim: claimFirstConnections,
  work: async (claimed) => {
    const isOver = await connectServer(ctx, claimed.id);
    await setNextConnection(ctx.pool, claimed, isOver ? null : connectPauseSeconds);
  },
});

/** Begins the setup of a server that accepts the connection; returns whether the attempts are over. */
async function connectServer(ctx: Context, serverId: number): Promise<boolean> {
  const server = await findServerForWork(ctx.pool, serverId);
  if (!server || server.server_status !== serverStatus.installing) return true;
  if (hasStoppedConnecting(ctx, server)) {
    const last = server.connection_error ?? "It did not answer.";
    const hours = ctx.config.abandonAfterHours;
    const error = `${last} The attempts ended after ${hours} hours: retry the setup.`;
    await recordConnectionCheck(ctx, server.id, { error, problem: server.connection_problem });
    return true;
  }
  try {
    await beginSetup(ctx, server, await ctx.hosts.get(serverId));
    return true;
  } catch (error) {
    await recordConnectionCheck(ctx, serverId, failureOf(error));
    return false;
  }
}

const lookQueue = "look-at-first-connection";

/** Looks at a server that is being connected to when it begins to need attention: nothing in its row changes then. */
export const scheduleLook = (tx: Db, jobs: Context["queue"], serverId: number): Promise<void> =>
  jobs.enqueue(tx, lookQueue, { serverId }, { key: String(serverId), afterSeconds: patienceMinutes * 60 });

export const lookJob = ({ pool }: Context): JobHandler => ({
  name: lookQueue,
  policy: "keyed",
  concurrency: 10,
  work: ({ serverId }) =>
    transaction(pool, async (tx) => {
      const server = await findServerForWork(tx, Number(serverId));
      if (server?.server_status !== serverStatus.installing) return;
      const { id, organization_id: organizationId } = server;
      await emitEvent(tx, { organizationId, serverId: id, name: "attention.updated", data: { noun: "server", id } });
    }),
});

/** Whether the attempts at a server's first connection were abandoned. */
export const hasStoppedConnecting = ({ config }: Pick<Context, "config">, server: ServerForWork): boolean =>
  Date.now() - Date.parse(server.connecting_since) > config.abandonAfterHours * 3600_000;
