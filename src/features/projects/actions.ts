import type { PoolClient } from "pg";
import type { Static } from "typebox";
import type { Db } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { domainName } from "../../host/domain.ts";
import type { GitSourceType } from "../../host/git/git.ts";
import { planOf } from "../../http/dry-run.ts";
import type { Partly, RequestContext } from "../../http/route.ts";
import { isOn } from "../../http/schemas.ts";
import { initialIn } from "../../http/settings.ts";
import { type FieldErrors, invalid, notFound } from "../../lib/errors.ts";
import { listLosses } from "../databases/queries.ts";
import { takePortPair } from "../placements/queries.ts";
import { meetServer } from "../servers/actions.ts";
import { whyNoProjects } from "../servers/capabilities.ts";
import { findServer } from "../servers/queries.ts";
import { claimSite, namesClaimed, nameTaken, reservedError } from "../site-records/names.ts";
import { type NewSite, setBasicAuth, takenNames } from "../site-records/queries.ts";
import { type DomainSet, type SiteSettings, siteSettings } from "../site-records/schema.ts";
import { checkChoice } from "../sources/confirmation.ts";
import { chooseProvider } from "../sources/queries.ts";
import { ensureHook, syncGitHost } from "../sources/source.ts";
import { projectCapabilities } from "./capabilities.ts";
import { emitUpdated } from "./events.ts";
import { findFramework, frameworks } from "./frameworks.ts";
import { groupError, groupMissing } from "./groups/actions.ts";
import { holdGroup } from "./groups/queries.ts";
import { projectHooks } from "./hooks.ts";
import {
  deletePin,
  findProject,
  findProjectOn,
  findShownProject,
  insertPin,
  insertProject,
  isNameTaken,
  lockNames,
  lockProject,
  lockServerRow,
  type NewProject,
} from "./queries.ts";
import { recordsOf } from "./records.ts";
import { lockForDeletion, removeProject } from "./removal.ts";
import type { PlacedProject, ProjectRequest, ProjectRow } from "./schema.ts";
import { changesAfter } from "./settings/environment-changes.ts";
import { initialSettings, type ProjectSettings, projectSettings } from "./settings/schema.ts";
import { encryptedAuth } from "./settings/update.ts";
import { chosenSource } from "./source-choice.ts";
import { phpVersionError, projectErrors, sentences } from "./validation.ts";

/** A project in the actor's reach, in its visible form; 404 otherwise. */
export async function showProject(ctx: RequestContext, id: number) {
  const project = await findShownProject(ctx.pool, ctx.actor, id);
  const [record] = await recordsOf(ctx, project ? [project] : []);
  if (!record) throw notFound("The project");
  return record;
}

/** Pins the project for the user; idempotent. */
export async function pinProject(ctx: RequestContext, id: number) {
  if (!(await insertPin(ctx.pool, ctx.actor, id))) throw notFound("The project");
  return { is_pinned: true };
}

export async function unpinProject(ctx: RequestContext, id: number) {
  if (!(await deletePin(ctx.pool, ctx.actor, id))) throw notFound("The project");
  return { is_pinned: false };
}

/** A project in the actor's reach; 404 otherwise. */
export async function getProject(ctx: RequestContext, id: number): Promise<PlacedProject> {
  const project = await findProject(ctx.pool, ctx.actor, id);
  if (!project) throw notFound("The project");
  return project;
}

/** A project in the actor's reach whose site is on its server, locked. */
export async function lockPrepared(tx: PoolClient, ctx: RequestContext, id: number): Promise<PlacedProject> {
  const project = await lockProject(tx, ctx.actor, id);
  if (!project) throw notFound("The project");
  if (project.placement.is_prepared) return project;
  throw projectCapabilities.refusal("publish", "not_prepared");
}

/**
 * A project in the actor's reach as it is on one of its servers; default: its own. 422 if it is not on the server that the request
 * names.
 */
export async function getProjectOn(
  ctx: RequestContext,
  id: number,
  serverId: number | undefined,
): Promise<PlacedProject> {
  const project = await getProject(ctx, id);
  return serverId === undefined ? project : placed(ctx.pool, project, serverId);
}

/**
 * A project that the caller has found in reach, as it is on the server that the request names. The destination of a move is not
 * one of its servers yet.
 */
export async function placed(db: Db, { id: projectId }: ProjectRow, serverId: number): Promise<PlacedProject> {
  const found = await findProjectOn(db, { projectId, serverId });
  if (!found || found.placement.role === "arriving") throw invalid({ server_id: "The project is not on this server." });
  return found;
}

export const showFrameworks = () =>
  frameworks.map(({ id, name, label, runtimeFamily, defaults, publicDirectory }) => ({
    id,
    name,
    label,
    runtime_family: runtimeFamily,
    defaults,
    public_directory: publicDirectory,
    zero_downtime: true,
  }));

