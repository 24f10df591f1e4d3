import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { emitEvent } from "../../engine/events.ts";
import { forgetTarget, forgetTargets, touch } from "../../engine/reconcile/reconcile.ts";
import type { TargetKind } from "../../engine/reconcile/target.ts";
import { requestCancel } from "../../engine/runs.ts";
import { findWorkflow } from "../../engine/workflow/queries.ts";
import { cancelWorkflow } from "../../engine/workflow/start.ts";
import { projectLayout } from "../../host/layout.ts";
import { notFound } from "../../lib/errors.ts";
import { deleteProjectDatabases } from "../databases/actions.ts";
import { deletePlacement, listPlacements } from "../placements/queries.ts";
import { followSource, forgetDeployKey } from "../sources/source.ts";
import { balancerSiteKind } from "./balancer-site.ts";
import { emitUpdated } from "./events.ts";
import { deployKeyKind, removeProjectPlan } from "./plans.ts";
import {
  deleteProjectRow,
  deleteRemoval,
  findRemoval,
  insertRemoval,
  listActiveRuns,
  listLeaving,
  lockForDeletion,
  type Removal,
} from "./queries.ts";
import type { ProjectRow } from "./schema.ts";
import {
  appAddressKind,
  appInstallKind,
  appUpdateKind,
  buildCacheKind,
  certificateCleanupKind,
  certificateKind,
  commandKind,
  installKind,
  jobCommandKind,
  jobsKind,
  maintenanceKind,
  publishKind,
} from "./schema.ts";

type Working = Pick<Context, "queue">;

export const removalKind = "project-removal";

/** Runs that update a project on a server, besides its deployments. */
export const projectWorkKinds = [
  publishKind,
  maintenanceKind,
  deployKeyKind,
  jobsKind,
  jobCommandKind,
  commandKind,
  buildCacheKind,
  certificateKind,
  installKind,
  balancerSiteKind,
  appAddressKind,
  appInstallKind,
  appUpdateKind,
] as const;

// Runs of the project itself, not of the removal of its files.
const projectTargetKinds = [
  publishKind,
  balancerSiteKind,
  appAddressKind,
  jobsKind,
  deployKeyKind,
  certificateCleanupKind,
];

/**
 * Deletes the row of a project that the caller has locked, and begins to remove its files from its servers and the load balancer.
 * Deployments under way are cancelled first. A move under way clears the server that is not the project's own.
 */
export async function removeProject(tx: PoolClient, ctx: Working, project: ProjectRow): Promise<void> {
  await lockForDeletion(tx, project.id);
  const installation = await findWorkflow(tx, { kind: appInstallKind, subjectId: project.id });
  if (installation) await cancelWorkflow(tx, ctx.queue, installation.id);
  await forgetTargets(tx, projectTargetKinds, project.id);
  const runs = await listActiveRuns(tx, project.id, projectWorkKinds);
  for (const run of runs) await requestCancel(tx, ctx.queue, run.id);
  await deleteProjectDatabases(tx, ctx, project.id);
  const further = await listFurther(tx, project.id);
  // It may have been moved since it was read.
  const deleted = await deleteProjectRow(tx, project.id);
  if (!deleted) throw notFound("The project");
  await followSource(tx, ctx, project.id);
  const servers = [
    deleted.server_id,
    ...further,
    ...(deleted.load_balancer_id === null ? [] : [deleted.load_balancer_id]),
  ];
  const runIds = runs.map(({ id }) => id);
  for (const serverId of servers) {
    await beginRemoval(tx, ctx, { projectId: project.id, serverId, runIds, isReplica: further.includes(serverId) });
  }
  await emitEvent(tx, {
    organizationId: project.organization_id,
    serverId: deleted.server_id,
    projectId: project.id,
    name: "project.deleted",
    data: { id: project.id },
  });
}

/** The servers of a balanced project besides its own, also those that leave. */
async function listFurther(tx: PoolClient, projectId: number): Promise<number[]> {
  const placements = await listPlacements(tx, projectId);
  const replicas = placements.filter(({ role }) => role === "replica");
  return [...replicas, ...(await listLeaving(tx, projectId))].map(({ server_id: serverId }) => serverId);
}

/** Removes a project from all servers but its own. */
export async function removeFurther(tx: PoolClient, ctx: Working, project: ProjectRow): Promise<void> {
  for (const serverId of await listFurther(tx, project.id)) await removePlacement(tx, ctx, project, serverId);
}

/** Removes a project from the servers to which its load balancer sends no visitor any more. */
export async function removeLeaving(tx: PoolClient, ctx: Working, project: ProjectRow): Promise<void> {
  for (const { server_id: serverId } of await listLeaving(tx, project.id)) {
    await removePlacement(tx, ctx, project, serverId);
  }
}

// Deployments under way there are cancelled with their runs.
async function removePlacement(tx: PoolClient, ctx: Working, project: ProjectRow, serverId: number): Promise<void> {
  const placement = { projectId: project.id, serverId };
  for (const kind of projectTargetKinds) await forgetTarget(tx, { kind, subjectId: project.id, serverId });
  const runs = await listActiveRuns(tx, project.id, projectWorkKinds, serverId);
  for (const run of runs) await requestCancel(tx, ctx.queue, run.id);
  await deletePlacement(tx, placement);
  await forgetDeployKey(tx, ctx, placement);
  await beginRemoval(tx, ctx, { ...placement, runIds: runs.map(({ id }) => id), isReplica: true });
  await emitUpdated(tx, { ...project, server_id: serverId });
}

/**
 * Removes everything of a project from a server, after its runs there have ended. Retried until it succeeds, or the server is
 * deleted.
 */
export async function beginRemoval(tx: PoolClient, ctx: Working, removal: Removal): Promise<void> {
  await insertRemoval(tx, removal);
  await touch(tx, ctx.queue, { kind: removalKind, subjectId: removal.projectId, serverId: removal.serverId });
}

/** A server has nothing left of a project that is no longer on it. */
export const removalTarget: TargetKind = {
  kind: removalKind,
  desired: async (tx, { subjectId, serverId }) => {
    const removal = await findRemoval(tx, subjectId, serverId);
    return removal && removeProjectPlan({ layout: projectLayout(subjectId) }, removal.runIds, removal.isReplica);
  },
  onApplied: async (tx, target) => {
    await deleteRemoval(tx, target.subjectId, target.serverId);
    await forgetTarget(tx, target);
  },
};
