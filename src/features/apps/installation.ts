import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { lastOutputOf } from "../../engine/runs/output.ts";
import { type Plan, plan } from "../../engine/runs/plan.ts";
import type { Run } from "../../engine/runs/queries.ts";
import type { RunSecrets } from "../../engine/runs/runs.ts";
import type { CallPhase, Phase, RunPhase, WaitPhase, Workflow, WorkflowKind } from "../../engine/workflow/workflow.ts";
import { siteNames } from "../../host/nginx/names.ts";
import { resolveAddresses } from "../../lib/dns.ts";
import { AppError } from "../../lib/errors.ts";
import { findCertificateState } from "../certificates/queries.ts";
import { insertJob } from "../jobs/queries.ts";
import { touchJobs } from "../jobs/targets.ts";
import { setLive } from "../placements/queries.ts";
import { emitUpdated } from "../projects/events.ts";
import { findProjectForWork, lockProjectForWork, moveInstallation, setAppVersion } from "../projects/queries.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { findServerForWork } from "../servers/queries.ts";
import { queueCertificateCheck } from "../sites/certificate-queue.ts";
import { frontSite } from "../sites/front.ts";
import { recordPreparation } from "../sites/preparation.ts";
import { switchSsl } from "../sites/ssl.ts";
import { recordServedAddress } from "./addresses.ts";
import type { App, AppVersion, AppWork } from "./app.ts";
import { getApp } from "./catalog.ts";
import { findAppDatabase, gone, provideDatabase } from "./databases.ts";
import {
  downloadPlan,
  type Installed,
  installedSecrets,
  readInstalled,
  servingPlan,
  sitePlan,
  workOf,
} from "./planning.ts";
import { appInstallKind } from "./schema.ts";
import { listVersions, newestFor } from "./versions.ts";

/** The state of an installation between its phases; no secrets. */
export interface InstallData {
  slug: string;
  release: number;
  /** The server's PHP version. */
  runtime: string | null;
  version?: AppVersion;
  appVersion?: string;
  /** When SSL was switched on, in milliseconds. */
  certificateWantedAt?: number;
  /** What each finished phase produced, by its name. */
  details: Record<string, string>;
}

type Installing = Workflow<InstallData>;

const minute = 60_000;
const runTimeoutMs = 60 * minute;
const certificatePatienceMs = 3 * minute;

/** Installs an application: from requirements to a page that answers. A failed phase stops it; a retry starts from the top. */
export const installWorkflow = (ctx: Context): WorkflowKind<InstallData> => ({
  ...appInstallKind,
  phases: [
    chooseVersion(ctx),
    createDatabase(ctx),
    onServerPhase(ctx, {
      name: "site",
      label: "Prepare the site",
      planOf: (installed) => sitePlan(appInstallKind.kind, installed),
      onSucceeded: async (tx, { subjectId }, run) => {
        await recordPreparation(tx, ctx, run, subjectId);
      },
    }),
    onServerPhase(ctx, {
      name: "download",
      label: "Download and verify",
      planOf: (_, work, app) => downloadPlan(appInstallKind.kind, app, work),
    }),
    onServerPhase(ctx, {
      name: "configure",
      label: "Configure",
      planOf: (_, work, app) => stepsPlan(app.install.configure(work)),
      skip: ({ slug }) => !getApp(slug).hasSettings,
    }),
    onServerPhase(ctx, {
      name: "install",
      label: "Install",
      planOf: (_, work, app) => stepsPlan(app.install.install(work)),
      onSucceeded: readVersion,
    }),
    orderCertificate(ctx),
    onServerPhase(ctx, {
      name: "serve",
      label: "Activate and look at it through the web server",
      planOf: (installed, work) => servingPlan(appInstallKind.kind, installed, work),
      onSucceeded: recordServing(ctx),
    }),
  ] as Phase<InstallData>[],
  onChanged: async (tx, { subjectId }) => {
    const project = await findProjectForWork(tx, subjectId);
    if (project) await emitUpdated(tx, project);
  },
  onEnded: async (tx, { subjectId, state }) => {
    const moved = await moveInstallation(tx, subjectId, 0, state === "succeeded" ? 1 : 2);
    if (moved) await emitUpdated(tx, moved);
  },
});

const chooseVersion = (ctx: Context): CallPhase<InstallData> => ({
  name: "requirements",
  label: "Check the requirements",
  timeoutMs: 2 * minute,
  call: async ({ data }) => {
    const app = getApp(data.slug);
    const version = newestFor(await listVersions(ctx, app), data.runtime ?? undefined);
    if (!version) throw new AppError("refused", `No version of ${app.name} runs on this server.`, { permanent: true });
    return { version, details: { ...data.details, requirements: `${app.name} ${version.version} will be installed.` } };
  },
});

const createDatabase = (ctx: Context): CallPhase<InstallData> => ({
  name: "database",
  label: "Create the database",
  skip: ({ slug }) => !getApp(slug).needsDatabase,
  call: async ({ workflow, data, signal }) => {
    const { id, reused } = await provideDatabase(ctx, getApp(data.slug), workflow.subjectId, signal);
    const database = await findAppDatabase(ctx.pool, ctx, id);
    const detail = `The database ${database?.name} ${reused ? "was emptied" : "was created"}.`;
    return { details: { ...data.details, database: detail } };
  },
});

// Runs on the server -------------------------------------------------------------------------------------------------------

interface OnServer extends Pick<RunPhase<InstallData>, "name" | "label" | "skip" | "onSucceeded"> {
  planOf: (installed: Installed, work: AppWork, app: App) => Plan;
}