/** Called in the transaction that creates the project: its installation is the first deployment. */
export type OnProjectCreated = (tx: PoolClient, project: { id: number; serverId: number }) => Promise<void>;

/** Creates a git project; `onCreated` queues its preparation on the server and its first deployment. */
export async function createProject(
  ctx: RequestContext,
  asked: Static<typeof ProjectRequest>,
  onCreated: OnProjectCreated,
): Promise<number> {
  const { body: chosen, account, error } = await chosenSource(ctx, asked);
  if (error) throw invalid({ "git_repository.type": error });
  const body = chosen as SourcedRequest;
  const domain = domainName(body.domain) as string;
  const site: NewSite = {
    ...initialIn(siteSettings, body),
    domain,
    www_redirect: body.www_redirect ?? 0,
    ssl_is_enabled: isOn(body.ssl_is_enabled ?? 0),
  };
  await meetServer(ctx, body.server_id);
  return transaction(ctx.pool, async (tx) => {
    // Both keep the checks valid until the commit.
    if (!(await lockServerRow(tx, body.server_id))) throw invalid({ server_id: serverMissing });
    if (body.project_group_id && !(await holdGroup(tx, ctx.actor, body.project_group_id))) {
      throw invalid({ project_group_id: groupMissing });
    }
    const id = await insertWithSite(tx, newProject(ctx, body), site);
    await ensureHook(tx, ctx, id);
    if (account) await chooseProvider(tx, id, account.id);
    await checkChoice(tx, ctx, id);
    await syncGitHost(tx, ctx, id);
    await onCreated(tx, { id, serverId: body.server_id });
    await emitUpdated(tx, { id, home_server_id: body.server_id, organization_id: ctx.actor.organizationId });
    return id;
  });
}

export interface AppProject {
  name: string;
  serverId: number;
  domain: string;
  wwwRedirect: 0 | 1 | 2;
  frameworkId: number;
  appSlug: string;
  /** The user and the password of the site. */
  basicAuth: { username: string; password: string } | undefined;
  /** Besides the initial ones. */
  settings: Partial<ProjectSettings> | undefined;
  siteSettings: Partial<SiteSettings> | undefined;
}

/** Creates the project of a catalog application; `onCreated` starts its preparation on the server and its installation. */
export async function createAppProject(
  ctx: RequestContext,
  app: AppProject,
  onCreated: OnProjectCreated,
): Promise<number> {
  await meetServer(ctx, app.serverId);
  return transaction(ctx.pool, async (tx) => {
    if (!(await lockServerRow(tx, app.serverId))) throw invalid({ server_id: serverMissing });
    await lockNames(tx, ctx.actor.organizationId);
    if (await isNameTaken(tx, ctx.actor.organizationId, app.name)) throw invalid({ name: projectNameTaken });
    const { domain, wwwRedirect: www_redirect, siteSettings: ofSite } = app;
    const site = { ...initialIn(siteSettings), ...ofSite, domain, www_redirect, ssl_is_enabled: false };
    const id = await insertWithSite(tx, appProject(ctx, app), site);
    if (app.basicAuth) await setBasicAuth(tx, id, encryptedAuth(ctx, app.basicAuth));
    await onCreated(tx, { id, serverId: app.serverId });
    await emitUpdated(tx, { id, home_server_id: app.serverId, organization_id: ctx.actor.organizationId });
    return id;
  });
}

/** Inserts a project with the name that it claims; both are on no other project. The caller has locked the server. */
async function insertWithSite(tx: PoolClient, project: NewProject, site: NewSite): Promise<number> {
  // Of concurrent requests for one domain, all but the first end here, before they have written anything.
  const [taken] = await takenNames(tx, namesClaimed(claimOf(site.domain, site.www_redirect)), null);
  if (taken !== undefined) throw invalid({ domain: nameTaken(taken) });
  const isNode = findFramework(project.framework_id)?.runtimeFamily === "node";
  const id = await insertProject(tx, project, isNode ? await takePortPair(tx, project.server_id) : null);
  await claimSite(tx, id, site);
  return id;
}

export const projectNameTaken = "Another project of the organization has this name.";

/** Like `checkNewProject`, for the fields of a catalog application. */
export async function checkAppProject(
  ctx: RequestContext,
  body: Partly<{ name: string; domain: string; server_id: number; www_redirect: 0 | 1 | 2 }>,
): Promise<FieldErrors> {
  const { name, domain, server_id: serverId } = body;
  const [isTaken, server_id, domainError] = await Promise.all([
    name !== undefined && isNameTaken(ctx.pool, ctx.actor.organizationId, name),
    serverId === undefined ? undefined : serverError(ctx, serverId),
    whyNotNamed(ctx, domain, body.www_redirect),
  ]);
  return {
    ...sentences({ name: isTaken ? projectNameTaken : undefined, server_id, domain: domainError }),
    ...projectErrors({ name }),
  };
}

