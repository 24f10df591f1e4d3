import { DatabaseError, type PoolClient } from "pg";
import type { Context, WithQueue } from "../../context.ts";
import { pipelined, savepoint, transaction } from "../../db/transaction.ts";
import type { Kind } from "../../engine/kind.ts";
import { touch } from "../../engine/reconcile/reconcile.ts";
import { unplanned } from "../../engine/runs/plan.ts";
import { insertRuns } from "../../engine/runs/queries.ts";
import { queueRuns } from "../../engine/runs/runs.ts";
import { listProjectsForWork, listProjectsOn } from "../projects/queries.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { wakeDispatch, wakeDispatches } from "../servers/dispatch.ts";
import { ensureHook, missingForFetch, syncGitHost } from "../sources/source.ts";
import { endDeployment } from "./ending.ts";
import { emitDeployments } from "./events.ts";
import { procedureOf } from "./hooks.ts";
import { reasonFor } from "./planning.ts";
import {
  claimDeployments,
  endHold,
  holdDeployment,
  listStartable,
  lockDispatches,
  lockQueued,
  type Released,
  sendQueuedAfter,
} from "./queue/queries.ts";
import { type DeploymentRow, deploymentStatus } from "./schema.ts";

export const deploymentKind: Kind = { kind: "deployment", subject: "deployment" };
/** The deploy key of a project on one of its servers. */
export const deployKeyKind: Kind = { kind: "deploy-key", subject: "project" };

// Starts become visible together, at the commit: few per transaction, so that the first does not wait for the last.
const startedAtOnce = 10;

/** Starts the deployments that may start on servers: one of a project at a time, in order, within each server's queue_limit. */
export async function dispatch(ctx: Context, serverIds: readonly number[]): Promise<void> {
  try {
    await transaction(ctx.pool, (tx) => startReady(ctx, tx, serverIds));
  } catch (error) {
    if (serverIds.length === 1) throw error;
    ctx.log.warn(
      { err: error, serverIds },
      "could not start the next deployments of several servers in one transaction",
    );
    // A failure on one server must not delay the others: each gets its own job.
    await transaction(ctx.pool, async (tx) => {
      for (const serverId of serverIds) await wakeDispatch(tx, ctx.queue, serverId);
    });
  }
}

/**
 * In the transaction that frees a slot on a server: starts the next deployment there, so that the slot does not stay empty until
 * a job arrives. An error here does not affect the rest of the transaction, and is left to the job.
 */
export async function startNext(ctx: Context, tx: PoolClient, serverId: number): Promise<void> {
  try {
    await savepoint(tx, () => startReady(ctx, tx, [serverId]));
  } catch (error) {
    ctx.log.warn({ err: error, serverId }, "could not start the next deployment; a job retries it");
    await wakeDispatch(tx, ctx.queue, serverId);
  }
}

async function startReady(ctx: Context, tx: PoolClient, serverIds: readonly number[]): Promise<void> {
  const [, startable] = await pipelined(lockDispatches(tx, serverIds), listStartable(tx, serverIds, startedAtOnce));
  if (startable.length === 0) return;
  // Leaves out deployments that were cancelled or deleted since, maybe with their project. A later cancel finds them running.
  const [queued, projects] = await pipelined(lockQueued(tx, startable), projectsOf(tx, startable));
  const waiting: DeploymentRow[] = [];
  const destinations: number[] = [];
  for (const deployment of queued) {
    const { project_id: projectId, server_id: from } = deployment;
    const to = projects.get(deployment)?.placement.server_id ?? from;
    if (from === to || !procedureOf(ctx, deployment).followsProject) waiting.push(deployment);
    else {
      // It was queued at the moment when its project moved.
      await sendQueuedAfter(tx, projectId, { from, to });
      destinations.push(to);
    }
  }
  const started = await start(ctx, tx, waiting, projects);
  await wakeDispatches(tx, ctx.queue, [...serversWithMore(startable, started), ...destinations]);
}

// There may be more than were read, and a deployment that could not start leaves its slot to the next.
function serversWithMore(startable: readonly DeploymentRow[], started: readonly DeploymentRow[]): number[] {
  const startedOn = Map.groupBy(started, ({ server_id }) => server_id);
  return [...Map.groupBy(startable, ({ server_id }) => server_id)].flatMap(([serverId, { length }]) => {
    const count = startedOn.get(serverId)?.length ?? 0;
    return count === startedAtOnce || count < length ? [serverId] : [];
  });
}

/** The project of each deployment: as on the deployment's server, or on its own, where a move starts. */
type Projects = ReadonlyMap<DeploymentRow, PlacedProject>;

