import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { awaitRun, outputWithError, type RunReport } from "../../engine/await-run.ts";
import type { SecretFiles } from "../../engine/bundle.ts";
import type { Outcome } from "../../engine/journal.ts";
import type { Plan } from "../../engine/plan.ts";
import { findRunOf, isEnded, listRunSteps, type Run } from "../../engine/queries.ts";
import { findTarget } from "../../engine/reconcile/queries.ts";
import { awaitApplied } from "../../engine/reconcile/reconcile.ts";
import type { TargetKind } from "../../engine/reconcile/target.ts";
import { createRun } from "../../engine/runs.ts";
import { projectLayout } from "../../host/layout.ts";
import type { RequestContext } from "../../http/route.ts";
import { notFound } from "../../lib/errors.ts";
import {
  balancerFingerprint,
  balancerSiteKind,
  balancerSiteOf,
  desiredBalancerSite,
  findBalancerRun,
  markOf,
  touchBalancerSite,
} from "./balancer-site.ts";
import { projectCapabilities } from "./capabilities.ts";
import { acceptDomainChanges, takeBackDomainChanges } from "./domains/changes.ts";
import { assignDomainChanges } from "./domains/queries.ts";
import { emitUpdated } from "./events.ts";
import { onServer } from "./on-server.ts";
import { fingerprint, preparationFingerprints, publishSitePlan, siteFingerprint, siteStep } from "./plans.ts";
import {
  findBasicAuth,
  findProjectForWork,
  listReplicas,
  lockProject,
  lockProjectForWork,
  setBalancerSite,
  setDrift,
  setPrepared,
  takeOver,
} from "./queries.ts";
import { removeReplicas } from "./removal.ts";
import { installKind, type ProjectRow, publishKind } from "./schema.ts";
import { setSsl } from "./settings/queries.ts";

// Updates of the web server for a project outside of a deployment. For each project one run at a time does so, made from
// the rows as they are then; when they have moved on by its end, another one follows. So the rows win, in any order of
// requests, and also when a server was away.

/** The queue whose jobs order the certificate that a project's names need; the certificates feature works on it. */
export const certificateQueue = "reconcile-certificate";

type Waiting = Pick<RequestContext, "config" | "pool" | "queue" | "listener" | "signal">;

/** How long a request waits for a server. */
export const patience = ({ config }: Pick<Context, "config">): number => config.answerWithinSeconds * 1_000;

/** A publication that was begun, or found under way. */
export interface Begun {
  projectId: number;
  runId: number;
  /** Whether the run applies the present rows; otherwise another one follows it. */
  isCurrent: boolean;
}

/**
 * Makes the web server follow the project's rows, in the transaction that changed them: `project` is the row as it is
 * there, locked. `followPublication` waits for the server's answer.
 */
export async function beginPublication(
  tx: PoolClient,
  ctx: Pick<Context, "queue">,
  project: ProjectRow,
): Promise<Begun> {
  if (project.load_balancer_id !== null) await touchOthers(tx, ctx, project);
  return beginOnServer(tx, ctx, project);
}

// The load balancer follows when the nodes have.
async function touchOthers(tx: PoolClient, ctx: Pick<Context, "queue">, project: ProjectRow): Promise<void> {
  await takeOver(tx, [project.id]);
  for (const replica of await listReplicas(tx, project.id)) {
    if (replica.is_prepared && isOutdated(replica)) await beginOnServer(tx, ctx, replica);
  }
  await touchBalancerSite(tx, ctx, project.id);
}

/** Whether a project's own server does not have the present state of the rows. */
const isOutdated = (project: ProjectRow): boolean => project.prepared[siteStep] !== ownFingerprint(project);

async function beginOnServer(tx: PoolClient, ctx: Pick<Context, "queue">, project: ProjectRow): Promise<Begun> {
  const { id: projectId, server_id: serverId } = project;
  const plan = publishSitePlan(onServer(project, false).site);
  const active = await findPublication(tx, project);
  if (active) return { projectId, runId: active.id, isCurrent: siteOf(active.plan) === siteOf(plan) };
  const runId = await createRun(tx, ctx.queue, { serverId, kind: publishKind, subjectId: projectId, plan });
  await assignDomainChanges(tx, projectId, runId);
  return { projectId, runId, isCurrent: true };
}

