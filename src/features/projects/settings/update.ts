import { isDeepStrictEqual } from "node:util";
import type { PoolClient } from "pg";
import type { Static } from "typebox";
import { transaction } from "../../../db/transaction.ts";
import { patience } from "../../../engine/runs/await-run.ts";
import type { GitSourceType } from "../../../host/git/git.ts";
import { refuseChanged } from "../../../http/expected.ts";
import type { Partly, RequestContext } from "../../../http/route.ts";
import { isOn } from "../../../http/schemas.ts";
import { settingNames, valuesIn } from "../../../http/settings.ts";
import { cryptPassword } from "../../../lib/crypt.ts";
import { AppError, type FieldErrors, invalid, notFound } from "../../../lib/errors.ts";
import { findBasicAuth, setBasicAuth, writeSiteSettings } from "../../site-records/queries.ts";
import { type SiteBefore, type SiteRow, siteSettings } from "../../site-records/schema.ts";
import { checkChoice } from "../../sources/confirmation.ts";
import { chooseProvider } from "../../sources/queries.ts";
import { ensureHook, renewHook, syncGitHost } from "../../sources/source.ts";
import { emitUpdated } from "../events.ts";
import { findFramework, frameworks } from "../frameworks.ts";
import { groupError, groupMissing } from "../groups/actions.ts";
import { holdGroup } from "../groups/queries.ts";
import { type OpenChange, publishingOf } from "../hooks.ts";
import { frameworkOf } from "../on-server.ts";
import { findProject, lockProject } from "../queries.ts";
import type { PlacedProject, ProjectRow, ProjectUpdate } from "../schema.ts";
import { chosenSource } from "../source-choice.ts";
import { phpVersionError, projectErrors, sentences } from "../validation.ts";
import { type Changeable, writeSettings } from "./queries.ts";
import { projectSettings } from "./schema.ts";

type Requested = Static<typeof ProjectUpdate>;
/** The request, with the type of the host in place of a connected account. */
type Update = Omit<Requested, "git_repository"> & {
  git_repository?: { repo?: string; type?: GitSourceType; branch?: string };
};

// A request that only saves settings waits no longer than this for the web server, even where others may.
const appliedWithinMs = 15_000;

/**
 * Changes the given settings of a project. Nothing is deployed: build settings apply to the next deployment. Settings that the
 * web server applies without a deployment take effect at once, or are taken back when it rejects them.
 */
export async function updateProject(ctx: RequestContext, id: number, asked: Requested) {
  const { body, account, error } = await chosenSource(ctx, asked);
  if (error) throw invalid({ "git_repository.type": error });
  const publication = await transaction(ctx.pool, async (tx) => {
    const { project, begun } = await saveUpdate(tx, ctx, id, body as Update);
    if (!body.git_repository) {
      if (body.deploy_tags !== undefined) await syncGitHost(tx, ctx, id);
      return begun;
    }
    // Registrations at the former host are removed, and made at the present one.
    await ensureHook(tx, ctx, id);
    await checkChoice(tx, ctx, id, project);
    // Each type of host proves deliveries differently: for a type without signatures the address is the only proof, and the
    // former host has it.
    const { type } = body.git_repository;
    if (type !== undefined && type !== project.repository_type) await renewHook(tx, ctx, id);
    if (account !== undefined) await chooseProvider(tx, id, account?.id ?? null);
    await syncGitHost(tx, ctx, id);
    return begun;
  });
  const message = publication ? await publishedMessage(ctx, publication, asked) : "The project was updated.";
  return { message, project_id: id };
}

async function saveUpdate(
  tx: PoolClient,
  ctx: RequestContext,
  id: number,
  body: Update,
): Promise<{ project: PlacedProject; begun: OpenChange | undefined }> {
  const project = await lockProject(tx, ctx.actor, id);
  if (!project) throw notFound("The project");
  refuseChanged(ctx, project);
  // The project may have changed since it was checked.
  const errors = updateErrors(project, body);
  const groupId = body.project_group_id;
  if (groupId && !(await holdGroup(tx, ctx.actor, groupId))) errors.project_group_id = groupMissing;
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const settings = settingsAfter(project, body);
  const settingsOfSite = valuesIn(siteSettings, project.site, body);
  const hash = body.basic_auth === undefined ? null : await findBasicAuth(tx, id);
  await writeSettings(tx, id, settings, changesRelease(settings, project));
  await writeSiteSettings(tx, id, settingsOfSite);
  const auth = body.basic_auth === undefined ? {} : await setBasicAuth(tx, id, encryptedAuth(ctx, body.basic_auth));
  await emitUpdated(tx, project);
  const site = { ...settingsOfSite, ...auth };
  const after = { ...project, ...settings, site: { ...project.site, ...site } };
  // A new framework may also change what is served, but only with the next deployment.
  const before = replacedBy(site, project.site);
  if (Object.keys(before).length === 0 || !project.placement.is_prepared) return { project, begun: undefined };
  return { project, begun: await publishingOf(ctx).beginChange(tx, ctx, after, { before, hash }) };
}

/** What a release is made of, and how its processes run: changes of the others leave nothing for the next deployment to do. */
const releaseSettings = [
  ...([
    "framework_id",
    "repository",
    "repository_branch",
    "custom_commands",
    "max_memory",
    "shared_directories",
  ] as const),
  ...(["shared_files", "output_directory", "php_version", "node_version", "zero_downtime"] as const),
];

const changesRelease = (after: Changeable, before: ProjectRow): boolean =>
  releaseSettings.some((name) => !isDeepStrictEqual(after[name], before[name]));