async function projectsOf(tx: PoolClient, startable: readonly DeploymentRow[]): Promise<Projects> {
  const own = await listProjectsForWork(
    tx,
    startable.map(({ project_id: id }) => id),
  );
  const elsewhere = startable.filter((deployment) => !own.some((project) => isOn(project, deployment)));
  const refs = elsewhere.map(({ project_id: projectId, server_id: serverId }) => ({ projectId, serverId }));
  const further = refs.length === 0 ? [] : await listProjectsOn(tx, refs);
  const replicas = further.filter(({ placement }) => placement.role === "replica");
  return new Map(
    startable.flatMap((deployment) => {
      const there = [...own, ...replicas].find((project) => isOn(project, deployment));
      const project = there ?? own.find(({ id }) => id === deployment.project_id);
      return project ? [[deployment, project]] : [];
    }),
  );
}

const isOn = (project: PlacedProject, deployment: DeploymentRow): boolean =>
  project.id === deployment.project_id && project.placement.server_id === deployment.server_id;

/** A deployment that starts, with the release that it makes live. */
interface Start {
  deployment: DeploymentRow;
  releaseId: number;
  hasRun: boolean;
  inPlace: boolean;
}

/** Starts the deployments that can start and do not wait for a key; returns them. Their runs are planned when they are executed. */
async function start(
  ctx: Context,
  tx: PoolClient,
  waiting: readonly DeploymentRow[],
  projects: Projects,
): Promise<DeploymentRow[]> {
  const starts: Start[] = [];
  for (const deployment of waiting) {
    const project = projects.get(deployment);
    if (!project || (await waitsForKey(ctx, tx, deployment, project))) continue;
    const prepared = await prepareStart(ctx, tx, deployment, project);
    if (prepared) starts.push(prepared);
  }
  if (starts.length === 0) return [];
  const runIds = await insertRuns(tx, starts.flatMap(runsOf));
  const nextRun = runIds.values();
  const claims = starts.map(({ deployment: { id }, releaseId, hasRun, inPlace }) => ({
    id,
    releaseId,
    inPlace,
    runId: hasRun ? (nextRun.next().value as number) : null,
  }));
  const started = starts.map(({ deployment }) => ({ ...deployment, status: deploymentStatus.running }));
  const [claimed] = await pipelined(
    claimDeployments(tx, claims),
    emitDeployments(tx, ctx, started),
    queueRuns(tx, ctx.queue, runIds),
  );
  // Impossible, since their rows are locked: a bug, so the transaction must be rolled back, above all the runs.
  if (claimed !== claims.length) throw new Error("Another worker claimed a locked deployment");
  return started;
}

const runsOf = ({ deployment: { id: subjectId, server_id: serverId }, hasRun }: Start) =>
  hasRun ? [{ serverId, ...deploymentKind, subjectId, plan: unplanned(deploymentKind.kind) }] : [];

/** Undefined: the deployment cannot start. It fails, and does not block the queue behind it. */
async function prepareStart(
  ctx: Context,
  tx: PoolClient,
  deployment: DeploymentRow,
  project: PlacedProject,
): Promise<Start | undefined> {
  try {
    const started = await procedureOf(ctx, deployment).start(tx, ctx, deployment, project);
    return { deployment, ...started, inPlace: !project.zero_downtime };
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    await endDeployment(tx, ctx, deployment.id, { outcome: "failed", error: reasonFor(ctx, deployment, error) });
    return undefined;
  }
}

// A connected account's host needs the deploy key of the server before anything private can be fetched: a separate run makes the
// key, it is registered, and then the deployment starts.
async function waitsForKey(ctx: Context, tx: PoolClient, deployment: DeploymentRow, project: PlacedProject) {
  if (!procedureOf(ctx, deployment).mayFetch) return false;
  const { id: deploymentId, server_id: serverId, project_id: projectId } = deployment;
  const missing = await missingForFetch(tx, ctx, project, serverId);
  if (missing === undefined) return false;
  await ensureHook(tx, ctx, projectId);
  // It waits once, for a limited time: the fetch then shows whether the key works.
  if (!(await holdDeployment(tx, { projectId, deploymentId }))) return false;
  if (missing === "key") await touch(tx, ctx.queue, { ...deployKeyKind, subjectId: projectId, serverId });
  else await syncGitHost(tx, ctx, projectId);
  return true;
}

/** Lets deployments of a project that wait for a deploy key start. */
export async function releaseHold(tx: PoolClient, ctx: WithQueue, projectId: number, which: Released): Promise<void> {
  for (const { server_id: serverId } of await endHold(tx, projectId, which))
    await wakeDispatch(tx, ctx.queue, serverId);
}
