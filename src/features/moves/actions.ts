import type { PoolClient } from "pg";
import type { Static } from "typebox";
import { rehearse, transaction } from "../../db/transaction.ts";
import { findWorkflow } from "../../engine/workflow/queries.ts";
import { cancelWorkflow } from "../../engine/workflow/start.ts";
import { parseEnvironment } from "../../host/environment/environment.ts";
import { planned, planOf } from "../../http/dry-run.ts";
import type { RequestContext } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import { invalid, notFound } from "../../lib/errors.ts";
import { firstAnswer } from "../../lib/hooks.ts";
import { databasesNamed } from "../databases/named.ts";
import { holdNames } from "../databases/queries.ts";
import { queueDeployment } from "../deployments/actions.ts";
import { deploymentCapabilities } from "../deployments/capabilities.ts";
import { markCancelling } from "../deployments/ending/queries.ts";
import { hasUnended } from "../deployments/queries.ts";
import type { DeploymentRow } from "../deployments/schema.ts";
import { findRemoval, findRole, insertPlacement, takePortPair } from "../placements/queries.ts";
import { getProject } from "../projects/actions.ts";
import { projectState } from "../projects/capabilities.ts";
import { isNode } from "../projects/on-server.ts";
import { findEnvironment, lockProject, lockServerRow } from "../projects/queries.ts";
import type { PlacedProject, ProjectRow } from "../projects/schema.ts";
import { whyNoProjects } from "../servers/capabilities.ts";
import { wakeDispatch } from "../servers/dispatch.ts";
import { findServer, findServerForWork, type ServerForWork } from "../servers/queries.ts";
import { recordsFor } from "./advice.ts";
import { movingCapabilities } from "./capabilities.ts";
import { deleteFinishedMoves } from "./ending.ts";
import { moveHooks } from "./hooks.ts";
import {
  type AttachedDatabase,
  findLiveCommit,
  insertMove,
  listAttachedDatabases,
  listOtherDatabases,
  listTakenNames,
  lockMove,
  moveKind,
} from "./queries.ts";
import type { MoveRequest } from "./schema.ts";

/** Queues the move of a project to another server. A dry run reports whether the project is built for it. */
export async function moveProject(
  ctx: RequestContext,
  projectId: number,
  { server_id: serverId, leave_databases: leaveDatabases = false }: Static<typeof MoveRequest>,
  isDryRun = false,
) {
  const project = await getProject(ctx, projectId);
  const wish = { project, serverId, leaveDatabases };
  const carryOut = isDryRun ? rehearse : transaction;
  const { deploymentId, server } = await carryOut(ctx.pool, (tx) => queueMove(tx, ctx, wish));
  if (isDryRun) return plannedMove(project, server);
  const { moveForwardDays: days } = ctx.config;
  const forwarded =
    days === 0 ? "" : ` The former server forwards visitors for ${days === 1 ? "a day" : `${days} days`} then.`;
  const message =
    `The move of ${project.name} to ${server.name} was queued. Its domains must point to ${server.public_ip} when it has ` +
    `succeeded; until then they stay as they are.${forwarded}`;
  const dns_records = recordsFor(project.site, server);
  return success({ message, project_id: projectId, deployment_id: deploymentId, dns_records, forward_days: days });
}

function plannedMove({ name, source_type }: PlacedProject, server: ServerForWork) {
  const needsBuild = source_type === "git";
  const how = needsBuild ? "which builds the commit that is live" : "with a copy of its release";
  const message = `${name} would be moved to ${server.name}, ${how}. Visitors see the maintenance page while the rest is copied.`;
  return planned({ message, plan: planOf({ needs_build: needsBuild }) });
}

async function queueMove(
  tx: PoolClient,
  ctx: RequestContext,
  { project: asked, serverId, leaveDatabases }: { project: PlacedProject; serverId: number; leaveDatabases: boolean },
) {
  // The server of the request is no reason yet: a rehearsal names none.
  await refuseMove(tx, ctx, asked, { asked, serverId });
  const { project, server } = await lockBoth(tx, ctx, asked, serverId);
  await refuseMove(tx, ctx, project, { asked, serverId });
  const { id: projectId, home_server_id: sourceId } = project;
  if (serverId === sourceId) throw invalid({ server_id: "The project is on this server already." });
  const databases = await listAttachedDatabases(tx, projectId);
  const [taken] = await listTakenNames(tx, projectId, serverId);
  const wrong =
    (await firstAnswer(moveHooks.of(ctx), (hook) => hook.destinationError?.(project, server))) ??
    destinationError(server, databases) ??
    (taken && `${server.name} has a database ${taken.name} already, with that name or user.`);
  if (wrong) throw invalid({ server_id: wrong });
  if (!leaveDatabases) await refuseUnattached(tx, ctx, project);
  const deploymentId = await insertMoving(tx, ctx, { project, server, databases });
  return { deploymentId, server };
}

async function refuseMove(
  tx: PoolClient,
  ctx: RequestContext,
  project: PlacedProject,
  { asked, serverId }: { asked: PlacedProject; serverId: number },
): Promise<void> {
  const { id: projectId, home_server_id: sourceId } = project;
  await movingCapabilities.refuse("move", projectState(project), {
    deploying: async () => sourceId !== asked.home_server_id || (await hasUnended(tx, projectId)),
    app_busy: async () => {
      const why = await firstAnswer(moveHooks.of(ctx), (hook) => hook.moveRefusal?.(tx, ctx, project));
      return why !== undefined && { why };
    },
    clearing: async () => {
      const isThere = serverId !== sourceId && (await findRole(tx, { projectId, serverId })) !== undefined;
      const isLeft = isThere || (await findRemoval(tx, projectId, serverId)) !== undefined;
      return isLeft && { server_name: (await findServer(tx, ctx.actor, serverId))?.name ?? "" };
    },
    commit_unknown: async () => (await findMovedCommit(tx, project)) === undefined,
  });
}

