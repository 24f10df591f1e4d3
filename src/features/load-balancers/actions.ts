import type { PoolClient } from "pg";
import type { Static } from "typebox";
import type { Db } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { refuseChanged } from "../../http/expected.ts";
import type { Partly, RequestContext } from "../../http/route.ts";
import { type FieldErrors, invalid, notFound } from "../../lib/errors.ts";
import type { Actor } from "../accounts/reach.ts";
import { queueDeployment } from "../deployments/actions.ts";
import { findDeploymentForWork } from "../deployments/queries.ts";
import { cancelQueuedOn } from "../deployments/rolling.ts";
import { hasMove } from "../moves/queries.ts";
import { changeRole, findRemoval, insertPlacement, listPlacements, takePortPair } from "../placements/queries.ts";
import { getProject } from "../projects/actions.ts";
import { projectState } from "../projects/capabilities.ts";
import { emitUpdated } from "../projects/events.ts";
import { isNode } from "../projects/on-server.ts";
import { lockProject, lockServerRow } from "../projects/queries.ts";
import { listLeaving, removeFromBalancer, removeFurther } from "../projects/removal.ts";
import type { PlacedProject, ProjectRow } from "../projects/schema.ts";
import { setupNotEnded } from "../servers/capabilities.ts";
import { findServer } from "../servers/queries.ts";
import { type ServerRow, serverStatus, serverTypes } from "../servers/schema.ts";
import { setBalancer } from "../site-records/queries.ts";
import { queueCertificateCheck } from "../sites/certificate-queue.ts";
import { beginPublication } from "../sites/publish.ts";
import { balancingCapabilities } from "./capabilities.ts";
import { findServerName } from "./queries.ts";
import type { BalanceRequest } from "./schema.ts";

type Requested = Static<typeof BalanceRequest>;

/** The errors of a set of servers, by field. */
export async function checkBalance(
  ctx: RequestContext,
  { params, body }: { params: { id: number }; body: Partly<Requested> },
): Promise<FieldErrors> {
  return errorsOf(ctx.pool, ctx.actor, await getProject(ctx, params.id), body);
}

async function errorsOf(db: Db, actor: Actor, project: PlacedProject, body: Partly<Requested>): Promise<FieldErrors> {
  const { load_balancer_id: balancerId, server_ids: serverIds = [] } = body;
  const balancer = balancerId === undefined ? undefined : await balancerError(db, actor, balancerId);
  let node = new Set(serverIds).size < serverIds.length ? "Each server can be listed once." : undefined;
  for (const id of serverIds) node ??= await nodeError(db, actor, project, id as number);
  return { ...(balancer && { load_balancer_id: balancer }), ...(node && { server_ids: node }) };
}

async function balancerError(db: Db, actor: Actor, id: number): Promise<string | undefined> {
  const server = await findServer(db, actor, id);
  if (!server) return "The load balancer does not exist.";
  if (server.server_type !== serverTypes.loadBalancer) return `${server.name} is no load balancer.`;
  return readinessError(server);
}

async function nodeError(db: Db, actor: Actor, project: PlacedProject, id: number): Promise<string | undefined> {
  const server = await findServer(db, actor, id);
  if (!server) return `The server ${id} does not exist.`;
  if (server.server_type !== serverTypes.app) return `${server.name} is no App server.`;
  if (server.id === project.placement.server_id) return `${server.name} is the project's own server: list the others.`;
  return readinessError(server);
}

function readinessError({ name, server_status, connection_status, public_ip }: ServerRow): string | undefined {
  if (server_status !== serverStatus.provisioned) return setupNotEnded(name);
  return connection_status === 1 && public_ip !== null ? undefined : `${name} is not connected.`;
}

/** Puts a project behind a load balancer, with these servers besides its own; or changes the set of servers. */
export async function balanceProject(ctx: RequestContext, id: number, body: Requested) {
  const deploymentIds = await transaction(ctx.pool, async (tx) => {
    // The servers of the request are no reason yet: a rehearsal names none.
    const seen = await getProject(ctx, id);
    refuseChanged(ctx, seen);
    await refuseUnfit(tx, ctx, seen, body);
    const project = await lockAll(tx, ctx, id, body);
    refuseChanged(ctx, project);
    await refuseUnfit(tx, ctx, project, body);
    if (project.site.load_balancer_id === null) await setBalancer(tx, id, body.load_balancer_id);
    const added = await changeSet(tx, ctx, project, body.server_ids);
    const queued: number[] = [];
    for (const serverId of added) queued.push(await queueFirst(tx, ctx, project, serverId));
    await follow(tx, ctx, project);
    return queued;
  });
  const count = deploymentIds.length;
  const message =
    count === 0
      ? "The load balancer follows."
      : `The project is being installed on ${count === 1 ? "one more server" : `${count} more servers`}; each gets visitors as soon as it serves.`;
  return { message, project_id: id, deployment_ids: deploymentIds };
}

// Servers before the project, as the code that creates one does; and in one order.
async function lockAll(tx: PoolClient, ctx: RequestContext, id: number, body: Requested): Promise<PlacedProject> {
  const asked = await getProject(ctx, id);
  const serverIds = [...new Set([asked.placement.server_id, body.load_balancer_id, ...body.server_ids])];
  for (const serverId of serverIds.sort((one, other) => one - other)) {
    if (!(await lockServerRow(tx, serverId))) throw notFound(`The server ${serverId}`);
  }
  const project = await lockProject(tx, ctx.actor, id);
  if (!project) throw notFound("The project");
  // The servers may have changed since the check.
  const errors = await errorsOf(tx, ctx.actor, project, body);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return project;
}

