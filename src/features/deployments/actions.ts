import type { PoolClient } from "pg";
import type { Static } from "typebox";
import type { WithQueue } from "../../context.ts";
import { pipelined, transaction } from "../../db/transaction.ts";
import { type LogPageRequest, listLogSteps } from "../../engine/runs/log.ts";
import { commitUrl, isBranchName } from "../../host/git/git.ts";
import { planned, planOf } from "../../http/dry-run.ts";
import type { LogSearchQuery } from "../../http/logs.ts";
import { endRehearsal } from "../../http/rehearsal.ts";
import { type Partly, type RequestContext, StreamAnswer } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import { AppError, type FieldErrors, notFound } from "../../lib/errors.ts";
import { firstAnswer } from "../../lib/hooks.ts";
import { serializeByKey } from "../../lib/serialize.ts";
import { createProject, getProject } from "../projects/actions.ts";
import { projectState } from "../projects/capabilities.ts";
import { findProjectOn, listProjectsForWork, listReplicas, listSourceTypes, lockProject } from "../projects/queries.ts";
import type { PlacedProject, ProjectRequest } from "../projects/schema.ts";
import { wakeDispatch, wakeDispatches } from "../servers/dispatch.ts";
import { gitRoots, repositoryOf } from "../sources/hosts.ts";
import { deployingCapabilities, deploymentCapabilities } from "./capabilities.ts";
import { emitDeployment, emitDeployments } from "./events.ts";
import { deploymentHooks, procedureOf } from "./hooks.ts";
import { listLogParts, readDeploymentLog, readOutput, searchDeploymentLog, streamLog } from "./log.ts";
import {
  findDeployment,
  hasUnended,
  insertDeployment,
  insertDeployments,
  listOfCommit,
  lockProjects,
  type NewDeployment,
  type QueuedDeployment,
  setCommitUrls,
} from "./queries.ts";
import { deploymentRecords } from "./records/actions.ts";
import { findRelated } from "./records/queries.ts";
import { isMadeInPlace, listRollbackCandidates } from "./releases/queries.ts";
import { keptRelease } from "./releases.ts";
import { type DeploymentRequest, type DeploymentRow, deploymentStatus, placementOf } from "./schema.ts";

const candidatesShown = 50;
/**
 * From this many deployments on, an organization's requests run one at a time in a process. Concurrent ones would lock the same
 * projects and servers, for which PostgreSQL then keeps lists: together they would take longer than one after the other, and no
 * deployment could begin before the last has ended. Waiting requests would also hold connections that others need. Queued
 * deployments begin in between.
 */
const manyAtOnce = 20;
const serializedPerOrganization = serializeByKey<number>((tookMs) => Math.min(2 * tookMs, 100));

/** Creates a project and queues the deployment that installs it. */
export async function installProject(ctx: RequestContext, body: Static<typeof ProjectRequest>) {
  const id = await createProject(ctx, body, async (tx, project) => {
    await queueDeployment(tx, ctx, {
      organizationId: ctx.actor.organizationId,
      projectId: project.id,
      serverId: project.serverId,
      initiatedBy: ctx.actor.userId,
      processType: "deployment",
      branch: body.git_repository.branch,
      description: "Installation",
    });
  });
  return { message: "The project was created. Its installation has started.", project_id: String(id) };
}

type Request = Static<typeof DeploymentRequest>;

export const checkRequest = (
  _: RequestContext,
  { body: { branch, ...body } }: { body: Partly<Request> },
): FieldErrors => ({
  ...(branch !== undefined && !isBranchName(branch) && { branch: "The branch must be the name of a git branch." }),
  ...(body.idempotent_per_commit &&
    body.commit_id === undefined && { commit_id: "idempotent_per_commit needs the commit." }),
});

/** Queues one deployment for each project: all, or none if one of them cannot be deployed. */
export async function requestDeployments(ctx: RequestContext, body: Request) {
  const ids = [...new Set(body.project_ids)];
  await refuseUndeployable(ctx, ids);
  const request = { ...body, project_ids: ids, commit_id: body.commit_id?.toLowerCase() };
  const queueAll = () => transaction(ctx.pool, (tx) => queueRequested(tx, ctx, request));
  const { organizationId } = ctx.actor;
  const queued = await (ids.length < manyAtOnce ? queueAll() : serializedPerOrganization(organizationId, queueAll));
  return { message: messageOf(queued), deployment_ids: queued.map(({ id }) => id) };
}

