import type { PoolClient } from "pg";
import { type Event, emitEvent, emitEvents } from "../../engine/events.ts";
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
export const emitDeployment = (tx: PoolClient, deployment: ChangedDeployment): Promise<void> =>
  emitEvent(tx, updated(deployment));

export const emitDeployments = (tx: PoolClient, deployments: readonly ChangedDeployment[]): Promise<void> =>
  emitEvents(tx, deployments.map(updated));

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
