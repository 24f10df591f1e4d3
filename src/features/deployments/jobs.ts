import { DatabaseError, type PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import { dispatchQueue, lockDispatch, wakeDispatch, wakeDispatches } from "../../engine/dispatch.ts";
import { deleteOldOutput } from "../../engine/output.ts";
import type { Plan } from "../../engine/plan.ts";
import { findRunOf, isEnded, type Run } from "../../engine/queries.ts";
import { createRun, type Progress, type RunKind, type RunSecrets } from "../../engine/runs.ts";
import type { Chore, JobHandler } from "../../engine/worker.ts";
import { environmentSecrets, valuesIn } from "../../host/environment.ts";
import { commitUrl, type GitSource } from "../../host/git.ts";
import { projectLayout } from "../../host/layout.ts";
import { AppError } from "../../lib/errors.ts";
import { followDeployment, hasProcesses, jobsForDeployment } from "../jobs/server.ts";
import { onServer } from "../projects/on-server.ts";
import { deployKeyKind, deployKeyPlan, outdatedPreparation } from "../projects/plans.ts";
import { findEnvironment, findProjectForWork, setLive } from "../projects/queries.ts";
import type { ProjectRow } from "../projects/schema.ts";
import { recordPreparation, siteSecrets } from "../projects/web-server.ts";
import { gitRoots, repositoryOf } from "../sources/hosts.ts";
import { fetchAddressOf, followSource, holdForKey, recordDeployKey, releaseHold } from "../sources/source.ts";
import { announceEnd } from "./announcements.ts";
import { emitDeployment, emitLogs, type GrownLog } from "./events.ts";
import { offsetInLog } from "./log.ts";
import { beginMove, moveChores, moveRunKinds } from "./moves/jobs.ts";
import { moveKinds } from "./moves/queries.ts";
import { type DeploymentInput, deploymentPlan, installationPlan, recyclePlan, rollbackPlan } from "./plans.ts";
import {
  claimedDeployment,
  endDeployment,
  findDeploymentForWork,
  listDeploymentsForWork,
  listKeptReleases,
  listServersWithQueue,
  listStartable,
  lockedQueued,
  resumedCancelling,
  sendQueuedAfter,
  setCommit,
} from "./queries.ts";
import { carryOn } from "./rolling.ts";
import { type DeploymentRow, deploymentStatus } from "./schema.ts";

export const deploymentKind = "deployment";

/** Besides the live one; decides whether a rollback has to build. */
const keptReleases = 4;
// What began is seen when all of them have: few, so that the first does not wait for the last.
const startedAtOnce = 10;

export const deploymentJobs = (ctx: Context): JobHandler[] => [
  {
    name: dispatchQueue,
    policy: "keyed",
    concurrency: 20,
    work: (data) => dispatch(ctx, Number(data.serverId)),
  },
];

export const deploymentChores = (ctx: Context): Chore[] => [
  { name: "look after queued deployments", everyMs: 30_000, work: () => lookAfterQueues(ctx) },
  ...moveChores(ctx),
  { name: "delete old logs", everyMs: 3_600_000, work: (signal) => deleteOldLogs(ctx, signal) },
];

export const deploymentRunKinds = (ctx: Context): RunKind[] => [
  {
    kind: deploymentKind,
    secrets: (run) => secretsOf(ctx, run),
    onProgress: tellProgress,
    onCancelRefused: async (tx, run) => {
      const deployment = await resumedCancelling(tx, run.subject_id);
      if (deployment) await emitDeployment(tx, deployment);
    },
    onEnded: (tx, run, outcome) => finish(ctx, tx, run, outcome),
  },
  { kind: deployKeyKind, onEnded: (tx, run) => finishKey(ctx, tx, run) },
  ...moveRunKinds(
    ctx,
    {
      sourceOf: (tx, deployment, project) => sourceOf(ctx, tx, deployment, project),
      secretsOf: (run) => secretsOf(ctx, run),
    },
    tellProgress,
  ),
];

// Every queue is looked at now and then, so that nothing waits for ever for a wake-up that was lost.
async function lookAfterQueues(ctx: Context): Promise<void> {
  const servers = await listServersWithQueue(ctx.pool);
  await transaction(ctx.pool, async (tx) => {
    await wakeDispatches(
      tx,
      ctx.queue,
      servers.map((server) => server.server_id),
    );
  });
}

// The records stay; what was printed goes, in pieces that hold up nobody.
async function deleteOldLogs(ctx: Context, signal: AbortSignal): Promise<void> {
  const piecesAtOnce = 1_000;
  for (const kind of [deploymentKind, ...moveKinds]) {
    let deleted = piecesAtOnce;
    while (deleted === piecesAtOnce && !signal.aborted) {
      deleted = await deleteOldOutput(ctx.pool, kind, ctx.config.logRetentionDays, piecesAtOnce);
    }
  }
}

/** Starts what may start on a server: one deployment of a project at a time, in order, within its queue_limit. */
async function dispatch(ctx: Context, serverId: number): Promise<void> {
  const elsewhere = await transaction(ctx.pool, (tx) => startOn(ctx, tx, serverId));
  // Not in that transaction: who holds the queues of two servers has locked them in the order of their ids. Should this be
  // lost with the process, the queue is looked at soon in any case.
  if (elsewhere.length > 0) await transaction(ctx.pool, (tx) => wakeDispatches(tx, ctx.queue, elsewhere));
}

/** Servers whose queues have more now. */
async function startOn(ctx: Context, tx: PoolClient, serverId: number): Promise<number[]> {
  await lockDispatch(tx, serverId);
  const startable = await listStartable(tx, serverId, startedAtOnce);
  const begun: Begun[] = [];
  for (const deployment of startable) begun.push(await begin(ctx, tx, deployment));
  const started = begun.filter((each) => each === true).length;
  // There may be more than was looked at, and what could not be planned leaves its room to the next.
  if (started === startedAtOnce || started < startable.length) await wakeDispatch(tx, ctx.queue, serverId);
  return begun.flatMap((each) => (typeof each === "object" ? [each.sentTo] : []));
}

/** False when it was taken out of the queue, waits, or cannot be planned and has failed. */
type Begun = boolean | { sentTo: number };

async function begin(ctx: Context, tx: PoolClient, deployment: DeploymentRow): Promise<Begun> {
  // Cancelled or deleted since the queue was read, maybe with its project. Who wants to do so from here on finds it running.
  if (!(await lockedQueued(tx, deployment))) return false;
  const project = await findProjectForWork(tx, deployment.project_id);
  if (!project) return false;
  if (deployment.process_type !== "move" && deployment.server_id !== project.server_id) {
    // It was queued in the instant in which the project moved.
    await sendQueuedAfter(tx, project.id, project.server_id);
    return { sentTo: project.server_id };
  }
  if (await waitsForKey(ctx, tx, deployment, project)) return false;
  const begun = await runOrFailure(ctx, tx, deployment, project);
  if (!begun) return false;
  const isClaimed = await claimedDeployment(tx, deployment.id, begun.runId, begun.releaseId);
  // Its row is locked: a bug, after which nothing of this transaction may stay, least of all the run.
  if (!isClaimed) throw new Error(`Deployment ${deployment.id} was claimed by somebody else`);
  await emitDeployment(tx, { ...deployment, status: deploymentStatus.running });
  return true;
}

/** Creates the run of a deployment. What cannot be planned fails, and does not hold up the queue behind it. */
async function runOrFailure(ctx: Context, tx: PoolClient, deployment: DeploymentRow, project: ProjectRow) {
  try {
    return await beginRun(ctx, tx, deployment, project);
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    ctx.log.error({ err: error, deployment: deployment.id }, "a deployment could not be planned");
    const reason =
      error instanceof AppError ? error.message : "Longshore could not plan the deployment; its log says why.";
    const ended = await endDeployment(tx, deployment.id, { status: deploymentStatus.failed, error: reason });
    if (ended) {
      await emitDeployment(tx, ended);
      await announceEnd(tx, ctx, ended);
    }
    return undefined;
  }
}

// A connected account's host has to know the deploy key of the server before anything private can be fetched: the key is
// made in a run of its own, registered, and then the deployment begins.
async function waitsForKey(ctx: Context, tx: PoolClient, deployment: DeploymentRow, project: ProjectRow) {
  // A move brings the key along.
  if (deployment.process_type === "recycle" || deployment.process_type === "move") return false;
  const { server_id: serverId, project_id: projectId, id: deploymentId } = deployment;
  const held = await holdForKey(tx, ctx, { projectId, serverId, deploymentId });
  if (held === "key" && !(await isMakingKey(tx, projectId, serverId))) {
    const plan = deployKeyPlan(projectLayout(project.id));
    await createRun(tx, ctx.queue, { serverId, kind: deployKeyKind, subjectId: projectId, plan });
  }
  return held !== undefined;
}

async function isMakingKey(tx: PoolClient, projectId: number, serverId: number): Promise<boolean> {
  const last = await findRunOf(tx, deployKeyKind, projectId);
  return last !== undefined && !isEnded(last) && last.server_id === serverId;
}

async function beginRun(ctx: Context, tx: PoolClient, deployment: DeploymentRow, project: ProjectRow) {
  const { id: subjectId, server_id: serverId, process_type } = deployment;
  if (process_type === "move") return { runId: await beginMove(ctx, tx, deployment), releaseId: subjectId };
  const { plan, releaseId } = await planFor(ctx, tx, deployment, project);
  return { runId: await createRun(tx, ctx.queue, { serverId, kind: deploymentKind, subjectId, plan }), releaseId };
}

async function planFor(
  ctx: Context,
  tx: PoolClient,
  deployment: DeploymentRow,
  row: ProjectRow,
): Promise<{ plan: Plan; releaseId: number }> {
  const project = onServer(row, (await findEnvironment(tx, row.id)) !== null);
  const restartsJobs = hasProcesses(await jobsForDeployment(tx, row.id));
  const input = { project, deploymentId: deployment.id, restartsJobs };
  const kept = await keptRelease(tx, deployment, row);
  if (deployment.process_type === "recycle" && kept !== undefined) {
    return { plan: recyclePlan({ ...input, releaseId: kept }), releaseId: kept };
  }
  if (deployment.process_type === "rollback" && kept !== undefined) {
    return { plan: rollbackPlan({ ...input, releaseId: kept }), releaseId: kept };
  }
  const source = await sourceOf(ctx, tx, deployment, row);
  return { plan: buildingPlan(row, { ...input, source }), releaseId: deployment.id };
}

// Settings that the preparation writes, such as the memory limit, reach the server with the next deployment.
function buildingPlan(row: ProjectRow, input: DeploymentInput): Plan {
  if (!row.is_prepared) return installationPlan(input);
  return deploymentPlan(input, outdatedPreparation(input.project, row.prepared));
}

// The release on disk that a rollback or recycle makes live, or undefined when it has to be built.
async function keptRelease(tx: PoolClient, { release_id: wanted }: DeploymentRow, project: ProjectRow) {
  if (wanted === null || !project.zero_downtime || !project.is_prepared) return undefined;
  if (wanted === project.live_release_id) return wanted;
  const kept = await listKeptReleases(tx, project.id, project.live_release_id, keptReleases);
  return kept.some((release) => release.release_id === wanted) ? wanted : undefined;
}

async function sourceOf(
  ctx: Context,
  tx: PoolClient,
  deployment: DeploymentRow,
  project: ProjectRow,
): Promise<GitSource> {
  const address = await fetchAddressOf(ctx, tx, project, deployment.server_id);
  if (!address) throw new AppError("refused", "The project has no repository that could be fetched.");
  return {
    ...address,
    branch: deployment.git_branch,
    commit: deployment.commit_id ?? undefined,
    access: "none",
  };
}

async function secretsOf(ctx: Context, run: Run): Promise<RunSecrets> {
  const deployment = await findDeploymentForWork(ctx.pool, run.subject_id);
  const site = deployment ? await siteSecrets(ctx, deployment.project_id) : {};
  const encrypted = deployment ? await findEnvironment(ctx.pool, deployment.project_id) : null;
  if (!encrypted) return { files: site, masked: [] };
  const text = ctx.secrets.decrypt(encrypted);
  return { files: { ...site, ...environmentSecrets(text) }, masked: valuesIn(text) };
}

async function tellProgress(tx: PoolClient, progress: readonly Progress[]): Promise<void> {
  const telling = progress.filter(({ piece: { output, steps } }) => output.length + steps.length > 0);
  const ids = telling.map(({ run }) => run.subject_id);
  const deployments = new Map((await listDeploymentsForWork(tx, ids)).map((each) => [each.id, each]));
  const grown: GrownLog[] = [];
  for (const { run, piece } of telling) {
    const deployment = deployments.get(run.subject_id);
    if (!deployment) continue;
    const from = piece.output[0]?.offset;
    const offset = from === undefined ? undefined : await offsetInLog(tx, deployment, run.id, from);
    grown.push({ deployment, offset });
  }
  await emitLogs(tx, grown);
}

const endStatus = { succeeded: 1, failed: 2, stalled: 2, cancelled: 5 } as const;

// In the transaction that stores the end of the journal: the record, what is live, and who is next.
async function finish(ctx: Context, tx: PoolClient, run: Run, outcome: keyof typeof endStatus): Promise<void> {
  const ended = await endDeployment(tx, run.subject_id, { status: endStatus[outcome], error: run.error });
  if (!ended) return;
  const { commit } = run.facts;
  if (commit) await setCommit(tx, ended.id, { id: commit, url: await commitUrlOf(ctx, tx, ended.project_id, commit) });
  // What prepares the site stays on the server, whatever becomes of the rest of an installation.
  await recordPreparation(tx, ctx, run, ended.project_id);
  const { deploy_key: publicKey } = run.facts;
  await recordDeployKey(tx, ctx, { projectId: ended.project_id, serverId: run.server_id, publicKey });
  if (outcome === "succeeded") await recordLive(tx, run, ended);
  await followDeployment(tx, ctx, run, ended.project_id);
  await emitDeployment(tx, ended);
  await announceEnd(tx, ctx, ended);
  await wakeDispatch(tx, ctx.queue, ended.server_id);
  if (outcome === "succeeded") await carryOn(tx, ctx, { ...ended, commit_id: commit ?? ended.commit_id });
}

// Without a key the deployment that waits for it begins all the same, and says what is wrong with the server.
async function finishKey(ctx: Context, tx: PoolClient, run: Run): Promise<void> {
  const { subject_id: projectId, server_id: serverId, facts } = run;
  await recordDeployKey(tx, ctx, { projectId, serverId, publicKey: facts.deploy_key });
  if (facts.deploy_key) await followSource(tx, ctx, projectId);
  else await releaseHold(tx, ctx, projectId);
}

async function recordLive(tx: PoolClient, run: Run, deployment: DeploymentRow): Promise<void> {
  await setLive(tx, deployment.project_id, {
    deploymentId: deployment.id,
    releaseId: deployment.release_id ?? deployment.id,
    port: run.facts.live_port ? Number(run.facts.live_port) : null,
  });
}

async function commitUrlOf(ctx: Context, tx: PoolClient, projectId: number, commit: string): Promise<string | null> {
  const project = await findProjectForWork(tx, projectId);
  const repository = project && repositoryOf(ctx.config, project);
  return (repository && commitUrl(repository.url, commit, gitRoots(ctx.config))) ?? null;
}