async function refuseUndeployable(ctx: RequestContext, ids: readonly number[]): Promise<void> {
  const projects = await listSourceTypes(ctx.pool, ctx.actor, ids);
  const found = new Set(projects.map((project) => project.id));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length === 1) throw notFound(`Project ${missing[0]}`);
  if (missing.length > 1) throw new AppError("not_found", `Projects ${missing.join(", ")} were not found.`);
  const apps = projects.filter((project) => project.source_type === "app").map((project) => project.id);
  if (apps.length > 0) {
    const { message, reason } = deployingCapabilities.refusal("deploy", "is_app", { id: apps.join(", ") });
    throw new AppError("invalid", message, { fields: { project_ids: message }, reason });
  }
  endRehearsal();
}

/** The deployment of a requested project: a new one, or with `idempotent_per_commit` one that there is. */
interface Answered {
  id: number;
  isNew: boolean;
}

/** In the order of the ids. */
async function queueRequested(
  tx: PoolClient,
  ctx: RequestContext,
  { project_ids: ids, branch, commit_id: commitId, idempotent_per_commit: isIdempotent }: Request,
): Promise<Answered[]> {
  // Of requests for the same commit, the second sees what the first has queued.
  await lockProjects(tx, ids);
  const present = isIdempotent && commitId !== undefined ? await listOfCommit(tx, ids, commitId) : [];
  const answered = new Map(present.map(({ project_id, id }) => [project_id, { id, isNew: false }]));
  const projectIds = ids.filter((id) => !answered.has(id));
  const queued = await insertDeployments(tx, ctx.actor, {
    projectIds,
    branch,
    commitId,
    description: "Requested by hand",
  });
  // One of them was deleted after the check.
  if (queued.length < projectIds.length) throw notFound("One of the projects");
  for (const { project_id, id } of queued) answered.set(project_id, { id, isNew: true });
  if (commitId !== undefined) await linkCommit(tx, ctx, queued, commitId);
  const serverIds = queued.map(({ server_id }) => server_id);
  await pipelined(emitDeployments(tx, ctx, queued), wakeDispatches(tx, ctx.queue, serverIds));
  return ids.map((id) => answered.get(id) as Answered);
}

async function linkCommit(tx: PoolClient, ctx: RequestContext, queued: readonly QueuedDeployment[], commitId: string) {
  const projects = await listProjectsForWork(
    tx,
    queued.map(({ project_id }) => project_id),
  );
  const urls = queued.flatMap(({ id, project_id: projectId }) => {
    const project = projects.find((each) => each.id === projectId);
    const repository = project && repositoryOf(ctx.config, project);
    const url = repository && commitUrl(repository.url, commitId, gitRoots(ctx.config));
    return url === undefined ? [] : [{ id, url }];
  });
  await setCommitUrls(tx, urls);
}

function messageOf(answered: readonly Answered[]): string {
  const queued = answered.filter(({ isNew }) => isNew).length;
  const present = answered.length - queued;
  const sentences = [
    ...(queued > 0 ? [queued === 1 ? "The deployment was queued." : `${queued} deployments were queued.`] : []),
    ...(present > 0
      ? [
          present === 1
            ? "A deployment of the commit is there already."
            : `${present} deployments of the commit are there already.`,
        ]
      : []),
  ];
  return sentences.join(" ");
}

const newDeployment = (ctx: RequestContext, project: PlacedProject, description: string): NewDeployment => ({
  organizationId: project.organization_id,
  projectId: project.id,
  serverId: project.placement.server_id,
  initiatedBy: ctx.actor.userId,
  processType: "deployment",
  branch: project.repository_branch ?? "",
  description,
});

/** Record, job and event of a queued deployment, in the caller's transaction. */
export async function queueDeployment(tx: PoolClient, ctx: WithQueue, deployment: NewDeployment): Promise<number> {
  const id = await insertDeployment(tx, deployment);
  await emitDeployment(tx, ctx, {
    organization_id: deployment.organizationId,
    project_id: deployment.projectId,
    server_id: deployment.serverId,
    id,
    status: deploymentStatus.queued,
  });
  await wakeDispatch(tx, ctx.queue, deployment.serverId);
  return id;
}

