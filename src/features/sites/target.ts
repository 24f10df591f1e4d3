import type { PoolClient } from "pg";
import type { Context, WithQueue } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { isTargetRunning, moveTarget } from "../../engine/reconcile/reconcile.ts";
import type { TargetKind, TargetRef } from "../../engine/reconcile/target.ts";
import { findRunOf, type Run } from "../../engine/runs/queries.ts";
import { findRole } from "../placements/queries.ts";
import type { PlacementRef } from "../placements/schema.ts";
import { onServer } from "../projects/on-server.ts";
import { findProjectOn, lockProjectForWork, lockProjectOn } from "../projects/queries.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { publishKind } from "../site-records/schema.ts";
import { findBalancerRun } from "./balancer-target.ts";
import { queueCertificateCheck } from "./certificate-queue.ts";
import { acceptSiteChanges, takeBackSiteChanges } from "./domains/changes.ts";
import { findInstallation, installationSeconds } from "./installation.ts";
import { publishSitePlan } from "./plans.ts";
import { isServing, recordDrift, recordSite } from "./preparation.ts";
import { beginPublication, isRefusal, siteOf, touchBalancerSite, touchSite } from "./publish.ts";
import { siteSecrets } from "./secrets.ts";

// The site of a project on each of its servers is a target: its run is planned from the rows at its start, and if they have changed
// by its end, another one follows. So the rows win, in any order of requests, also after a server was unreachable.

/**
 * The site of a project on one of its servers. If nginx rejects it, it is not retried, and the changes of the site that caused it
 * are reverted. The project's own server decides about those.
 */
export const siteTarget = (ctx: Pick<Context, "pool" | "queue" | "secrets">): TargetKind => ({
  ...publishKind,
  desired: desiredSite,
  secrets: async ({ subjectId }) => ({ files: await siteSecrets(ctx, subjectId), masked: [] }),
  onApplied: async (tx, target, run) => {
    const project = await lockProjectOn(tx, placementOf(target));
    if (!project || !isServing(project)) return;
    if (run) await recordSite(tx, run, project.id);
    if (project.placement.role === "own")
      await acceptSiteChanges(tx, project.id, target.runningVersion ?? target.wantedVersion);
    if (project.site.balance) await touchBalancerSite(tx, ctx, project.id);
    else if (project.site.ssl_is_enabled) await queueCertificateCheck(tx, ctx, project.id);
  },
  onFailed: async (tx, target, run) => {
    if (!run) return "retry";
    await recordSite(tx, run, run.subject_id);
    // If the rows have changed since, the next run includes the open changes and decides about them.
    if (target.wantedVersion !== target.runningVersion || !isRefusal(run)) return "retry";
    if ((await findRole(tx, placementOf(target))) === "own" && (await takeBackSiteChanges(tx, run))) {
      const project = await lockProjectForWork(tx, run.subject_id);
      if (project) await beginPublication(tx, ctx, project);
    }
    return "stop";
  },
});

const placementOf = ({ subjectId: projectId, serverId }: TargetRef): PlacementRef => ({ projectId, serverId });

async function desiredSite(tx: Db, target: TargetRef) {
  const project = await findProjectOn(tx, placementOf(target));
  if (!project || !isServing(project)) return undefined;
  if (await findInstallation(tx, target.subjectId, target.serverId)) return { afterSeconds: installationSeconds };
  return publishSitePlan(onServer(project, false).site);
}

/**
 * Moves the site's target to another server, where `beginPublication` follows. No run of it begins on the former server after
 * this.
 */
export const moveSite = (tx: PoolClient, project: PlacedProject, to: number): Promise<void> =>
  moveTarget(tx, siteOf(project), to);

/** The present run that makes the public web server follow the project. No other begins before the transaction ends. */
export async function findPublicSiteRun(tx: PoolClient, project: PlacedProject): Promise<Run | undefined> {
  if (project.site.load_balancer_id !== null) return findBalancerRun(tx, project);
  if (await isTargetRunning(tx, siteOf(project)))
    return findRunOf(tx, publishKind, project.id, project.placement.server_id);
  return findInstallation(tx, project.id, project.placement.server_id);
}

/** In the transaction that stores the end of a run that installed a certificate and published the site with it. */
export async function recordInstallation(tx: PoolClient, ctx: WithQueue, run: Run): Promise<void> {
  const project = await lockProjectForWork(tx, run.subject_id);
  if (!project) return;
  await recordDrift(tx, run, project.id);
  if (run.server_id === project.site.load_balancer_id) await touchBalancerSite(tx, ctx, project.id);
  else if (run.server_id === project.placement.server_id && project.placement.is_prepared)
    await touchSite(tx, ctx, project);
}
