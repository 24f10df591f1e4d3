import type { Db } from "../../db/sql.ts";
import { bookkeeping, snapshot, transaction } from "../../db/transaction.ts";
import { findWorkflow, listPhases } from "../../engine/workflow/queries.ts";
import { startWorkflow } from "../../engine/workflow/start.ts";
import type { PhaseRecord, Workflow } from "../../engine/workflow/workflow.ts";
import { domainName } from "../../host/domain.ts";
import { projectLayout } from "../../host/layout.ts";
import { endRehearsal } from "../../http/rehearsal.ts";
import type { Partly, RequestContext } from "../../http/route.ts";
import { type FieldErrors, notFound } from "../../lib/errors.ts";
import { checkAppProject, createAppProject, getProject } from "../projects/actions.ts";
import { emitUpdated } from "../projects/events.ts";
import { findProject, lockProject, moveInstallation } from "../projects/queries.ts";
import { getServer } from "../servers/actions.ts";
import { findServer, findServerForWork } from "../servers/queries.ts";
import type { ServerRow } from "../servers/schema.ts";
import type { App } from "./app.ts";
import { appCapabilities, installingCapabilities } from "./capabilities.ts";
import { catalog, findApp } from "./catalog.ts";
import { completeAnswers, ignoredInputs, inputErrors } from "./inputs.ts";
import { type InstallData, insertAppJobs, installWorkflow } from "./installation.ts";
import { addressOf, type Installed, readInstalled } from "./planning.ts";
import { insertInstallation, setAutomaticUpdates, takeRelease } from "./queries.ts";
import { type Hosting, runtimeOf, unavailableReasons } from "./requirements.ts";
import { appInstallKind, type InstallRequest } from "./schema.ts";
import { beginUpdate, newestVersion, refuseUpdate } from "./updating.ts";
import { toolsOf } from "./versions.ts";

/** The catalog as it is for a server in the actor's reach. */
export async function showApps(ctx: RequestContext, serverId: number) {
  const server = await getServer(ctx, serverId);
  return catalog.map((app) => {
    const { slug, name, category, summary, layout, inputs } = app;
    const reasons = unavailableReasons(app, server);
    return {
      slug,
      name,
      category,
      summary,
      layout,
      available: reasons.length === 0,
      unavailable_reasons: reasons,
      inputs: inputs.map(({ key, label, type, required, generated }) => ({ key, label, type, required, generated })),
    };
  });
}

/** The errors of an installation request beyond the schema: fields, answers, and whether the server can host the application. */
export async function checkInstallation(
  ctx: RequestContext,
  { body }: { body: Partly<InstallRequest> },
): Promise<FieldErrors> {
  const app = body.app_slug === undefined ? undefined : findApp(body.app_slug);
  const errors = await checkAppProject(ctx, body);
  if (body.app_slug !== undefined && !app) errors.app_slug = unknownApp;
  const server = body.server_id === undefined ? undefined : await findServer(ctx.pool, ctx.actor, body.server_id);
  const reasons = app && server && !errors.server_id ? unavailableReasons(app, server) : [];
  if (reasons.length > 0) errors.server_id = reasons.join(" ");
  return app ? { ...errors, ...inputErrors(app, body.inputs ?? {}) } : errors;
}

const unknownApp = `The application must be one of ${catalog.map(({ slug }) => slug).join(", ")}.`;

/** Creates the project and starts its installation. Everything was checked, and is locked in the transaction. */
export async function installApp(ctx: RequestContext, body: InstallRequest) {
  const app = findApp(body.app_slug) as App;
  const domain = domainName(body.domain) as string;
  const server = (await findServer(ctx.pool, ctx.actor, body.server_id)) as ServerRow;
  const answers = completeAnswers(app, body.inputs ?? {}, { name: body.name, email: ctx.actor.email });
  const { basicAuth } = app;
  const project = {
    name: body.name,
    serverId: body.server_id,
    domain,
    wwwRedirect: body.www_redirect ?? 0,
    frameworkId: app.frameworkId,
    appSlug: app.slug,
    basicAuth: basicAuth && {
      username: answers[basicAuth.username] ?? "",
      password: answers[basicAuth.password] ?? "",
    },
    settings: app.settings,
    siteSettings: app.siteSettings,
  };
  const id = await createAppProject(ctx, project, async (tx, created) => {
    await insertInstallation(tx, created.id, ctx.secrets.encrypt(JSON.stringify(answers)));
    await insertAppJobs(tx, app, { layout: projectLayout(created.id), tools: toolsOf(ctx, app) }, created.id);
    await startInstallation(tx, ctx, created.id, { app, server });
  });
  return {
    ...ignoredInputs(app, body.inputs ?? {}),
    message: `${app.name} is being installed.`,
    data: {
      id,
      server_id: body.server_id,
      name: body.name,
      app_slug: app.slug,
      domain,
      installation_status: 0 as const,
    },
  };
}

async function startInstallation(
  tx: Parameters<typeof takeRelease>[0],
  ctx: RequestContext,
  projectId: number,
  { app, server }: { app: App; server: Hosting },
): Promise<void> {
  const data: InstallData = {
    slug: app.slug,
    release: await takeRelease(tx, projectId),
    runtime: runtimeOf(app, server) ?? null,
    details: {},
  };
  await startWorkflow(tx, ctx.queue, {
    ...appInstallKind,
    subjectId: projectId,
    organizationId: ctx.actor.organizationId,
    data,
  });
}

