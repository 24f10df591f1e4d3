import type { PoolClient } from "pg";
import type { WithQueue } from "../../context.ts";
import { pipelined } from "../../db/transaction.ts";
import { type Event, emitEvents } from "../../engine/events.ts";
import { showAtHosts } from "./commit-statuses/target.ts";
import type { DeploymentRow } from "./schema.ts";

type ChangedDeployment = Pick<DeploymentRow, "id" | "organization_id" | "project_id" | "server_id" | "status">;

const eventOf = (name: string, { id, organization_id, project_id, server_id, status }: ChangedDeployment): Event => ({
  organizationId: organization_id,
  serverId: server_id,
  projectId: project_id,
  name,
  data: { id, project_id, status },
});

const updated = (deployment: ChangedDeployment): Event => eventOf("deployment.updated", deployment);

/** A deployment is new or changed its status. */
export const emitDeployment = (tx: PoolClient, ctx: WithQueue, deployment: ChangedDeployment): Promise<void> =>
  emitDeployments(tx, ctx, [deployment]);

/** The same of several: with their events, and at their git hosts. */
export async function emitDeployments(
  tx: PoolClient,
  ctx: WithQueue,
  deployments: readonly ChangedDeployment[],
): Promise<void> {
  const ids = deployments.map(({ id }) => id);
  await pipelined(emitEvents(tx, deployments.map(updated)), showAtHosts(tx, ctx, ids));
}

export interface GrownLog {
  deployment: ChangedDeployment;
  /** The offset for further reading; undefined if nothing was printed. */
  offset: number | undefined;
}

/** Steps of deployments began or ended, or their logs grew. */
export const emitLogs = (tx: PoolClient, grown: readonly GrownLog[]): Promise<void> =>
  emitEvents(tx, grown.map(logEvent));

function logEvent({ deployment, offset }: GrownLog): Event {
  const event = eventOf("deployment.log", deployment);
  return offset === undefined ? event : { ...event, data: { ...event.data, offset } };
}