/** The run that makes the web server that visitors reach follow the project now. */
export const findFrontPublication = (tx: PoolClient, project: ProjectRow): Promise<Run | undefined> =>
  project.load_balancer_id === null ? findPublication(tx, project) : findBalancerRun(tx, project);

/** The run that makes the project's own web server follow it now: for each project one run at a time does so. */
async function findPublication(tx: PoolClient, project: ProjectRow): Promise<Run | undefined> {
  for (const kind of [publishKind, installKind]) {
    const last = await findRunOf(tx, kind, project.id);
    if (last && !isEnded(last) && last.server_id === project.server_id) return last;
  }
  return undefined;
}

/** The result of a publication: at its end, or without an outcome after `timeoutMs`. It continues in any case. */
export async function followPublication(
  ctx: Waiting,
  begun: Begun,
  timeoutMs: number = patience(ctx),
): Promise<RunReport> {
  const deadline = performance.now() + timeoutMs;
  for (let current = begun; ; current = await takeUp(ctx, current)) {
    const left = { timeoutMs: deadline - performance.now(), signal: ctx.signal };
    const report = await awaitRun(ctx, current.runId, left);
    if (report.outcome === undefined) return report;
    if (current.isCurrent)
      return report.outcome === "succeeded" ? awaitBalancer(ctx, current, report, deadline) : report;
  }
}

// The server that visitors reach decides: a load balancer follows its nodes.
async function awaitBalancer(ctx: Waiting, { projectId }: Begun, own: RunReport, deadline: number): Promise<RunReport> {
  const project = await findProjectForWork(ctx.pool, projectId);
  const target = project && balancerSiteOf(project);
  const wanted = target && (await findTarget(ctx.pool, target));
  if (!wanted) return own;
  const left = { timeoutMs: deadline - performance.now(), signal: ctx.signal };
  const { state, error, output } = await awaitApplied(ctx, { ...wanted, version: wanted.wantedVersion }, left);
  if (state === "applied") return own;
  const last = await findRunOf(ctx.pool, balancerSiteKind, projectId);
  // A load balancer that is away is waited for.
  return error !== null && last && isRefusal(last)
    ? { outcome: "failed", error, output }
    : { ...own, outcome: undefined };
}

/** Whether the server itself reported the failure, rather than being out of reach. */
const isRefusal = ({ state, journal_offset }: Run): boolean => state === "failed" && journal_offset > 0;

/** The publication after one that has ended: one that did so meanwhile and is up to date, one under way, or a new one. */
export const takeUp = (ctx: Waiting, { projectId, runId }: Begun): Promise<Begun> =>
  transaction(ctx.pool, async (tx) => {
    const project = await lockProjectForWork(tx, projectId);
    if (!project) throw notFound("The project");
    const last = await findRunOf(tx, publishKind, projectId);
    const isDone = last !== undefined && last.id > runId && siteOf(last.plan) === ownFingerprint(project);
    return isDone ? { projectId, runId: last.id, isCurrent: true } : beginPublication(tx, ctx, project);
  });

/** Distinguishes two states of a project by what the web server gets of them. */
const ownFingerprint = (project: ProjectRow): string => siteFingerprint(onServer(project, false).site);

/** Distinguishes two states of a project by what any web server gets of them. */
export const servedFingerprint = (project: ProjectRow): string =>
  `${ownFingerprint(project)} ${balancerFingerprint(project) ?? ""}`;

function siteOf(plan: Plan): string | undefined {
  const step = plan.steps.find((each) => each.key === siteStep);
  return step && fingerprint(step);
}

/** The web server's answer to a publication; null while there is none. */
export const serverAnswer = (report: RunReport) =>
  report.outcome === undefined ? null : { ok: report.outcome === "succeeded", system_output: outputWithError(report) };

/** Enables SSL for a project that is locked, or disables it; the row as it is then. The web server is updated elsewhere. */
export async function switchSsl(tx: PoolClient, project: ProjectRow, isEnabled: boolean): Promise<ProjectRow> {
  if (project.ssl_is_enabled === isEnabled) return project;
  await setSsl(tx, project.id, isEnabled);
  await emitUpdated(tx, project);
  return { ...project, ssl_is_enabled: isEnabled };
}

/** A project in the actor's reach whose site is on its server, locked. */
export async function lockPrepared(tx: PoolClient, ctx: RequestContext, id: number): Promise<ProjectRow> {
  const project = await lockProject(tx, ctx.actor, id);
  if (!project) throw notFound("The project");
  if (project.is_prepared) return project;
  throw projectCapabilities.refusal("publish", "not_prepared");
}