async function getDeployment(ctx: RequestContext, id: number): Promise<DeploymentRow> {
  const deployment = await findDeployment(ctx.pool, ctx.actor, id);
  if (!deployment) throw notFound("The deployment");
  return deployment;
}

/** A deployment with its log: the user's lines and the platform's. */
export async function showDeployment(ctx: RequestContext, id: number) {
  const deployment = await findRelated(ctx.pool, ctx.actor, id);
  if (!deployment) throw notFound("The deployment");
  const { process_type } = deployment;
  const parts = await listLogParts(ctx.pool, ctx, deployment);
  const [[record], output, steps] = await Promise.all([
    deploymentRecords(ctx, [deployment] as const),
    readOutput(ctx.pool, deployment.id, parts),
    listLogSteps(ctx.pool, parts),
  ]);
  return { ...(record as NonNullable<typeof record>), output: { process_type, ...output }, steps };
}

export const showLog = async (ctx: RequestContext, id: number, page: LogPageRequest) =>
  readDeploymentLog(ctx.pool, ctx, await getDeployment(ctx, id), page);

export const findInLog = async (ctx: RequestContext, id: number, query: Static<typeof LogSearchQuery>) =>
  searchDeploymentLog(ctx.pool, ctx, await getDeployment(ctx, id), query);

export const downloadLog = async (ctx: RequestContext, id: number): Promise<StreamAnswer> =>
  new StreamAnswer("text/plain; charset=utf-8", await streamLog(ctx.pool, ctx, await getDeployment(ctx, id)));

/** Cancels a queued deployment at once, asks a running one to stop at its next checkpoint, and refuses otherwise. */
export async function cancelDeployment(ctx: RequestContext, id: number) {
  const deployment = await getDeployment(ctx, id);
  const state = await transaction(ctx.pool, async (tx) => {
    const reached = await procedureOf(ctx, deployment).cancel(tx, ctx, deployment);
    await emitDeployment(tx, ctx, { ...deployment, status: deploymentStatus[reached] });
    return reached;
  });
  const message =
    state === "cancelled" ? "The deployment was cancelled." : "The deployment stops at its next checkpoint.";
  return { message, deployment_id: id, state };
}

/** Queues a new deployment of a failed deployment's commit. */
export async function rerunDeployment(ctx: RequestContext, id: number) {
  const failed = await getDeployment(ctx, id);
  await deploymentCapabilities.refuse("rerun", failed);
  const deploymentId = await transaction(ctx.pool, async (tx) => {
    const own = await lockProject(tx, ctx.actor, failed.project_id);
    if (!own) throw notFound("The project");
    // The part of a rolling deployment on a further server is run again there.
    const isOnReplica = failed.rolling_of !== null;
    const project = isOnReplica ? await findProjectOn(tx, placementOf(failed)) : own;
    if (!project || (isOnReplica && project.placement.role !== "replica"))
      throw deploymentCapabilities.refusal("rerun", "server_left");
    // It has nothing that a deployment could build.
    if (project.source_type === "app") throw deploymentCapabilities.refusal("rerun", "is_recycle_of_app");
    endRehearsal();
    return queueDeployment(tx, ctx, {
      ...newDeployment(ctx, project, `Rerun of deployment ${id}`),
      ...commitOf(failed),
      ...(await rerunMode(tx, failed, project)),
      rollingOf: failed.rolling_of,
    });
  });
  return { message: "The deployment was queued again.", deployment_id: deploymentId };
}

/** The commit of a deployment, for a request of the same. */
export const commitOf = (deployment: DeploymentRow) => ({
  branch: deployment.git_branch,
  tag: deployment.git_tag,
  commitId: deployment.commit_id,
  commitUrl: deployment.commit_url,
  commitAuthor: deployment.commit_author,
  commitMessage: deployment.commit_message,
});

// A rollback or recycle is rerun as such, so that nothing is built without need. A recycle is so only while its release is live
// and no deployment before it makes another release live: otherwise it would bring back an old release.
async function rerunMode(
  tx: PoolClient,
  { process_type: type, release_id: releaseId }: DeploymentRow,
  project: PlacedProject,
) {
  const isStillLive = releaseId === project.placement.live_release_id && !(await hasUnended(tx, project.id));
  const isSame = type === "rollback" || (type === "recycle" && isStillLive);
  return isSame ? { processType: type, releaseId } : {};
}

