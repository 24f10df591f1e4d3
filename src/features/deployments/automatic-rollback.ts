import type { PoolClient } from "pg";
import type { WithQueue } from "../../context.ts";
import { lockProjectForWork } from "../projects/queries.ts";
import { queueDeployment, rollbackTo } from "./actions.ts";
import { hasUnended } from "./queries.ts";
import { findPredecessor, isTakenBack } from "./releases/queries.ts";
import type { MonitorRef } from "./schema.ts";

/** The outcome of an automatic rollback: the rollback that was queued, or why there is none. */
export type AutomaticRollback =
  | { deploymentId: number; targetId: number; refusal?: undefined }
  | { refusal: string; deploymentId?: undefined };

export interface Faulty {
  projectId: number;
  /** The deployment to roll back; for a balanced project the one on its own server, with which it began. */
  deploymentId: number;
  /** The one that went down. */
  monitor: MonitorRef;
}

/**
 * Queues a rollback to the release that was live before a deployment, in the caller's transaction. At most once for each
 * deployment, and only while it is live and no other is queued or running, so that it does not override what users began since.
 */
export async function rollBackAutomatically(
  tx: PoolClient,
  ctx: WithQueue,
  { projectId, deploymentId: faultyId, monitor }: Faulty,
): Promise<AutomaticRollback> {
  const project = await lockProjectForWork(tx, projectId);
  if (!project) return { refusal: "The project is gone." };
  if (await isTakenBack(tx, faultyId))
    return { refusal: `Deployment ${faultyId} was rolled back automatically before.` };
  if (await hasUnended(tx, projectId)) return { refusal: "A deployment of the project is queued or running." };
  if (project.placement.live_deployment_id !== faultyId)
    return { refusal: `Deployment ${faultyId} is not live any more.` };
  const target = await findPredecessor(tx, projectId, faultyId);
  if (!target) return { refusal: "There is no earlier release to roll back to." };
  const deploymentId = await queueDeployment(tx, ctx, {
    ...rollbackTo(project, target),
    initiatedBy: null,
    initiatorType: "monitor",
    monitor,
    takesBack: faultyId,
    description:
      `Automatic rollback of deployment ${faultyId} to deployment ${target.id}: ` +
      `monitor ${monitor.id} (${monitor.name}) is down`,
  });
  return { deploymentId, targetId: target.id };
}