function onServerPhase(ctx: Context, { planOf, onSucceeded, ...phase }: OnServer): RunPhase<InstallData> {
  return {
    ...phase,
    timeoutMs: runTimeoutMs,
    run: async (tx, { subjectId, data: { release, version } }) => {
      if (!version) throw new Error("No version was chosen");
      const installed = await installedFor(tx, ctx, subjectId);
      const work = workOf(ctx, installed, { release, version });
      return { serverId: installed.project.placement.server_id, plan: planOf(installed, work, installed.app) };
    },
    secrets: async (workflow): Promise<RunSecrets> =>
      installedSecrets(ctx.pool, ctx, await installedFor(ctx.pool, ctx, workflow.subjectId)),
    onSucceeded: async (tx, workflow, run) => ({
      ...(await onSucceeded?.(tx, workflow, run)),
      details: { ...workflow.data.details, [phase.name]: await lastLineOf(tx, run) },
    }),
  };
}

const stepsPlan = (steps: Plan["steps"]): Plan =>
  plan(appInstallKind.kind, steps, { pointOfNoReturn: steps.at(-1)?.key ?? "" });

/** Inside or outside a transaction; throws a permanent error if the project is gone. */
async function installedFor(db: Db, ctx: Context, projectId: number): Promise<Installed> {
  const project = await findProjectForWork(db, projectId);
  const installed = project && (await readInstalled(db, ctx, project));
  if (!installed) throw gone();
  return installed;
}

async function lastLineOf(tx: PoolClient, run: Run): Promise<string> {
  for (let position = run.plan.steps.length - 1; position >= 0; position--) {
    const lines = (await lastOutputOf(tx, run.id, position)).trimEnd().split("\n");
    const last = lines.at(-1)?.trim();
    if (last) return last;
  }
  return "";
}

/** The version that the application reported of itself in the steps of a run. */
export async function versionIn(tx: PoolClient, run: Run): Promise<string | undefined> {
  for (const key of ["upgrade-database", "install"]) {
    const position = run.plan.steps.findIndex((step) => step.key === key);
    const output = position === -1 ? "" : await lastOutputOf(tx, run.id, position);
    const version = /^Version (\d{1,6}(?:\.\d{1,6}){0,3})$/m.exec(output)?.[1];
    if (version !== undefined) return version;
  }
  return undefined;
}

async function readVersion(tx: PoolClient, workflow: Installing, run: Run): Promise<Partial<InstallData>> {
  return { appVersion: (await versionIn(tx, run)) ?? workflow.data.version?.version ?? "" };
}

const recordServing =
  (ctx: Context): NonNullable<OnServer["onSucceeded"]> =>
  async (tx, { subjectId: projectId, data }, run) => {
    const port = run.facts.live_port;
    const project = await lockProjectForWork(tx, projectId);
    if (!project) return;
    const live = { releaseId: data.release, port: port === undefined ? null : Number(port) };
    await setLive(tx, { projectId, serverId: project.placement.server_id }, live);
    await setAppVersion(tx, projectId, data.appVersion ?? "");
    await recordServedAddress(tx, projectId, run);
    await touchJobs(tx, ctx, project, { again: true });
  };

// Certificate --------------------------------------------------------------------------------------------------------------

/** TLS if the names resolve to this server already. The installation continues without a certificate. */
const orderCertificate = (ctx: Context): WaitPhase<InstallData> => ({
  name: "certificate",
  label: "Order a certificate",
  everyMs: 1_000,
  timeoutMs: certificatePatienceMs + minute,
  until: async ({ workflow, data, save }) => {
    const project = await findProjectForWork(ctx.pool, workflow.subjectId);
    if (!project) throw gone();
    const detail = (certificate: string) => ({ details: { ...data.details, certificate } });
    if (project.site.certificate) return detail("The site is served over HTTPS.");
    if (data.certificateWantedAt === undefined) {
      const elsewhere = await nameElsewhere(ctx, project);
      if (elsewhere !== undefined)
        return detail(`${elsewhere} does not point to this server yet: no certificate was ordered.`);
      await save({ certificateWantedAt: Date.now() }, (tx) => wantCertificate(tx, ctx, project.id));
      return undefined;
    }
    const state = await findCertificateState(ctx.pool, project.id);
    if (state && state.failures > 0) return detail("No certificate could be had yet; Longshore tries again by itself.");
    if (Date.now() - data.certificateWantedAt < certificatePatienceMs) return undefined;
    return detail("The certificate is still being ordered.");
  },
});

async function wantCertificate(tx: PoolClient, ctx: Context, projectId: number): Promise<void> {
  const project = await lockProjectForWork(tx, projectId);
  if (!project) return;
  await switchSsl(tx, project, true);
  await queueCertificateCheck(tx, ctx, projectId);
}

/** The first name of the project that resolves to another address. */
async function nameElsewhere(ctx: Context, project: PlacedProject): Promise<string | undefined> {
  const server = await findServerForWork(ctx.pool, project.site.front_server_id);
  for (const name of siteNames(frontSite(project))) {
    const { addresses } = await resolveAddresses(name, { servers: ctx.config.dnsServers });
    if (!server || !addresses.includes(server.public_ip)) return name;
  }
  return undefined;
}

/** The cron lines that an application needs, in the transaction that makes its project. */
export async function insertAppJobs(
  tx: PoolClient,
  app: App,
  work: Pick<AppWork, "layout" | "tools">,
  projectId: number,
) {
  for (const { name, expression, command } of app.jobs(work)) {
    const job = { name, command, cron_expression: expression, processes: null, is_active: true };
    await insertJob(tx, projectId, "scheduled", job);
  }
}
