import type { PoolClient } from "pg";
import type { WithQueue } from "../../context.ts";
import { wakeDispatches } from "../servers/dispatch.ts";
import { attributeToOwnServers, endOnReplicas } from "./ending/queries.ts";
import { reportEnded } from "./ending.ts";
import { continuePast } from "./rolling.ts";

/**
 * In the transaction that deletes a server, before its row is deleted. A project keeps its deployments on a server that it has
 * left, never came to, or had a replica on. What was for the replica ends, and continues on the servers after it: the project's
 * own server has had it already. What else is queued begins on the project's own server, and a move that has lost its destination
 * is given up there.
 */
export async function keepDeployments(tx: PoolClient, ctx: WithQueue, { id: serverId }: { id: number }): Promise<void> {
  const ended = await endOnReplicas(tx, serverId);
  await reportEnded(tx, ctx, ended);
  await continuePast(tx, ctx, ended);
  const woken = await attributeToOwnServers(tx, serverId);
  await wakeDispatches(
    tx,
    ctx.queue,
    woken.map(({ server_id: id }) => id),
  );
}
