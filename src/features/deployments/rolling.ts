import type { PoolClient } from "pg";
import type { WithQueue } from "../../context.ts";
import type { PlacementRef } from "../placements/schema.ts";
import { findProjectForWork, findProjectOn } from "../projects/queries.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { commitOf, queueDeployment } from "./actions.ts";
import { endQueuedOn } from "./ending/queries.ts";
import { reportEnded } from "./ending.ts";
import { findNextReplica, type NewDeployment } from "./queries.ts";
import { findReleaseOf } from "./releases/queries.ts";
import { type DeploymentRow, monitorOf } from "./schema.ts";

// A project behind a load balancer is deployed to one server after the other: first to its own, and each success continues with
// the next. A failed or cancelled deployment stops there; the remaining servers keep their release. One that ended because its
// server leaves the project does not.

/** In the transaction that stores the end of a deployment: queues the same deployment for the next server. */
export async function continueRolling(
  tx: PoolClient,
  ctx: WithQueue,
  done: DeploymentRow,
  project: PlacedProject,
): Promise<void> {
  if (project.site.load_balancer_id === null) return;
  const { id, project_id: projectId, server_id: serverId, rolling_of: rollingOf } = done;
  if (rollingOf === null && project.placement.role !== "own") return;
  const root = rollingOf ?? id;
  const next = await findNextReplica(tx, { projectId, after: rollingOf === null ? 0 : serverId, root });
  const replica = next && (await findProjectOn(tx, { projectId, serverId: next.server_id }));
  if (!replica) return;
  await queueDeployment(tx, ctx, {
    organizationId: replica.organization_id,
    projectId,
    serverId: replica.placement.server_id,
    initiatedBy: done.initiated_by,
    initiatorType: done.initiator_type,
    monitor: monitorOf(done),
    ...(await modeOn(tx, done, replica)),
    ...commitOf(done),
    rollingOf: root,
    description: `Rolling deployment ${root} on this server`,
  });
}

// A release has a different number on each server: a rollback finds the one of the same commit.
async function modeOn(
  tx: PoolClient,
  { process_type: type, commit_id: commit }: DeploymentRow,
  replica: PlacedProject,
): Promise<Pick<NewDeployment, "processType" | "releaseId">> {
  if (type === "recycle" && replica.placement.live_release_id !== null) {
    return { processType: "recycle", releaseId: replica.placement.live_release_id };
  }
  if (type !== "rollback" || commit === null) return { processType: "deployment" };
  const placement = { projectId: replica.id, serverId: replica.placement.server_id };
  return { processType: "rollback", releaseId: (await findReleaseOf(tx, placement, commit)) ?? null };
}

/** Cancels what is queued for a server from which the project is being removed; the servers after it get it nevertheless. */
export async function cancelQueuedOn(tx: PoolClient, ctx: WithQueue, placement: PlacementRef): Promise<void> {
  const ended = await endQueuedOn(tx, placement);
  await reportEnded(tx, ctx, ended);
  await continuePast(tx, ctx, ended);
}

/** Continues what ended only because its server leaves the project. */
export async function continuePast(tx: PoolClient, ctx: WithQueue, ended: readonly DeploymentRow[]): Promise<void> {
  for (const deployment of ended.filter(({ rolling_of: rollingOf }) => rollingOf !== null)) {
    const project = await findProjectForWork(tx, deployment.project_id);
    if (project) await continueRolling(tx, ctx, deployment, project);
  }
}
