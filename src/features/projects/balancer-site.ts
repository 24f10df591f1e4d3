import { createHash } from "node:crypto";
import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import type { Plan } from "../../engine/plan.ts";
import { findRunOf, isEnded, type Run } from "../../engine/queries.ts";
import { isTargetRunning, touch } from "../../engine/reconcile/reconcile.ts";
import type { TargetRef } from "../../engine/reconcile/target.ts";
import { healthText } from "../../host/nginx/balancer-health.ts";
import { servedName } from "../../host/nginx/names.ts";
import { frontSite } from "./on-server.ts";
import { balancerSitePlan, balancerSiteSteps } from "./plans.ts";
import { findProjectForWork, isNodeBehind, listLeaving } from "./queries.ts";
import { installKind, type ProjectRow } from "./schema.ts";

// The site of a project on its load balancer. The nodes are updated first: the balancer must not send a visitor to a node that is
// not ready.

/** The target's kind; its subject is the project, its server the load balancer. */
export const balancerSiteKind = "balancer-site";

/** How long the load balancer waits for nodes that receive the same change. */
const nodesFirstSeconds = 15;
/** Retry delay of a site that waits for the installation of a certificate. */
export const installationSeconds = 1;

/** Makes the load balancer, if there is one, follow the project's rows, in the transaction that changed them. */
export async function touchBalancerSite(tx: Db, { queue }: Pick<Context, "queue">, projectId: number): Promise<void> {
  const project = await findProjectForWork(tx, projectId);
  const target = project && balancerSiteOf(project);
  if (target) await touch(tx, queue, target);
}

/** Undefined: the project is not behind a load balancer. */
export const balancerSiteOf = ({
  id: subjectId,
  load_balancer_id: serverId,
}: Pick<ProjectRow, "id" | "load_balancer_id">): TargetRef | undefined =>
  serverId === null ? undefined : { kind: balancerSiteKind, subjectId, serverId };

export async function desiredBalancerSite(tx: Db, { subjectId, serverId }: TargetRef) {
  const project = await findProjectForWork(tx, subjectId);
  if (!project || project.load_balancer_id !== serverId) return undefined;
  // The end of a run removes a further server that leaves, even if it never got visitors.
  if (project.balancer_site === balancerFingerprint(project) && (await listLeaving(tx, subjectId)).length === 0)
    return undefined;
  if (await findInstallation(tx, subjectId, serverId)) return { afterSeconds: installationSeconds };
  if (await isNodeBehind(tx, subjectId, nodesFirstSeconds)) return { afterSeconds: nodesFirstSeconds + 1 };
  return planOf(project);
}

/** Identifies the state of a project that its load balancer gets; undefined: it has none. */
export const balancerFingerprint = (project: ProjectRow): string | undefined =>
  project.load_balancer_id === null ? undefined : markOf(planOf(project));

function planOf(project: ProjectRow): Plan {
  const site = frontSite(project);
  return balancerSitePlan(site, healthText(site.layout, servedName(site), project.balance?.nodes ?? []));
}

/** The state that a run sent to the load balancer. */
export const markOf = ({ steps }: Plan): string => {
  const scripts = steps.filter(({ key }) => balancerSiteSteps.includes(key)).map(({ script }) => script);
  return createHash("sha256").update(scripts.join("\0")).digest("base64url").slice(0, 16);
};

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
