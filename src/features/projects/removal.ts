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
import { followSource } from "../sources/source.ts";
import { balancerSiteKind } from "./balancer-site.ts";
import { deployKeyKind, removeProjectPlan } from "./plans.ts";
import {
  deleteProjectRow,
  deleteRemoval,
  findRemoval,
  insertRemoval,
  listActiveRuns,
  listReplicas,
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
 * Deletes the row of a project that the caller has locked, with its replicas, and begins to remove their files from their servers
 * and the load balancer. Deployments under way are cancelled first.
 */
export async function removeProject(tx: PoolClient, ctx: Working, project: ProjectRow): Promise<void> {
  await removeReplicas(tx, ctx, project);
  await lockForDeletion(tx, project.id);
  const installation = await findWorkflow(tx, { kind: appInstallKind, subjectId: project.id });
  if (installation) await cancelWorkflow(tx, ctx.queue, installation.id);
  await forgetTargets(tx, projectTargetKinds, project.id);
  const runs = await listActiveRuns(tx, project.id, projectWorkKinds);
  for (const run of runs) await requestCancel(tx, ctx.queue, run.id);
  await deleteProjectDatabases(tx, ctx, project.id);
  // It may have been moved since it was read.
  const deleted = await deleteProjectRow(tx, project.id);
  if (!deleted) throw notFound("The project");
  await followSource(tx, ctx, project.id);
  const servers = [deleted.server_id, ...(deleted.load_balancer_id === null ? [] : [deleted.load_balancer_id])];
  const isReplica = project.replica_of !== null;
  const runIds = runs.map(({ id }) => id);
  for (const serverId of servers) await beginRemoval(tx, ctx, { projectId: project.id, serverId, runIds, isReplica });
  await emitEvent(tx, {
    organizationId: project.organization_id,
    serverId: deleted.server_id,
    projectId: project.id,
    name: "project.deleted",
    data: { id: project.id },
  });
}

/** Removes replicas of a project: all, or those that no longer get visitors. */
export async function removeReplicas(
  tx: PoolClient,
  ctx: Working,
  project: Pick<ProjectRow, "id">,
  which: "all" | "leaving" = "all",
): Promise<void> {
  for (const replica of await listReplicas(tx, project.id)) {
    if (which === "all" || replica.is_leaving) await removeProject(tx, ctx, replica);
  }
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
