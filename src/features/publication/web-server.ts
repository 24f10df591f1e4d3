import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { isTargetRunning, moveTarget, recordApplied } from "../../engine/reconcile/reconcile.ts";
import type { TargetKind, TargetRef } from "../../engine/reconcile/target.ts";
import { outputWithError, type RunReport } from "../../engine/runs/await-run.ts";
import type { SecretFiles } from "../../engine/runs/bundle.ts";
import { findRunOf, listRunSteps, type Run } from "../../engine/runs/queries.ts";
import { projectLayout } from "../../host/layout.ts";
import { findRole, setPrepared } from "../placements/queries.ts";
import type { PlacementRef } from "../placements/schema.ts";
import { balancerFingerprint, markOf, touchBalancerSite } from "../projects/balancer-site.ts";
import { emitUpdated } from "../projects/events.ts";
import { onServer } from "../projects/on-server.ts";
import { fingerprint, preparationFingerprints, publishSitePlan, siteStep } from "../projects/plans.ts";
import { beginPublication, isOutdated, isRefusal, siteOf, touchSite } from "../projects/publication.ts";
import { findProjectForWork, findProjectOn, lockProjectForWork, lockProjectOn } from "../projects/queries.ts";
import { removeLeaving } from "../projects/removal.ts";
import { balancerSiteKind, type ProjectRow, publishKind } from "../projects/schema.ts";
import { findBasicAuth, setBalancerSite, setDrift, setSsl } from "../sites/queries.ts";
import { desiredBalancerSite, findBalancerRun, findInstallation, installationSeconds } from "./balancer-site.ts";
import { reconcileCertificate } from "./certificate-check.ts";
import { acceptDomainChanges, takeBackDomainChanges } from "./domains/changes.ts";

// The site of a project on each of its servers is a target: its run is planned from the rows at its start, and if they have changed
// by its end, another one follows. So the rows win, in any order of requests, also after a server was unreachable.

/**
 * Moves the site's target to another server, where `beginPublication` follows. No run of it begins on the former server after
 * this.
 */
export const moveSite = (tx: PoolClient, project: Pick<ProjectRow, "id" | "server_id">, to: number): Promise<void> =>
  moveTarget(tx, siteOf(project), to);

/** The present run that makes the public web server follow the project. No other begins before the transaction ends. */
export async function findFrontPublication(tx: PoolClient, project: ProjectRow): Promise<Run | undefined> {
  if (project.load_balancer_id !== null) return findBalancerRun(tx, project);
  if (await isTargetRunning(tx, siteOf(project))) return findRunOf(tx, publishKind, project.id, project.server_id);
  return findInstallation(tx, project.id, project.server_id);
}

/** The web server's result of a publication; null while there is none. */
export const serverAnswer = (report: RunReport) =>
  report.outcome === undefined ? null : { ok: report.outcome === "succeeded", system_output: outputWithError(report) };

/** Enables or disables SSL for a locked project; returns the new row. The caller updates the web server. */
export async function switchSsl(tx: PoolClient, project: ProjectRow, isEnabled: boolean): Promise<ProjectRow> {
  if (project.ssl_is_enabled === isEnabled) return project;
  await setSsl(tx, project.id, isEnabled);
  await emitUpdated(tx, project);
  return { ...project, ssl_is_enabled: isEnabled };
}

/** The secrets of a run that publishes a project: the hash of its site's password. */
export const siteSecrets = async (ctx: Pick<Context, "pool" | "secrets">, projectId: number): Promise<SecretFiles> =>
  decryptSiteSecrets(ctx, await findBasicAuth(ctx.pool, projectId));

export const decryptSiteSecrets = ({ secrets }: Pick<Context, "secrets">, hash: Buffer | null): SecretFiles =>
  hash === null ? {} : { "basic-auth": secrets.decrypt(hash) };

// Reports of runs ---------------------------------------------------------------------------------------------------------

/**
 * The site of a project on one of its servers. If nginx rejects it, it is not retried, and the changes of domains that caused it
 * are reverted. The project's own server decides about those.
 */
