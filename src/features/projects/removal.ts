import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { emitEvent } from "../../engine/events.ts";
import type { Kind } from "../../engine/kind.ts";
import { forgetTarget, forgetTargets, touch } from "../../engine/reconcile/reconcile.ts";
import type { TargetKind } from "../../engine/reconcile/target.ts";
import { requestCancel } from "../../engine/runs/runs.ts";
import { cancelWorkflowsFor } from "../../engine/workflow/start.ts";
import { projectLayout } from "../../host/layout.ts";
import type { ProjectIdentity } from "../../host/project-mark/mark.ts";
import { notFound } from "../../lib/errors.ts";
import { isAny, type WithHooks } from "../../lib/hooks.ts";
import { deleteProjectDatabases } from "../databases/service.ts";
import {
  deleteForwardings,
  deletePlacement,
  deleteRemoval,
  findRemoval,
  insertRemoval,
  listPlacements,
  type Removal,
} from "../placements/queries.ts";
import type { Placement } from "../placements/schema.ts";
import { forgetDeployKey, syncGitHost } from "../sources/source.ts";
import { emitUpdated } from "./events.ts";
import { projectHooks } from "./hooks.ts";
import { onBalancer } from "./on-server.ts";
import { removeProjectPlan } from "./plans.ts";
import { deleteProjectRow, listOwnRuns, lockRowForDeletion } from "./queries.ts";
import type { ProjectRow } from "./schema.ts";

type Working = Pick<Context, "queue" | "hooks">;

/** Removes what is left of a project on a server. Its subject is not the project, which is gone by then, or lives on elsewhere. */
export const removalKind: Kind = { kind: "project-removal", subject: "removal" };

/**
 * Deletes the row of a project that the caller has locked, and begins to remove its files from its servers and the load balancer.
 * Its work under way is cancelled first. A move under way clears the server that is not the project's own.
 */
export async function removeProject(tx: PoolClient, ctx: Working, project: ProjectRow): Promise<void> {
  await lockForDeletion(tx, ctx, project.id);
  await cancelWorkflowsFor(tx, ctx.queue, { subject: "project", subjectId: project.id });
  const runIds = await endWork(tx, ctx, project.id);
  await deleteProjectDatabases(tx, ctx, project.id);
  const further = await listFurther(tx, ctx, project.id);
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
 * Locks a project that is about to be deleted, then its records in other features, such as unended deployments. Runs of the
 * project either began before this returns, and are found by later queries, or do not begin at all.
 */
export async function lockForDeletion(tx: PoolClient, ctx: WithHooks, projectId: number): Promise<void> {
  await lockRowForDeletion(tx, projectId);
  for (const hook of projectHooks.of(ctx)) await hook.lockForDeletion?.(tx, projectId);
}

/**
 * Forgets the targets of a project, of every feature, and cancels its runs and those of its deployments: on one server, or on all.
 * Returns the runs.
 */
async function endWork(tx: PoolClient, ctx: Working, projectId: number, serverId?: number): Promise<number[]> {
  await forgetTargets(tx, { subject: "project", subjectId: projectId }, serverId);
  const runs = await listActiveRuns(tx, ctx, projectId, serverId);
  for (const run of runs) await requestCancel(tx, ctx.queue, run.id);
  return runs.map(({ id }) => id);
}

/** Unended runs for a project, of every feature: on one server, or on all. */
export async function listActiveRuns(tx: Db, ctx: WithHooks, projectId: number, serverId?: number) {
  const runs = await listOwnRuns(tx, projectId, serverId);
  for (const hook of projectHooks.of(ctx)) runs.push(...((await hook.listActiveRuns?.(tx, projectId, serverId)) ?? []));
  return runs.toSorted((one, other) => one.id - other.id);
}

/** The servers of a balanced project besides its own, also those that leave. */
async function listFurther(tx: Db, ctx: WithHooks, projectId: number): Promise<Placement[]> {
  const placements = await listPlacements(tx, projectId);
  const replicas = placements.filter(({ role }) => role === "replica");
  return [...replicas, ...(await listLeaving(tx, ctx, projectId))];
}

/** Servers that leave the load balancer of a project, without a former server that a move clears. */
export async function listLeaving(db: Db, ctx: WithHooks, projectId: number): Promise<Placement[]> {
  const leaving: Placement[] = [];
  for (const placement of await listPlacements(db, projectId)) {
    const ref = { projectId, serverId: placement.server_id };
    if (placement.role !== "leaving" || (await isAny(projectHooks.of(ctx), (hook) => hook.clears?.(db, ref)))) continue;
    leaving.push(placement);
  }
  return leaving;
}

/** Removes a project from all servers but its own. */
export async function removeFurther(tx: PoolClient, ctx: Working, project: ProjectRow): Promise<void> {
  for (const each of await listFurther(tx, ctx, project.id)) await removePlacement(tx, ctx, project, each);
}

/** Removes a project from the servers to which its load balancer sends no visitor any more. */
export async function removeLeaving(tx: PoolClient, ctx: Working, project: ProjectRow): Promise<void> {
  for (const each of await listLeaving(tx, ctx, project.id)) await removePlacement(tx, ctx, project, each);
}

async function removePlacement(tx: PoolClient, ctx: Working, project: ProjectRow, from: Placement): Promise<void> {
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