export async function showRollbackCandidates(ctx: RequestContext, projectId: number) {
  await getProject(ctx, projectId);
  const candidates = await listRollbackCandidates(ctx.pool, projectId, candidatesShown);
  return candidates.map((deployment) => ({ ...deployment, commit_id: deployment.commit_id as string }));
}

// On the further servers the rollback follows that of the project's own server.
async function getRollbackTarget(ctx: RequestContext, id: number): Promise<DeploymentRow> {
  const asked = await getDeployment(ctx, id);
  return asked.rolling_of === null ? asked : getDeployment(ctx, asked.rolling_of);
}

/** What a rollback would do now: which release, whether it is still there, and whether something has to be built. */
async function plannedRollback(ctx: RequestContext, own: PlacedProject, target: DeploymentRow) {
  const kept: boolean[] = [];
  for (const project of [own, ...(await listReplicas(ctx.pool, own.id))])
    kept.push((await keptRelease(ctx.pool, target, project)) !== undefined);
  const { id: deployment_id, release_id, git_branch, git_tag, commit_id } = target;
  const release = { deployment_id, release_id, git_branch, git_tag, commit_id, is_kept: kept[0] === true };
  const needsBuild = kept.includes(false);
  const how = needsBuild ? "and its commit would be built again" : "as it is on the server";
  const message = `The release of deployment ${deployment_id} would become live, ${how}.`;
  return planned({ message, plan: planOf({ needs_build: needsBuild, release }) });
}

/** Queues a deployment that makes an earlier successful one live again. A dry run only reports which release that is. */
export async function rollBack(ctx: RequestContext, id: number, isDryRun = false) {
  const target = await getRollbackTarget(ctx, id);
  const project = await getProject(ctx, target.project_id);
  await deploymentCapabilities.refuse("roll_back", target, { live: () => isLiveOn(project, target) });
  if (isDryRun) return plannedRollback(ctx, project, target);
  const deploymentId = await transaction(ctx.pool, (tx) =>
    queueDeployment(tx, ctx, {
      ...rollbackTo(project, target),
      initiatedBy: ctx.actor.userId,
      description: `Rollback to deployment ${target.id}`,
    }),
  );
  return success({ message: "The rollback was queued.", deployment_id: deploymentId });
}

// Also an earlier deployment, when a rollback or recycle has made its release live again.
const isLiveOn = ({ placement }: PlacedProject, { id, server_id, release_id }: DeploymentRow): boolean =>
  placement.live_deployment_id === id ||
  (release_id !== null && release_id === placement.live_release_id && server_id === placement.server_id);

/** The request that makes an earlier deployment of a project live again. */
export const rollbackTo = (project: PlacedProject, target: DeploymentRow) => ({
  organizationId: project.organization_id,
  projectId: project.id,
  serverId: project.placement.server_id,
  ...commitOf(target),
  processType: "rollback" as const,
  releaseId: target.release_id,
});

/** Queues the replacement of a Node project's process with a fresh one of the live release. */
export async function recycle(ctx: RequestContext, projectId: number) {
  const deploymentId = await transaction(ctx.pool, async (tx) => {
    // The live release cannot change before the commit: a recycle of an earlier one would bring it back.
    const project = await lockProject(tx, ctx.actor, projectId);
    if (!project) throw notFound("The project");
    const { live_release_id: releaseId, live_deployment_id: liveId } = project.placement;
    await deployingCapabilities.refuse("recycle", projectState(project), {
      live_in_place: async () => releaseId !== null && (await isMadeInPlace(tx, project.id, releaseId)),
      deploying: () => hasUnended(tx, project.id, { onAny: true }),
      app_busy: async () => {
        const why = await firstAnswer(deploymentHooks.of(ctx), (hook) => hook.recycleRefusal?.(tx, ctx, project));
        return why !== undefined && { why };
      },
    });
    const live = liveId && (await findDeployment(tx, ctx.actor, liveId));
    return queueDeployment(tx, ctx, {
      ...newDeployment(ctx, project, "Recycle"),
      ...(live ? commitOf(live) : {}),
      processType: "recycle",
      releaseId,
    });
  });
  return { message: "The recycle was queued.", deployment_id: deploymentId, project_id: projectId };
}