export const siteTarget = (ctx: Pick<Context, "pool" | "queue" | "secrets">): TargetKind => ({
  ...publishKind,
  desired: desiredSite,
  secrets: async ({ subjectId }) => ({ files: await siteSecrets(ctx, subjectId), masked: [] }),
  onApplied: async (tx, target, run) => {
    if (!run || target.runningVersion === null) return;
    const isOwn = (await findRole(tx, placementOf(target))) === "own";
    if (isOwn) await acceptDomainChanges(tx, run.subject_id, target.runningVersion);
    const isFollowed = await recordPreparation(tx, ctx, run, run.subject_id);
    if (isOwn && !isFollowed) await acceptDomainChanges(tx, run.subject_id);
  },
  onFailed: async (tx, target, run) => {
    // If the rows have changed since, the next run includes the open changes and decides about them.
    if (!run || (await recordPreparation(tx, ctx, run, run.subject_id)) || !isRefusal(run)) return "retry";
    if ((await findRole(tx, placementOf(target))) === "own" && (await takeBackDomainChanges(tx, run))) {
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

/** Whether the server of a placement follows the project's rows. */
const isServing = ({ role }: Pick<ProjectRow, "role">): boolean => role === "own" || role === "replica";

/** In the transaction that stores the end of a run that installed a certificate and published the site with it. */
export async function recordInstallation(tx: PoolClient, ctx: Pick<Context, "queue">, run: Run): Promise<void> {
  const project = await findProjectForWork(tx, run.subject_id);
  if (run.server_id === project?.load_balancer_id) await recordOnBalancer(tx, ctx, run);
  else await recordPreparation(tx, ctx, run, run.subject_id);
}

/**
 * In the transaction that stores the end of a run that prepares or publishes: records the state of the project on the server. If
 * the rows have changed since the run was planned, another run makes the web server follow: then returns true.
 */
export async function recordPreparation(
  tx: PoolClient,
  ctx: Pick<Context, "queue">,
  run: Run,
  projectId: number,
): Promise<boolean> {
  const published = run.plan.steps.find(({ key }) => key === siteStep);
  const prepared = await preparedBy(tx, run);
  // Without a server: it was deleted.
  if (run.server_id === null || (!published && Object.keys(prepared).length === 0)) return false;
  const placement = { projectId, serverId: run.server_id };
  const project = await lockProjectOn(tx, placement);
  if (!project) return false;
  await setPrepared(tx, placement, prepared, siteStep);
  await recordDrift(tx, run, projectId);
  const isPrepared = project.is_prepared || siteStep in prepared;
  if (!published || !isPrepared || !isServing(project)) return false;
  // For the whole preparation, since the project's next deployment asks for it.
  const wanted = preparationFingerprints(onServer(project, project.has_environment));
  const isFollowed = wanted[siteStep] !== fingerprint(published);
  if (isFollowed) await (project.role === "own" ? beginPublication : touchSite)(tx, ctx, project);
  else if (project.balance) await touchBalancerSite(tx, ctx, projectId);
  else if (project.ssl_is_enabled) await reconcileCertificate(tx, ctx, projectId);
  if (prepared[siteStep] === wanted[siteStep]) await recordApplied(tx, siteOf(project));
  return isFollowed;
}

/** The site of a project on its load balancer. Retried until it succeeds: the nodes already serve the state of the rows. */
export const balancerSiteTarget = (ctx: Pick<Context, "pool" | "queue" | "secrets">): TargetKind => ({
  ...balancerSiteKind,
  desired: desiredBalancerSite,
  secrets: async ({ subjectId }) => ({ files: await siteSecrets(ctx, subjectId), masked: [] }),
  onApplied: async (tx, _, run) => {
    if (run) await recordOnBalancer(tx, ctx, run, markOf(run.plan));
  },
  onFailed: async (tx, _, run) => {
    if (run) await recordOnBalancer(tx, ctx, run);
    return "retry";
  },
});

/**
 * In the transaction that stores the end of a run that updated a load balancer for a project; `published` is the fingerprint of
 * its present state.
 */
async function recordOnBalancer(
  tx: PoolClient,
  ctx: Pick<Context, "queue">,
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

/** The manual change that the publication found. */
async function recordDrift(tx: PoolClient, run: Run, projectId: number): Promise<void> {
  const { web_server_drift: found } = run.facts;
  if (found === undefined) return;
  const project = await lockProjectForWork(tx, projectId);
  if (!project) return;
  const { siteAvailable: file } = projectLayout(projectId);
  await setDrift(tx, projectId, { serverId: run.server_id, file, kept_as: found === "removed" ? null : found });
  await emitUpdated(tx, project);
}

/** The completed steps of a project's preparation, with their fingerprints. */
export async function preparedBy(tx: PoolClient, run: Run): Promise<Record<string, string>> {
  if (run.plan.steps.every((step) => step.phase !== "prepare")) return {};
  const completed = (await listRunSteps(tx, run.id)).filter((step) => step.status === "completed");
  return Object.fromEntries(
    completed.flatMap(({ position }) => {
      const step = run.plan.steps[position];
      return step?.phase === "prepare" ? [[step.key, fingerprint(step)]] : [];
    }),
  );
}