/** The secrets of a run that publishes a project: the hash of its site's password. */
export const siteSecrets = async (ctx: Pick<Context, "pool" | "secrets">, projectId: number): Promise<SecretFiles> =>
  openSiteSecrets(ctx, await findBasicAuth(ctx.pool, projectId));

export const openSiteSecrets = ({ secrets }: Pick<Context, "secrets">, hash: Buffer | null): SecretFiles =>
  hash === null ? {} : { "basic-auth": secrets.decrypt(hash) };

// Reports of runs ---------------------------------------------------------------------------------------------------------

/** In the transaction that stores the end of a publication: what came of the changes of domains that it took along. */
export async function recordPublication(
  tx: PoolClient,
  ctx: Pick<Context, "queue">,
  run: Run,
  outcome: Outcome | "stalled",
): Promise<void> {
  const projectId = run.subject_id;
  const balancerId = (await findProjectForWork(tx, projectId))?.load_balancer_id ?? undefined;
  if (run.server_id === balancerId) return recordOnBalancer(tx, ctx, run);
  if (outcome === "succeeded") await acceptDomainChanges(tx, projectId, run.id);
  const isFollowed = await recordPreparation(tx, ctx, run, projectId);
  // Another publication takes the open changes along, and decides.
  if (isFollowed) return;
  if (outcome === "succeeded") await acceptDomainChanges(tx, projectId);
  // Never sent, or never reported on: the server may not refuse it.
  if (isRefusal(run)) await takeBackDomainChanges(tx, run);
}

/**
 * In the transaction that stores the end of a run that prepares or publishes: records the state of the project on the server
 * now. When the rows have moved on since the run was planned, another run makes the web server follow: true then.
 */
export async function recordPreparation(
  tx: PoolClient,
  ctx: Pick<Context, "queue">,
  run: Run,
  projectId: number,
): Promise<boolean> {
  const published = siteOf(run.plan);
  const prepared = await preparedBy(tx, run);
  if (Object.keys(prepared).length > 0)
    await setPrepared(tx, { projectId, serverId: run.server_id }, prepared, siteStep);
  await recordDrift(tx, run, projectId);
  if (published === undefined) return false;
  const project = await lockProjectForWork(tx, projectId);
  if (!project?.is_prepared || project.server_id !== run.server_id) return false;
  // For the whole preparation, since the project's next deployment asks for it.
  const wanted = preparationFingerprints(onServer(project, project.has_environment));
  const isFollowed = wanted[siteStep] !== published;
  if (isFollowed) await beginPublication(tx, ctx, project);
  else if (project.balance) await touchBalancerSite(tx, ctx, project.balance.project_id);
  else if (project.ssl_is_enabled) await reconcileCertificate(tx, ctx, projectId);
  return isFollowed;
}

/** The site of a project on its load balancer. Retried until it is there: the nodes serve what the rows say already. */
export const balancerSiteTarget = (ctx: Pick<Context, "pool" | "queue" | "secrets">): TargetKind => ({
  kind: balancerSiteKind,
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
 * what it has now.
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
  if (published === balancerFingerprint(project)) await removeReplicas(tx, ctx, project, "leaving");
  else if (run.kind !== balancerSiteKind || published !== undefined) await touchBalancerSite(tx, ctx, project.id);
  if (project.ssl_is_enabled) await reconcileCertificate(tx, ctx, project.id);
  // Its own server shows no certificate any more that the load balancer has now.
  if (project.is_prepared && isOutdated(project)) await beginOnServer(tx, ctx, project);
}

/** Enqueues the check whether the project has the certificate that its names need; it starts when the transaction commits. */
export const reconcileCertificate = (tx: Db, { queue }: Pick<Context, "queue">, projectId: number): Promise<void> =>
  queue.enqueue(tx, certificateQueue, { projectId }, { key: String(projectId) });

/** The manual change that the publication found. */
async function recordDrift(tx: PoolClient, run: Run, projectId: number): Promise<void> {
  const { web_server_drift: found } = run.facts;
  if (found === undefined) return;
  const drift = { file: projectLayout(projectId).siteAvailable, kept_as: found === "removed" ? null : found };
  const changed = await setDrift(tx, projectId, drift);
  if (changed) await emitUpdated(tx, changed);
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
