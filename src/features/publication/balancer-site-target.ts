import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { isTargetRunning } from "../../engine/reconcile/reconcile.ts";
import type { TargetKind, TargetRef } from "../../engine/reconcile/target.ts";
import { findRunOf, type Run } from "../../engine/runs/queries.ts";
import type { WithHooks } from "../../lib/hooks.ts";
import { findProjectForWork, lockProjectForWork } from "../projects/queries.ts";
import { listLeaving, removeLeaving } from "../projects/removal.ts";
import { balancerSiteKind, type ProjectRow } from "../projects/schema.ts";
import {
  balancerFingerprint,
  balancerPlanOf,
  balancerSiteOf,
  isOutdated,
  markOf,
  touchBalancerSite,
  touchSite,
} from "../projects/site-targets.ts";
import { setBalancerSite } from "../sites/queries.ts";
import { reconcileCertificate } from "./certificate-check.ts";
import { findInstallation, installationSeconds } from "./installation.ts";
import { recordDrift } from "./preparation.ts";
import { isNodeBehind } from "./queries.ts";
import { siteSecrets } from "./site-secrets.ts";

// The site of a project on its load balancer. The nodes are updated first: the balancer must not send a visitor to a node that is
// not ready.

/** How long the load balancer waits for nodes that receive the same change. */
const nodesFirstSeconds = 15;

/** The site of a project on its load balancer. Retried until it succeeds: the nodes already serve the state of the rows. */
export const balancerSiteTarget = (ctx: Pick<Context, "pool" | "queue" | "secrets" | "hooks">): TargetKind => ({
  ...balancerSiteKind,
  desired: (tx, target) => desiredBalancerSite(tx, ctx, target),
  secrets: async ({ subjectId }) => ({ files: await siteSecrets(ctx, subjectId), masked: [] }),
  onApplied: async (tx, _, run) => {
    if (run) await recordOnBalancer(tx, ctx, run, markOf(run.plan));
  },
  onFailed: async (tx, _, run) => {
    if (run) await recordOnBalancer(tx, ctx, run);
    return "retry";
  },
});

async function desiredBalancerSite(tx: Db, ctx: WithHooks, { subjectId, serverId }: TargetRef) {
  const project = await findProjectForWork(tx, subjectId);
  if (!project || project.load_balancer_id !== serverId) return undefined;
  // The end of a run removes a further server that leaves, even if it never got visitors.
  if (project.balancer_site === balancerFingerprint(project) && (await listLeaving(tx, ctx, subjectId)).length === 0)
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
 * In the transaction that stores the end of a run that updated a load balancer for a project; `published` is the fingerprint of
 * its present state.
 */
export async function recordOnBalancer(
  tx: PoolClient,
  ctx: Pick<Context, "queue" | "hooks">,
  run: Run,
  published?: string,
): Promise<void> {
  const project = await lockProjectForWork(tx, run.subject_id);
  if (!project || project.load_balancer_id !== run.server_id) return;
  await recordDrift(tx, run, project.id);
  if (published !== undefined) await setBalancerSite(tx, project.id, published);
  if (published === balancerFingerprint(project)) await removeLeaving(tx, ctx, project);
  else if (run.kind !== balancerSiteKind.kind || published !== undefined) await touchBalancerSite(tx, ctx, project.id);
  if (project.ssl_is_enabled) await reconcileCertificate(tx, ctx, project.id);
  // Its own server no longer serves the certificate that the load balancer has now.
  if (project.is_prepared && isOutdated(project)) await touchSite(tx, ctx, project);
}
