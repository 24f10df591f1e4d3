import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { touch } from "../../engine/reconcile/reconcile.ts";
import { endRun, type Run } from "../../engine/runs/queries.ts";
import { AppError } from "../../lib/errors.ts";
import { reissueAfterMove } from "../certificates/actions.ts";
import { moveCertificate } from "../certificates/queries.ts";
import { holdNames, moveDatabases } from "../databases/queries.ts";
import { followMove } from "../databases/service.ts";
import { setDescription } from "../deployments/queries.ts";
import { sendQueuedAfter } from "../deployments/queue/queries.ts";
import { deploymentStatus } from "../deployments/schema.ts";
import { diskOf } from "../deployments/steps/disk.ts";
import { insertForwarding, setDisk, switchOwnPlacement } from "../placements/queries.ts";
import { emitUpdated } from "../projects/events.ts";
import { lockProjectForWork, setServer } from "../projects/queries.ts";
import { listActiveRuns } from "../projects/removal.ts";
import { findServerForWork } from "../servers/queries.ts";
import { beginPublication } from "../sites/publish.ts";
import { moveSite } from "../sites/target.ts";
import { domainAdvice, forwardingNotice } from "./advice.ts";
import { appFilesOf } from "./apps.ts";
import { endDeploymentOfMove } from "./ending.ts";
import { clearingKind, decideOutcome, findMove, listMoveRuns } from "./queries.ts";
import { getWork, type Work } from "./work.ts";

/**
 * The destination serves: in one transaction it becomes the project's server, and the removal from the source begins. Nothing
 * if that was done before.
 */
export async function switchServers(tx: PoolClient, ctx: Context, deploymentId: number): Promise<void> {
  if ((await findMove(tx, deploymentId))?.outcome === "succeeded") return;
  const work = await getWork(tx, deploymentId);
  const { deployment, project } = work;
  // From here on a cancel is refused.
  if (deployment.status === deploymentStatus.cancelling)
    throw new AppError("refused", "Cancelled.", { permanent: true });
  const { source_id: sourceId, destination_id: destinationId } = work.move;
  const finishing = await switchPlacements(tx, work);
  const forwarding = await insertForwarding(tx, {
    projectId: project.id,
    serverId: sourceId,
    projectCreatedAt: project.created_at,
    certificate: project.certificate,
    days: ctx.config.moveForwardDays,
  });
  await moveBelongings(tx, ctx, work, finishing.facts.certificate);
  await moveSite(tx, { id: project.id, server_id: sourceId }, destinationId);
  // Runs on the source: what they would apply, the destination receives with the present rows.
  const runIds = (await listActiveRuns(tx, ctx, project.id)).map(({ id }) => id);
  for (const id of runIds) await endRun(tx, id, { state: "cancelled", error: "The project was moved." });
  const isDecided = await decideOutcome(tx, deploymentId, { outcome: "succeeded", error: null, runIds });
  if (!isDecided) throw new AppError("refused", "The move has ended.", { permanent: true });
  await touch(tx, ctx.queue, { ...clearingKind, subjectId: deploymentId, serverId: sourceId });
  // The record and notifications show what is left to do.
  const source = await findServerForWork(tx, sourceId);
  const server = await findServerForWork(tx, destinationId);
  if (source && server) {
    const advice = `${domainAdvice(project, server)} ${forwardingNotice(source.name, forwarding)}`;
    await setDescription(tx, deploymentId, `Moved to ${server.name}. ${advice}`);
  }
  await endDeploymentOfMove(tx, ctx, { ...work.move, outcome: "succeeded", error: null });
  // Notifies actors with either server in reach.
  for (const serverId of [sourceId, destinationId]) {
    await emitUpdated(tx, { id: project.id, organization_id: deployment.organization_id, server_id: serverId });
  }
  // Domains, redirects and the like may have been changed while the destination was being prepared; and a caller that waits for
  // the outcome of a change on the source gets the destination's.
  const moved = await lockProjectForWork(tx, project.id);
  if (moved) await beginPublication(tx, ctx, moved);
}

/** Returns the run after which the destination served. */
async function switchPlacements(tx: PoolClient, { move, project, portPair }: Work): Promise<Run> {
  const { deployment_id: deploymentId, source_id: from, destination_id: to } = move;
  const runs = await listMoveRuns(tx, deploymentId);
  const finishing = runs.findLast(({ plan }) => plan.kind === "move-finishing");
  if (!finishing) throw new Error(`Move ${deploymentId} has lost its runs`);
  await switchOwnPlacement(tx, project.id, {
    from,
    to,
    livePort: finishing.facts.live_port ? Number(finishing.facts.live_port) : portPair,
    // The live release of an application was not made by a deployment.
    live: appFilesOf(project)
      ? { deploymentId: project.live_deployment_id, releaseId: project.live_release_id }
      : { deploymentId, releaseId: deploymentId },
  });
  await setServer(tx, project.id, { from, to });
  await setDisk(tx, { projectId: project.id, serverId: to }, diskOf(finishing) ?? null);
  return finishing;
}

// A certificate that was renewed at the last moment was not copied: the site has none until the next is ordered.
async function moveBelongings(
  tx: PoolClient,
  ctx: Context,
  { move }: Work,
  certificate: string | undefined,
): Promise<void> {
  const { project_id: projectId, deployment_id: deploymentId, source_id: from, destination_id: to } = move;
  await sendQueuedAfter(tx, projectId, { from, to });
  await moveDatabases(tx, projectId, to, deploymentId);
  await followMove(tx, ctx, projectId, { from });
  await holdNames(tx, projectId, from, deploymentId);
  if (certificate !== undefined) await moveCertificate(tx, projectId, to, Number(certificate));
  await reissueAfterMove(tx, ctx, projectId);
}