/** The site's values that an update replaces; with a password, also the user, who may stay the same. */
function replacedBy(site: Partial<SiteRow>, former: SiteRow): SiteBefore {
  const names = Object.keys(site) as (keyof SiteRow)[];
  const changed = names.filter((name) => JSON.stringify(site[name]) !== JSON.stringify(former[name]));
  const replaced = changed.map((name) => (name === "basic_auth_version" ? "basic_auth_user" : name));
  return Object.fromEntries(replaced.map((name) => [name, former[name]]));
}

/** The stored form of a site's user and password; null: no password. */
export function encryptedAuth<Auth extends Exclude<Update["basic_auth"], undefined>>(
  { secrets }: RequestContext,
  auth: Auth,
) {
  if (auth === null) return null;
  const { username: user, password } = auth;
  return { user, hash: secrets.encrypt(`${user}:${cryptPassword(password)}\n`) };
}

async function publishedMessage(ctx: RequestContext, change: OpenChange, asked: Requested): Promise<string> {
  const timeoutMs = Math.min(appliedWithinMs, patience(ctx));
  const { outcome, error, refused } = await publishingOf(ctx).followChange(ctx, change, timeoutMs);
  if (refused !== undefined) {
    const isAll = Object.keys(asked).every((field) => siteFields.has(field));
    throw new AppError("refused", isAll ? refused : `${refused} The other settings of the request were saved.`);
  }
  if (outcome === "succeeded") return "The project was updated, and the web server follows it.";
  if (outcome === undefined) return "The project was updated. The web server will follow as soon as it can.";
  throw new AppError("refused", error ?? "The project was deleted.");
}

/** The errors of an update, beyond the schema. */
export async function checkUpdate(
  ctx: RequestContext,
  { params, body: asked }: { params: { id: number }; body: Partly<Requested> },
): Promise<FieldErrors> {
  const project = await findProject(ctx.pool, ctx.actor, params.id);
  if (!project) throw notFound("The project");
  const { body, error } = await chosenSource(ctx, asked);
  const project_group_id = await groupError(ctx, body.project_group_id);
  return { ...updateErrors(project, body), ...sentences({ project_group_id, "git_repository.type": error }) };
}

/** The errors of an update of this project, by field; the group is looked up elsewhere. */
function updateErrors(project: ProjectRow, body: Partly<Update>): FieldErrors {
  const isApp = project.source_type === "app";
  const repository = body.git_repository && !isApp ? repositoryAfter(project, body) : undefined;
  return {
    ...projectErrors({ ...body, git_repository: repository }),
    ...sentences({
      ...frameworkErrors(project, body),
      ...(isApp ? deploymentErrors(project, body) : {}),
      git_repository: body.git_repository && isApp ? "A catalog app has no repository." : undefined,
      php_version: phpVersionError(frameworkOf(project), body.php_version, project.source_type),
    }),
  };
}

function frameworkErrors(project: ProjectRow, { framework, framework_id: id }: Partly<Update>) {
  const named = frameworks.find((each) => each.name === framework);
  if (named && id !== undefined && named.id !== id) {
    return {
      framework: `The framework is ${named.name}, but the framework id ${id} is another one: send either of them.`,
    };
  }
  const field = framework === undefined ? "framework_id" : "framework";
  const wanted = named ?? (id === undefined ? undefined : findFramework(id));
  const current = frameworkOf(project);
  if (!wanted || wanted.id === current.id) return {};
  if (project.source_type === "app") return { [field]: `A catalog app keeps its framework, ${current.label}.` };
  if (wanted.runtimeFamily === current.runtimeFamily) return {};
  const family = `${current.label} runs on ${current.runtimeFamily}, ${wanted.label} on ${wanted.runtimeFamily}`;
  return { [field]: `A project can only switch to a framework of its own runtime: ${family}.` };
}

/** The errors of settings of deployments, which a catalog app does not have. Present values are accepted: they change nothing. */
const deploymentErrors = (project: ProjectRow, body: Partly<Update>) => ({
  auto_deploy_is_active:
    isOn(body.auto_deploy_is_active ?? false) && !project.auto_deploy_is_active
      ? "A catalog app has no deployments, so a push cannot start one."
      : undefined,
  deploy_tags:
    body.deploy_tags && !project.deploy_tags
      ? "A catalog app has no deployments, so a tag cannot start one."
      : undefined,
  zero_downtime:
    body.zero_downtime === false && project.zero_downtime
      ? "A catalog app has no deployments that could be made in place."
      : undefined,
});

const repositoryAfter = (project: ProjectRow, { git_repository: given = {} }: Partly<Update>) => ({
  repo: given.repo ?? project.repository ?? undefined,
  type: given.type ?? project.repository_type ?? undefined,
  branch: given.branch ?? project.repository_branch ?? undefined,
});

/** What an update writes; omitted settings stay. */
function settingsAfter(project: ProjectRow, body: Update): Changeable {
  const repository = repositoryAfter(project, body);
  const named = frameworks.find((each) => each.name === body.framework);
  return {
    ...valuesIn(projectSettings, project, body),
    name: body.name ?? project.name,
    framework_id: named?.id ?? body.framework_id ?? project.framework_id,
    repository_type: repository.type ?? null,
    repository: repository.repo ?? null,
    repository_branch: repository.branch ?? null,
  };
}

/** The fields of a request that are taken back when the web server rejects the site. */
const siteFields: ReadonlySet<string> = new Set([...settingNames(siteSettings), "basic_auth"]);