async function refuseUnfit(
  tx: PoolClient,
  ctx: RequestContext,
  project: PlacedProject,
  { load_balancer_id: balancerId, server_ids: serverIds = [] }: Partly<Requested>,
): Promise<void> {
  const { load_balancer_id: present } = project.site;
  await balancingCapabilities.refuse("balance", projectState(project), {
    behind_another: () => present !== null && balancerId !== undefined && present !== balancerId,
    moving: () => hasMove(tx, project.id),
    clearing: async () => {
      const named = [balancerId, ...serverIds].filter((serverId) => serverId !== undefined);
      const left = await findLeft(tx, ctx, project, named);
      return left !== undefined && { server_name: (await findServerName(tx, left))?.name ?? "" };
    },
  });
}

/** One of the servers from which something of the project is still being removed. */
async function findLeft(
  tx: PoolClient,
  ctx: RequestContext,
  { id: projectId }: ProjectRow,
  serverIds: readonly number[],
): Promise<number | undefined> {
  // A server that leaves the load balancer may come back; one that a move clears may not yet.
  const returning = new Set((await listLeaving(tx, ctx, projectId)).map(({ server_id: id }) => id));
  const idle = (await listPlacements(tx, projectId)).filter(({ role }) => role === "arriving" || role === "leaving");
  const cleared = new Set(idle.map(({ server_id: id }) => id).filter((id) => !returning.has(id)));
  for (const serverId of serverIds) {
    if (cleared.has(serverId) || (await findRemoval(tx, projectId, serverId)) !== undefined) return serverId;
  }
  return undefined;
}

// A server that is no longer in the set is removed when the load balancer sends no visitor there. Returns the servers that get the
// live release now: new ones, and those that were about to leave, which deployments have left out.
async function changeSet(
  tx: PoolClient,
  ctx: RequestContext,
  project: PlacedProject,
  serverIds: readonly number[],
): Promise<number[]> {
  const present = (await listPlacements(tx, project.id)).filter(({ role }) => role !== "own");
  const leaving = present.filter(({ role, server_id: id }) => role === "replica" && !serverIds.includes(id));
  for (const { server_id: serverId } of leaving)
    await changeRole(tx, { projectId: project.id, serverId }, { from: "replica", to: "leaving" });
  for (const { server_id: serverId } of leaving) await cancelQueuedOn(tx, ctx, { projectId: project.id, serverId });
  const roles = new Map(present.map(({ server_id: id, role }) => [id, role]));
  const added = serverIds.filter((id) => roles.get(id) !== "replica");
  for (const serverId of added) {
    const placement = { projectId: project.id, serverId };
    if (roles.has(serverId)) {
      await changeRole(tx, placement, { from: "leaving", to: "replica" });
      continue;
    }
    const portPair = isNode(project) ? await takePortPair(tx, serverId) : null;
    await insertPlacement(tx, { ...placement, role: "replica", portPair });
  }
  return added;
}

// The live commit, not the newest of the branch.
async function queueFirst(tx: PoolClient, ctx: RequestContext, project: PlacedProject, serverId: number) {
  const { live_deployment_id: liveId } = project.placement;
  const live = liveId === null ? undefined : await findDeploymentForWork(tx, liveId);
  return queueDeployment(tx, ctx, {
    organizationId: project.organization_id,
    projectId: project.id,
    serverId,
    initiatedBy: ctx.actor.userId,
    processType: "deployment",
    branch: live?.git_branch ?? project.repository_branch ?? "",
    tag: live?.git_tag ?? null,
    commitId: live?.commit_id ?? null,
    commitUrl: live?.commit_url ?? null,
    rollingOf: liveId,
    description: "Installation behind the load balancer",
  });
}

/** Makes the project's own server, and then the load balancer, follow the rows. */
async function follow(tx: PoolClient, ctx: RequestContext, { id }: ProjectRow): Promise<void> {
  const project = await lockProject(tx, ctx.actor, id);
  if (!project) throw notFound("The project");
  await beginPublication(tx, ctx, project);
  await emitUpdated(tx, project);
}

/** Removes a project from its load balancer: its own server serves it again. */
export async function unbalanceProject(ctx: RequestContext, id: number) {
  await transaction(ctx.pool, async (tx) => {
    const project = await lockProject(tx, ctx.actor, id);
    if (!project) throw notFound("The project");
    await balancingCapabilities.refuse("unbalance", projectState(project));
    const balancerId = project.site.load_balancer_id as number;
    await setBalancer(tx, id, null);
    for (const { role, server_id: serverId } of await listPlacements(tx, id)) {
      if (role !== "own") await cancelQueuedOn(tx, ctx, { projectId: id, serverId });
    }
    await removeFurther(tx, ctx, project);
    await removeFromBalancer(tx, ctx, project, balancerId);
    await follow(tx, ctx, project);
    if (project.site.ssl_is_enabled) await queueCertificateCheck(tx, ctx, id);
  });
  return { message: "The project serves by itself again. Its domains must point to its own server.", project_id: id };
}
