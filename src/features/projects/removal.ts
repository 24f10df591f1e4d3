import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { emitEvent } from "../../engine/events.ts";
import type { Kind } from "../../engine/kind.ts";
import { forgetTarget, forgetTargets, touch } from "../../engine/reconcile/reconcile.ts";
import type { TargetKind } from "../../engine/reconcile/target.ts";
import { requestCancel } from "../../engine/runs/runs.ts";
import { cancelWorkflowsFor } from "../../engine/workflow/start.ts";
import { projectLayout } from "../../host/layout.ts";
import type { ProjectIdentity } from "../../host/project-mark/mark.ts";
import { notFound } from "../../lib/errors.ts";
import { deleteProjectDatabases } from "../databases/actions.ts";
import { deleteForwardings, deletePlacement, listLeaving, listPlacements } from "../placements/queries.ts";
import type { Placement } from "../placements/schema.ts";
import { forgetDeployKey, syncGitHost } from "../sources/source.ts";
import { emitUpdated } from "./events.ts";
import { onBalancer } from "./on-server.ts";
import { removeProjectPlan } from "./plans.ts";
import {
  deleteProjectRow,
  deleteRemoval,
  findRemoval,
  insertRemoval,
  listActiveRuns,
  lockForDeletion,
  type Removal,
} from "./queries.ts";
import type { ProjectRow } from "./schema.ts";

type Working = Pick<Context, "queue">;

/** Removes what is left of a project on a server. Its subject is not the project, which is gone by then, or lives on elsewhere. */
export const removalKind: Kind = { kind: "project-removal", subject: "removal" };

/**
 * Deletes the row of a project that the caller has locked, and begins to remove its files from its servers and the load balancer.
 * Its work under way is cancelled first. A move under way clears the server that is not the project's own.
 */
export async function removeProject(tx: PoolClient, ctx: Working, project: ProjectRow): Promise<void> {
  await lockForDeletion(tx, project.id);
  await cancelWorkflowsFor(tx, ctx.queue, { subject: "project", subjectId: project.id });
  const runIds = await endWork(tx, ctx, project.id);
  await deleteProjectDatabases(tx, ctx, project.id);
  const further = await listFurther(tx, project.id);
  // It may have been moved since it was read.
  const deleted = await deleteProjectRow(tx, project.id);
  if (!deleted) throw notFound("The project");
  await syncGitHost(tx, ctx, project.id);
  const { id: projectId, created_at: createdAt, may_adopt: mayAdopt } = project;
  const begin = (serverId: number, identity: ProjectIdentity, isReplica = false) =>
    beginRemoval(tx, ctx, { projectId, serverId, runIds, isReplica, identity });
  await begin(deleted.server_id, { createdAt, mayAdopt });
  for (const each of further) await begin(each.server_id, { createdAt, mayAdopt: each.may_adopt }, true);
  if (deleted.load_balancer_id !== null) await begin(deleted.load_balancer_id, onBalancer(project));
  await endForwardings(tx, ctx, project.id, true);
  await emitEvent(tx, {
    organizationId: project.organization_id,
    serverId: deleted.server_id,
    projectId: project.id,
    name: "project.deleted",
    data: { id: project.id },
  });
}

/**
 * Forgets the targets of a project, of every feature, and cancels its runs and those of its deployments: on one server, or on all.
 * Returns the runs.
 */
async function endWork(tx: PoolClient, ctx: Working, projectId: number, serverId?: number): Promise<number[]> {
  await forgetTargets(tx, { subject: "project", subjectId: projectId }, serverId);
  const runs = await listActiveRuns(tx, projectId, serverId);
  for (const run of runs) await requestCancel(tx, ctx.queue, run.id);
  return runs.map(({ id }) => id);
}

/** The servers of a balanced project besides its own, also those that leave. */
async function listFurther(tx: PoolClient, projectId: number): Promise<Further[]> {
  const placements = await listPlacements(tx, projectId);
  const replicas = placements.filter(({ role }) => role === "replica");
  return [...replicas, ...(await listLeaving(tx, projectId))];
}

type Further = Pick<Placement, "server_id" | "may_adopt">;

/** Removes a project from all servers but its own. */
export async function removeFurther(tx: PoolClient, ctx: Working, project: ProjectRow): Promise<void> {
  for (const each of await listFurther(tx, project.id)) await removePlacement(tx, ctx, project, each);
}

/** Removes a project from the servers to which its load balancer sends no visitor any more. */
export async function removeLeaving(tx: PoolClient, ctx: Working, project: ProjectRow): Promise<void> {
  for (const each of await listLeaving(tx, project.id)) await removePlacement(tx, ctx, project, each);
}

async function removePlacement(tx: PoolClient, ctx: Working, project: ProjectRow, from: Further): Promise<void> {
  const serverId = from.server_id;
  const identity = { createdAt: project.created_at, mayAdopt: from.may_adopt };
  const placement = { projectId: project.id, serverId };
  const runIds = await endWork(tx, ctx, project.id, serverId);
  await deletePlacement(tx, placement);
  await forgetDeployKey(tx, ctx, placement);
  await beginRemoval(tx, ctx, { ...placement, runIds, isReplica: true, identity });
  await emitUpdated(tx, { ...project, server_id: serverId });
}

/** Removes what a former load balancer has of a project. */
export async function removeFromBalancer(tx: PoolClient, ctx: Working, project: ProjectRow, serverId: number) {
  const { id: projectId } = project;
  const runIds = await endWork(tx, ctx, projectId, serverId);
  await beginRemoval(tx, ctx, { projectId, serverId, runIds, isReplica: false, identity: onBalancer(project) });
}

/**
 * Removes what servers have of a project whose visitors they forward no longer: because that is over or, with `all`, at once. The
 * caller has locked the project, or found it gone. Returns whether there were any.
 */
export async function endForwardings(tx: PoolClient, ctx: Working, projectId: number, all = false): Promise<boolean> {
  const ended = await deleteForwardings(tx, projectId, all);
  for (const { server_id: serverId, project_created_at: createdAt } of ended) {
    if (serverId === null) continue;
    const runIds = await endWork(tx, ctx, projectId, serverId);
    const identity = { createdAt, mayAdopt: true };
    await beginRemoval(tx, ctx, { projectId, serverId, runIds, isReplica: false, identity });
  }
  return ended.length > 0;
}

// Everything of a project is removed from a server after its runs there have ended; retried until it succeeds, or the server is
// deleted.
async function beginRemoval(tx: PoolClient, ctx: Working, removal: Removal): Promise<void> {
  await insertRemoval(tx, removal);
  await touch(tx, ctx.queue, { ...removalKind, subjectId: removal.projectId, serverId: removal.serverId });
}

/** A server has nothing left of a project that is no longer on it. */
export const removalTarget: TargetKind = {
  ...removalKind,
  desired: async (tx, { subjectId, serverId }) => {
    const removal = await findRemoval(tx, subjectId, serverId);
    if (!removal) return undefined;
    const { identity, runIds, isReplica } = removal;
    return removeProjectPlan({ layout: projectLayout(subjectId), ...(identity && { identity }) }, runIds, isReplica);
  },
  onApplied: async (tx, target) => {
    await deleteRemoval(tx, target.subjectId, target.serverId);
    await forgetTarget(tx, target);
  },
};