/** A consistent view of the project and its steps. */
export const showInstallSteps = (ctx: RequestContext, projectId: number) =>
  snapshot(ctx.pool, async (tx) => {
    const project = await findProject(tx, ctx.actor, projectId);
    if (!project) throw notFound("The project");
    const workflow = await findWorkflow(tx, { ...appInstallKind, subjectId: projectId });
    const phases = workflow ? await phasesOf(tx, ctx, workflow.id) : [];
    return {
      installation_status: project.installation_status,
      app_slug: project.app_slug,
      app_version: project.app_version,
      steps: phases.map((phase) => stepRecord(phase, workflow as Workflow<InstallData>)),
    };
  });

// A workflow has no steps before a worker begins it.
async function phasesOf(tx: Db, ctx: RequestContext, workflowId: number): Promise<PhaseRecord[]> {
  const phases = await listPhases(tx, workflowId);
  if (phases.length > 0) return phases;
  const unbegun = { state: "pending" as const, detail: null, attempts: 0, started_at: null, finished_at: null };
  return installWorkflow(ctx).phases.map(({ name, label }, position) => ({ ...unbegun, position, name, label }));
}

function stepRecord(phase: PhaseRecord, { data }: Workflow<InstallData>) {
  const { name, label, position, state, detail, started_at: started, finished_at: finished } = phase;
  const end = finished === null ? Date.now() : Date.parse(finished);
  return {
    key: name,
    label,
    position,
    status: state === "undone" ? ("completed" as const) : state,
    detail: detail ?? data.details[name] ?? null,
    duration_ms: started === null ? 0 : Math.max(0, Math.round(end - Date.parse(started))),
  };
}

/** Starts a failed installation from the top. */
export async function retryInstallation(ctx: RequestContext, projectId: number) {
  await getProject(ctx, projectId);
  const name = await transaction(ctx.pool, async (tx) => {
    const project = await lockProject(tx, ctx.actor, projectId);
    if (!project) throw notFound("The project");
    const app = findApp(project.app_slug);
    // Not through the actor: a member who reaches a listed project alone does not reach its server.
    const server = await findServerForWork(tx, project.placement.server_id);
    if (!app || !server || !(await moveInstallation(tx, projectId, 2, 0))) {
      throw installingCapabilities.refusal("retry_installation", "not_failed");
    }
    const reasons = unavailableReasons(app, server);
    if (reasons.length > 0) {
      throw installingCapabilities.refusal("retry_installation", "server_unfit", { reasons: reasons.join(" ") });
    }
    endRehearsal();
    await startInstallation(tx, ctx, projectId, { app, server });
    await emitUpdated(tx, project);
    return app.name;
  });
  return { message: `${name} is being installed again, from the top.` };
}

/** An application with its credentials; 404 for the project of a repository. */
export async function showApp(ctx: RequestContext, projectId: number) {
  const { app, project, installation, answers, database } = await getInstalled(ctx, projectId);
  const { adminUrl, credentials } = app.details({ origin: addressOf(project), answers });
  const { update_state: state, update_version: version, update_error: error, update_ended_at: ended_at } = installation;
  return {
    app_slug: app.slug,
    app_name: app.name,
    app_version: project.app_version,
    admin_url: adminUrl,
    updatable: app.update !== undefined,
    credentials,
    engine: database?.engine ?? null,
    database: database
      ? {
          engine: database.engine,
          name: database.name,
          username: database.username,
          password: database.password,
          host: "localhost",
        }
      : null,
    automatic_updates: installation.automatic_updates,
    update_available: installation.update_available,
    update_is_security: installation.update_is_security,
    last_update: state === null || version === null ? null : { state, version, error, ended_at },
  };
}

/** A consistent view of the project and its installation: an update that ends in between changes both. */
async function getInstalled(ctx: RequestContext, projectId: number): Promise<Installed> {
  const installed = await snapshot(ctx.pool, async (tx) => {
    const project = await findProject(tx, ctx.actor, projectId);
    if (!project) throw notFound("The project");
    return readInstalled(tx, ctx, project);
  });
  if (!installed) throw notFound("The application");
  return installed;
}

/** Queues an update to the newest version that runs on the server. */
export async function updateApp(ctx: RequestContext, projectId: number) {
  const seen = await getInstalled(ctx, projectId);
  const { app, project } = seen;
  // Before the versions are looked up, which takes a while; it locks, and changes nothing.
  await bookkeeping(ctx.pool, (tx) => refuseUpdate(tx, seen));
  const version = await newestVersion(ctx, app, project);
  if (!version) throw appCapabilities.refusal("update", "no_version", { app_name: app.name });
  await transaction(ctx.pool, async (tx) => {
    const locked = await lockProject(tx, ctx.actor, projectId);
    const installed = locked && (await readInstalled(tx, ctx, locked));
    if (!installed) throw notFound("The application");
    await beginUpdate(tx, ctx, installed, version);
  });
  return { message: `${app.name} is being updated to ${version.version}.` };
}

/** Changes what Longshore does automatically with an application. */
export async function changeApp(ctx: RequestContext, projectId: number, body: { automatic_updates: string }) {
  const installed = await getInstalled(ctx, projectId);
  if (!installed.app.update && body.automatic_updates !== "off") {
    throw appCapabilities.refusal("change", "not_updatable", { app_name: installed.app.name });
  }
  endRehearsal();
  await transaction(ctx.pool, async (tx) => {
    const project = await lockProject(tx, ctx.actor, projectId);
    if (!project) throw notFound("The project");
    await setAutomaticUpdates(tx, projectId, body.automatic_updates);
    await emitUpdated(tx, project);
  });
  return showApp(ctx, projectId);
}