/**
 * The environment would name databases that are not on the destination, and the application would come up without its data. Refused
 * only where it names them in full: for other applications `docs/servers-and-projects.md` says what to attach.
 */
async function refuseUnattached(
  tx: PoolClient,
  ctx: RequestContext,
  { id, name, home_server_id: serverId }: ProjectRow,
): Promise<void> {
  const environment = await findEnvironment(tx, id);
  if (environment === null) return;
  const parsed = parseEnvironment(ctx.secrets.decrypt(environment));
  if (!("variables" in parsed)) return;
  const [left] = databasesNamed(parsed.variables, await listOtherDatabases(tx, id, serverId));
  if (!left) return;
  throw invalid({
    server_id:
      `The environment of ${name} names the database ${left.database_name}, which is not attached to it and would stay behind. ` +
      "Attach it to the project first, or leave databases behind (leave_databases).",
  });
}

// Servers before the project, as the code that creates one does. Both are locked: neither can be transferred to another
// organization between the check and the record of the move. A listed project can be in reach without its server.
async function lockBoth(tx: PoolClient, ctx: RequestContext, asked: ProjectRow, serverId: number) {
  for (const id of [asked.home_server_id, serverId].sort((one, other) => one - other)) {
    if (!(await lockServerRow(tx, id)) || !(await findServer(tx, ctx.actor, id))) throw notFound("The server");
  }
  const project = await lockProject(tx, ctx.actor, asked.id);
  const server = await findServerForWork(tx, serverId);
  if (!project || !server) throw notFound("The project");
  return { project, server };
}

function destinationError(server: ServerForWork, databases: readonly AttachedDatabase[]): string | undefined {
  const refusal = whyNoProjects(server);
  if (refusal !== undefined) return refusal;
  const unfinished = databases.find((database) => database.status !== 1);
  if (unfinished) return `The project's database ${unfinished.database_name} does not exist on its server.`;
  const foreign = databases.find((database) => database.database_type !== server.database_engine);
  if (!foreign) return undefined;
  const label = foreign.database_type === "mariadb" ? "MariaDB" : "PostgreSQL";
  return `${server.name} has no ${label}, which the project's database ${foreign.database_name} needs.`;
}

interface Moving {
  project: PlacedProject;
  /** The destination. */
  server: ServerForWork;
  databases: readonly AttachedDatabase[];
}

async function insertMoving(
  tx: PoolClient,
  ctx: RequestContext,
  { project, server, databases }: Moving,
): Promise<number> {
  const { id: projectId, organization_id } = project;
  const { id: serverId, name } = server;
  const live = await findMovedCommit(tx, project);
  if (!live) throw movingCapabilities.refusal("move", "commit_unknown");
  const id = await queueDeployment(tx, ctx, {
    organizationId: organization_id,
    projectId,
    serverId,
    initiatedBy: ctx.actor.userId,
    processType: "move",
    branch: live.git_branch,
    tag: live.git_tag,
    commitId: live.commit_id,
    commitUrl: live.commit_url,
    description: `Move to ${name}`,
  });
  await insertMove(tx, {
    deploymentId: id,
    projectId,
    sourceId: project.home_server_id,
    destinationId: serverId,
    databases: databases.map(({ database_type: engine, database_name, username, readers }) => ({
      engine,
      name: database_name,
      username,
      readers,
    })),
  });
  const portPair = isNode(project) ? await takePortPair(tx, serverId) : null;
  await insertPlacement(tx, { projectId, serverId, role: "arriving", portPair });
  await holdNames(tx, projectId, serverId, id);
  return id;
}

// The live commit, not the newest of the branch. An application has no repository.
async function findMovedCommit(tx: PoolClient, project: PlacedProject) {
  if (project.source_type === "app") return { git_branch: "", git_tag: null, commit_id: null, commit_url: null };
  const live = await findLiveCommit(tx, project.placement.live_release_id as number);
  return live?.commit_id ? live : undefined;
}

/** A move that was cancelled before its turn has only reserved ports and names. Its project's next deployment may begin. */
export async function dropQueuedMove(tx: PoolClient, ctx: RequestContext, { id }: DeploymentRow): Promise<void> {
  const move = await lockMove(tx, id);
  await deleteFinishedMoves(tx, ctx, id);
  if (move?.source_id) await wakeDispatch(tx, ctx.queue, move.source_id);
}

/** Cancels a move under way, at any moment before the switch: the source serves as before, the destination is cleared. */
export async function cancelMove(tx: PoolClient, ctx: RequestContext, deploymentId: number): Promise<void> {
  if (!(await markCancelling(tx, deploymentId))) throw deploymentCapabilities.refusal("cancel", "move_ended");
  const workflow = await findWorkflow(tx, { ...moveKind, subjectId: deploymentId });
  const isCancelled = workflow !== undefined && (await cancelWorkflow(tx, ctx.queue, workflow.id));
  if (!isCancelled) throw deploymentCapabilities.refusal("cancel", "move_failed");
}
