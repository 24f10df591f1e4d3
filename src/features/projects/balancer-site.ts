import { createHash } from "node:crypto";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { touch } from "../../engine/reconcile/reconcile.ts";
import type { TargetRef } from "../../engine/reconcile/target.ts";
import type { Plan } from "../../engine/runs/plan.ts";
import { healthText } from "../../host/nginx/balancer-health.ts";
import { servedName } from "../../host/nginx/names.ts";
import { frontSite } from "./on-server.ts";
import { balancerSitePlan, balancerSiteSteps } from "./plans.ts";
import { findProjectForWork } from "./queries.ts";
import { balancerSiteKind, type ProjectRow } from "./schema.ts";

// Asks for the site of a project on its load balancer. The publication feature makes the load balancer follow.

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
  serverId === null ? undefined : { ...balancerSiteKind, subjectId, serverId };

/** Identifies the state of a project that its load balancer gets; undefined: it has none. */
export const balancerFingerprint = (project: ProjectRow): string | undefined =>
  project.load_balancer_id === null ? undefined : markOf(balancerPlanOf(project));

/** The plan of the run that puts the project's present site on its load balancer. */
export function balancerPlanOf(project: ProjectRow): Plan {
  const site = frontSite(project);
  return balancerSitePlan(site, healthText(site.layout, servedName(site), project.balance?.nodes ?? []));
}

/** The state that a run sent to the load balancer. */
export const markOf = ({ steps }: Plan): string => {
  const scripts = steps.filter(({ key }) => balancerSiteSteps.includes(key)).map(({ script }) => script);
  return createHash("sha256").update(scripts.join("\0")).digest("base64url").slice(0, 16);
};
