import type { PoolClient } from "pg";
import type { Db } from "../../db/sql.ts";
import { isTargetRunning } from "../../engine/reconcile/reconcile.ts";
import type { TargetRef } from "../../engine/reconcile/target.ts";
import { findRunOf, isEnded, type Run } from "../../engine/runs/queries.ts";
import { listLeaving } from "../placements/queries.ts";
import { balancerFingerprint, balancerPlanOf, balancerSiteOf } from "../projects/balancer-site.ts";
import { findProjectForWork } from "../projects/queries.ts";
import { balancerSiteKind, type ProjectRow } from "../projects/schema.ts";
import { isNodeBehind } from "./queries.ts";
import { installKind } from "./schema.ts";

// The site of a project on its load balancer. The nodes are updated first: the balancer must not send a visitor to a node that is
// not ready.

/** How long the load balancer waits for nodes that receive the same change. */
const nodesFirstSeconds = 15;
/** Retry delay of a site that waits for the installation of a certificate. */
export const installationSeconds = 1;

export async function desiredBalancerSite(tx: Db, { subjectId, serverId }: TargetRef) {
  const project = await findProjectForWork(tx, subjectId);
  if (!project || project.load_balancer_id !== serverId) return undefined;
  // The end of a run removes a further server that leaves, even if it never got visitors.
  if (project.balancer_site === balancerFingerprint(project) && (await listLeaving(tx, subjectId)).length === 0)
    return undefined;
  if (await findInstallation(tx, subjectId, serverId)) return { afterSeconds: installationSeconds };
  if (await isNodeBehind(tx, subjectId, nodesFirstSeconds)) return { afterSeconds: nodesFirstSeconds + 1 };
  return balancerPlanOf(project);
}

/** The present run that makes the load balancer follow the project. No other begins before the transaction ends. */
export async function findBalancerRun(tx: PoolClient, project: ProjectRow): Promise<Run | undefined> {
  const target = balancerSiteOf(project);
  if (target && (await isTargetRunning(tx, target))) return findRunOf(tx, balancerSiteKind, project.id);
  return findInstallation(tx, project.id, project.front_server_id);
}

/**
 * The present run that installs a certificate on a server. It publishes the site with the certificate before the rows have it.
 */
export async function findInstallation(tx: Db, projectId: number, serverId: number): Promise<Run | undefined> {
  const last = await findRunOf(tx, installKind, projectId);
  return last && !isEnded(last) && last.server_id === serverId ? last : undefined;
}