const appProject = (ctx: RequestContext, app: AppProject): NewProject => ({
  ...initialSettings,
  ...app.settings,
  organization_id: ctx.actor.organizationId,
  server_id: app.serverId,
  name: app.name,
  framework_id: app.frameworkId,
  source_type: "app",
  app_slug: app.appSlug,
  repository_type: null,
  repository: null,
  repository_branch: null,
  environment_variables: null,
  environment_changes: {},
});

/** A request with the type of the host in place of a connected account. */
type SourcedRequest = Omit<Static<typeof ProjectRequest>, "git_repository"> & {
  git_repository: { repo: string; type: GitSourceType; branch: string };
};

const newProject = (ctx: RequestContext, body: SourcedRequest): NewProject => ({
  ...initialIn(projectSettings, { ...body, custom_commands: body.custom_commands ?? {} }),
  organization_id: ctx.actor.organizationId,
  server_id: body.server_id,
  name: body.name,
  framework_id: body.framework_id,
  source_type: "git",
  app_slug: null,
  repository_type: body.git_repository.type,
  repository: body.git_repository.repo,
  repository_branch: body.git_repository.branch,
  environment_variables: body.environment_variables ? ctx.secrets.encrypt(body.environment_variables) : null,
  environment_changes: changesAfter({ text: "", changes: {} }, body.environment_variables ?? "", {
    at: new Date(),
    by: ctx.actor.userId,
  }),
});

/** The errors of a new project beyond the schema: all of them, even if other fields are missing. */
export async function checkNewProject(
  ctx: RequestContext,
  { body: asked }: { body: Partly<Static<typeof ProjectRequest>> },
): Promise<FieldErrors> {
  const { body, error } = await chosenSource(ctx, asked);
  const [server_id, project_group_id, domain] = await Promise.all([
    body.server_id === undefined ? undefined : serverError(ctx, body.server_id),
    groupError(ctx, body.project_group_id),
    whyNotNamed(ctx, body.domain, body.www_redirect),
  ]);
  const php_version = phpVersionError(findFramework(body.framework_id ?? 0), body.php_version);
  const errors = { server_id, project_group_id, domain, php_version, "git_repository.type": error };
  return { ...projectErrors(body), ...sentences(errors) };
}

const serverMissing = "The server does not exist.";

const claimOf = (domain: string, wwwRedirect: 0 | 1 | 2 = 0): DomainSet => ({
  www_redirect: wwwRedirect,
  domains: [{ domain_name: domain, is_primary: true, is_active: true, redirect_to: null, redirect_status_code: null }],
});

/** Why a new project cannot have a domain; undefined without one. */
export async function whyNotNamed(
  ctx: RequestContext,
  text: string | undefined,
  wwwRedirect: 0 | 1 | 2 | undefined,
): Promise<string | undefined> {
  const domain = text === undefined ? undefined : domainName(text);
  if (domain === undefined) return projectErrors({ domain: text }).domain;
  const claim = claimOf(domain, wwwRedirect);
  const reserved = reservedError(ctx.config, claim);
  if (reserved) return reserved;
  const [taken] = await takenNames(ctx.pool, namesClaimed(claim), null);
  return taken === undefined ? undefined : nameTaken(taken);
}

/** Why a server in the request cannot be used; one that nothing is asked of needs not be ready. */
export async function serverError(
  ctx: RequestContext,
  serverId: number,
  { isAsked }: { isAsked: boolean } = { isAsked: true },
): Promise<string | undefined> {
  const server = await findServer(ctx.pool, ctx.actor, serverId);
  if (!server) return serverMissing;
  return isAsked ? whyNoProjects(server) : undefined;
}

/**
 * Deletes a project: its records at once, and its files on the server by a run that is retried until it succeeds or the server is
 * deleted. A deployment under way is cancelled first.
 */
export async function deleteProject(ctx: RequestContext, id: number, isDryRun: boolean) {
  const project = await getProject(ctx, id);
  if (isDryRun) return planDeletion(ctx, project);
  await transaction(ctx.pool, async (tx) => {
    await lockForDeletion(tx, ctx, id);
    const locked = await lockProject(tx, ctx.actor, id);
    if (!locked) throw notFound("The project");
    await removeProject(tx, ctx, locked);
  });
  return { message: `${project.name} was deleted. What it left on the server is being removed.`, project_id: id };
}

/** What a deletion would delete, of every feature. */
async function planDeletion(ctx: RequestContext, { id, name }: PlacedProject) {
  const scope = { projectId: id };
  const ofFeatures = projectHooks.of(ctx).map(({ listLosses }) => listLosses?.(ctx.pool, scope) ?? []);
  const lost = (await Promise.all([listLosses(ctx.pool, scope), ...ofFeatures])).flat();
  return { message: `${name} would be deleted with its files.`, project_id: id, plan: planOf({ lost }) };
}
