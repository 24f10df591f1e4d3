import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import type { Run } from "../../engine/runs/queries.ts";
import { createRun, type RunKind } from "../../engine/runs/runs.ts";
import { hasUnended } from "../deployments/queries.ts";
import { announce } from "../notifications/actions.ts";
import { setLive } from "../placements/queries.ts";
import { emitUpdated } from "../projects/events.ts";
import { findProjectForWork, lockProjectForWork, setAppVersion } from "../projects/queries.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { findServerForWork } from "../servers/queries.ts";
import { isAddressChanging, recordServedAddress } from "./addresses.ts";
import type { App, AppVersion } from "./app.ts";
import { appCapabilities } from "./capabilities.ts";
import { getApp } from "./catalog.ts";
import { versionIn } from "./installation.ts";
import { type Installed, installedSecrets, readInstalled, updatePlan, workOf } from "./planning.ts";
import { beginUpdateRecord, claimAnnouncement, endUpdate, findInstallation, storeNewestVersion } from "./queries.ts";
import { runtimeOf } from "./requirements.ts";
import { appUpdateKind } from "./schema.ts";
import { compareVersions, isSameLine, listVersions, newestFor, reachableFrom } from "./versions.ts";

/** The newest version that an installed application can be updated to. */
export async function newestVersion(ctx: Context, app: App, project: PlacedProject): Promise<AppVersion | undefined> {
  const server = await findServerForWork(ctx.pool, project.placement.server_id);
  const runtime = runtimeOf(app, { distribution: server?.distribution ?? null });
  return newestFor(reachableFrom(app, project.app_version ?? "", await listVersions(ctx, app)), runtime);
}

/** Throws what keeps an application from being updated now, whatever version there is. */
export function refuseUpdate(tx: PoolClient, { app, project, installation }: Installed): Promise<void> {
  const { id, placement, installation_status: status } = project;
  const facts = { app_name: app.name, updatable: app.update !== undefined };
  return appCapabilities.refuse("update", facts, {
    not_installed: () => status !== 1 || placement.live_release_id === null,
    // Queued updates too: the live release stays live until the update has ended.
    deploying: () => hasUnended(tx, id),
    readdressing: () => isAddressChanging(tx, project),
    updating: () => installation.update_state === "running",
  });
}

/** Starts an update of a project that the caller has locked. */
export async function beginUpdate(
  tx: PoolClient,
  ctx: Context,
  installed: Installed,
  version: AppVersion,
): Promise<void> {
  const { project, app } = installed;
  const { id } = project;
  await refuseUpdate(tx, installed);
  const release = await beginUpdateRecord(tx, id, version.version);
  if (release === undefined) throw appCapabilities.refusal("update", "updating", { app_name: app.name });
  const work = {
    ...workOf(ctx, installed, { release, version }),
    from: { release: project.placement.live_release_id as number, version: project.app_version ?? "" },
  };
  const plan = updatePlan(appUpdateKind.kind, installed, work);
  await createRun(tx, ctx.queue, { serverId: project.placement.server_id, ...appUpdateKind, subjectId: id, plan });
  await emitUpdated(tx, project);
}

export const updateRunKind = (ctx: Context): RunKind => ({
  ...appUpdateKind,
  secrets: async (run) => {
    const project = await findProjectForWork(ctx.pool, run.subject_id);
    const installed = project && (await readInstalled(ctx.pool, ctx, project));
    return installed ? installedSecrets(ctx.pool, ctx, installed) : { files: {}, masked: [] };
  },
  onEnded: (tx, run, outcome) => recordUpdate(tx, ctx, run, outcome === "succeeded"),
});

async function recordUpdate(tx: PoolClient, ctx: Context, run: Run, succeeded: boolean): Promise<void> {
  const project = await lockProjectForWork(tx, run.subject_id);
  const installation = await findInstallation(tx, run.subject_id);
  if (!project || !installation) return;
  const version = installation.update_version ?? "";
  const error = succeeded ? null : (run.error ?? "The server did not report why the update failed.");
  if (succeeded && installation.update_release !== null) {
    const port = run.facts.live_port;
    const live = { releaseId: installation.update_release, port: port === undefined ? null : Number(port) };
    await setLive(tx, { projectId: project.id, serverId: project.placement.server_id }, live);
    await setAppVersion(tx, project.id, (await versionIn(tx, run)) ?? version);
    await recordServedAddress(tx, project.id, run);
  }
  await endUpdate(tx, project.id, error);
  if (error !== null) {
    await announce(tx, ctx, {
      organizationId: project.organization_id,
      topic: "app.update_failed",
      title: `${project.name} was not updated to ${version}`,
      text: `${error}\n${getApp(project.app_slug).name} ${project.app_version ?? ""} serves as before.`,
      data: {
        project_id: project.id,
        project_name: project.name,
        server_id: project.placement.server_id,
        version,
        error,
      },
    });
  }
  await emitUpdated(tx, project);
}

/** Checks once for a newer version of an installed application, and updates it if automatic updates are on. */
export async function checkForUpdate(ctx: Context, projectId: number): Promise<void> {
  const seen = await findProjectForWork(ctx.pool, projectId);
  if (seen?.installation_status !== 1 || seen.app_version === null) return;
  const app = getApp(seen.app_slug);
  if (!app.update) return;
  const versions = await listVersions(ctx, app);
  const newest = await newestVersion(ctx, app, seen);
  await transaction(ctx.pool, async (tx) => {
    const project = await lockProjectForWork(tx, projectId);
    const installed = project && (await readInstalled(tx, ctx, project));
    if (!installed || project.app_version === null) return;
    const { app_version: present } = project;
    const isNewer = ({ version }: AppVersion) => compareVersions(version, present) > 0;
    const isSecurity = versions.some((each) => each.isSecurity === true && isNewer(each));
    const found = newest && isNewer(newest) ? { version: newest.version, isSecurity } : undefined;
    if (await storeNewestVersion(tx, projectId, found)) await emitUpdated(tx, project);
    if (found?.isSecurity && (await claimAnnouncement(tx, projectId, found.version))) {
      const { version } = found;
      await announce(tx, ctx, {
        organizationId: project.organization_id,
        topic: "app.security_update",
        title: `Security update of ${app.name} for ${project.name}`,
        text: `${app.name} ${version} repairs a weakness of ${present}. Update it soon.`,
        data: { project_id: projectId, project_name: project.name, server_id: project.placement.server_id, version },
      });
    }
    const minor = automaticUpdate(installed, versions);
    if (minor) await beginUpdate(tx, ctx, installed, minor);
  });
}

/** The version of the automatic update; a failed update is not repeated every day. */
function automaticUpdate(
  { project, installation }: Installed,
  versions: readonly AppVersion[],
): AppVersion | undefined {
  const present = project.app_version ?? "";
  const { automatic_updates: mode, update_state: state, update_version: last } = installation;
  if (mode !== "minor" || state === "running") return undefined;
  const newest = newestFor(
    versions.filter(({ version }) => isSameLine(version, present)),
    undefined,
  );
  if (!newest || compareVersions(newest.version, present) <= 0) return undefined;
  return state === "failed" && last === newest.version ? undefined : newest;
}
