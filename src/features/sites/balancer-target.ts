import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { isTargetRunning } from "../../engine/reconcile/reconcile.ts";
import type { TargetKind, TargetRef } from "../../engine/reconcile/target.ts";
import { findRunOf, type Run } from "../../engine/runs/queries.ts";
import { findProjectForWork, lockProjectForWork } from "../projects/queries.ts";
import { removeLeaving } from "../projects/removal.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { balancerSiteKind } from "../site-records/schema.ts";
import { queueCertificateCheck } from "./certificate-queue.ts";
import { findInstallation, installationSeconds } from "./installation.ts";
import { recordDrift } from "./preparation.ts";
import { balancerPlanOf, balancerSiteOf, touchSite } from "./publish.ts";
import { isNodeBehind } from "./queries.ts";
import { siteSecrets } from "./secrets.ts";

// The site of a project on its load balancer. The nodes are updated first: the balancer must not send a visitor to a node that is
// not ready.

/** How long the load balancer waits for nodes that receive the same change. */
const nodesFirstSeconds = 15;

/** The site of a project on its load balancer. Retried until it succeeds: the nodes already serve the state of the rows. */
export const balancerSiteTarget = (ctx: Pick<Context, "pool" | "queue" | "secrets" | "hooks">): TargetKind => ({
  ...balancerSiteKind,
  desired: desiredBalancerSite,
  secrets: async ({ subjectId }) => ({ files: await siteSecrets(ctx, subjectId), masked: [] }),
  onApplied: async (tx, target, run) => {
    const project = await lockProjectForWork(tx, target.subjectId);
    if (project?.site.load_balancer_id !== target.serverId) return;
    if (run) await recordDrift(tx, run, project.id);
    // It sends no visitor to them any more, unless it is behind the rows again.
    if (target.wantedVersion === (target.runningVersion ?? target.wantedVersion)) await removeLeaving(tx, ctx, project);
    if (project.site.ssl_is_enabled) await queueCertificateCheck(tx, ctx, project.id);
    // Its own server no longer serves the certificate that the load balancer has now.
    if (run && project.placement.is_prepared) await touchSite(tx, ctx, project);
  },
  onFailed: async (tx, target, run) => {
    if (run) await recordDrift(tx, run, target.subjectId);
    return "retry";
  },
});

async function desiredBalancerSite(tx: Db, { subjectId, serverId }: TargetRef) {
  const project = await findProjectForWork(tx, subjectId);
  if (!project || project.site.load_balancer_id !== serverId) return undefined;
  if (await findInstallation(tx, subjectId, serverId)) return { afterSeconds: installationSeconds };
  if (await isNodeBehind(tx, subjectId, nodesFirstSeconds)) return { afterSeconds: nodesFirstSeconds + 1 };
  return balancerPlanOf(project);
}

/** The present run that makes the load balancer follow the project. No other begins before the transaction ends. */
export async function findBalancerRun(tx: PoolClient, project: PlacedProject): Promise<Run | undefined> {
  const target = balancerSiteOf(project);
  if (target && (await isTargetRunning(tx, target))) return findRunOf(tx, balancerSiteKind, project.id);
  return findInstallation(tx, project.id, project.site.front_server_id);
}
