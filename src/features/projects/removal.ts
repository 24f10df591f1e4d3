import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { emitEvent } from "../../engine/events.ts";
import { forgetTarget } from "../../engine/reconcile/reconcile.ts";
import { createRun, requestCancel } from "../../engine/runs.ts";
import { findWorkflow } from "../../engine/workflow/queries.ts";
import { cancelWorkflow } from "../../engine/workflow/start.ts";
import { projectLayout } from "../../host/layout.ts";
import { notFound } from "../../lib/errors.ts";
import { deleteProjectDatabases } from "../databases/actions.ts";
import { followSource } from "../sources/source.ts";
import { frontKind } from "./front.ts";
import { deployKeyKind, removeProjectPlan } from "./plans.ts";
import { deleteProjectRow, listActiveRuns, listReplicas, lockForDeletion } from "./queries.ts";
import type { ProjectRow } from "./schema.ts";
import {
  appAddressKind,
  appInstallKind,
  appUpdateKind,
  buildCacheKind,
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

/** Runs that update a server about a project, besides its deployments. */
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
  frontKind,
  appAddressKind,
  appInstallKind,
  appUpdateKind,
] as const;

/**
 * Deletes the row of a project that the caller has locked, with its replicas, and begins to remove their leftovers on their
 * servers and on the load balancer. Deployments under way are cancelled first.
 */
export async function removeProject(tx: PoolClient, ctx: Working, project: ProjectRow): Promise<void> {
  await removeReplicas(tx, ctx, project);
  await lockForDeletion(tx, project.id);
  const installation = await findWorkflow(tx, { kind: appInstallKind, subjectId: project.id });
  if (installation) await cancelWorkflow(tx, ctx.queue, installation.id);
  const runs = await listActiveRuns(tx, project.id, projectWorkKinds);
  for (const run of runs) await requestCancel(tx, ctx.queue, run.id);
  for (const kind of [appAddressKind, jobsKind, deployKeyKind]) {
    await forgetTarget(tx, { kind, subjectId: project.id, serverId: project.server_id });
  }
  await deleteProjectDatabases(tx, ctx, project.id);
  // It may have been moved since it was read.
  const deleted = await deleteProjectRow(tx, project.id);
  if (!deleted) throw notFound("The project");
  await followSource(tx, ctx, project.id);
  const servers = [deleted.server_id, ...(deleted.load_balancer_id === null ? [] : [deleted.load_balancer_id])];
  const isReplica = project.replica_of !== null;
  for (const serverId of servers) await beginRemoval(tx, ctx, project.id, serverId, runs, isReplica);
  await emitEvent(tx, {
    organizationId: project.organization_id,
    serverId: deleted.server_id,
    projectId: project.id,
    name: "project.deleted",
    data: { id: project.id },
  });
}

/** The replicas of a project: all of them, or the ones that get no visitors any more. */
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

/** Takes what there is of a project off a server, when its runs there have ended. */
export async function beginRemoval(
  tx: PoolClient,
  ctx: Working,
  projectId: number,
  serverId: number,
  runs: readonly { id: number }[],
  isReplica = false,
): Promise<void> {
  const plan = removeProjectPlan(
    { layout: projectLayout(projectId) },
    runs.map(({ id }) => id),
    isReplica,
  );
  await createRun(tx, ctx.queue, { serverId, kind: removalKind, subjectId: projectId, plan });
}
