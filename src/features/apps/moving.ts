import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { listProjectDatabases } from "../databases/queries.ts";
import type { MoveHooks } from "../moves/hooks.ts";
import type { PlacedProject, ProjectRow } from "../projects/schema.ts";
import { isAddressChanging } from "./addresses.ts";
import type { App } from "./app.ts";
import { getApp } from "./catalog.ts";
import { gone } from "./databases.ts";
import { type Installed, installedSecrets, moveWorkOf, readInstalled, siteOf } from "./planning.ts";
import { unavailableReasons } from "./requirements.ts";
import { checkPages } from "./steps.ts";

// The catalog's part in the move of an application to another server, and in a recycle.

const isApp = ({ source_type }: ProjectRow): boolean => source_type === "app";

async function moveRefusal(tx: PoolClient, ctx: Context, project: PlacedProject): Promise<string | undefined> {
  if (!isApp(project)) return undefined;
  const installed = await readInstalled(tx, ctx, project);
  if (installed === undefined || project.installation_status !== 1) {
    return "The application is not installed: that has to succeed before it is moved.";
  }
  const { app, database } = installed;
  const busy = await busyReason(tx, project, installed);
  if (busy !== undefined) return busy;
  if (!app.needsDatabase) return undefined;
  // Only attached databases are moved too.
  const attached = await listProjectDatabases(tx, project.id);
  if (attached.some(({ id }) => id === database?.id)) return undefined;
  const name = database ? `Its database ${database.name}` : "Its database";
  return `${name} does not belong to the project any more, so it would be left behind. Attach it to the project first.`;
}

/** Why the process of an application cannot be replaced now. */
export async function recycleRefusal(
  tx: PoolClient,
  ctx: Context,
  project: PlacedProject,
): Promise<string | undefined> {
  if (!isApp(project)) return undefined;
  const installed = await readInstalled(tx, ctx, project);
  return installed && busyReason(tx, project, installed);
}

// Both use the project's unused port.
async function busyReason(
  tx: PoolClient,
  project: PlacedProject,
  { app, installation }: Installed,
): Promise<string | undefined> {
  if (installation.update_state === "running") return `${app.name} is being updated. Wait for the end of that.`;
  if (await isAddressChanging(tx, project)) {
    return `${app.name} is being given its new address. Wait for the end of that.`;
  }
  return undefined;
}

/** The requirements are those of the installed version, if it is known. */
function destinationError(project: ProjectRow, server: Parameters<typeof unavailableReasons>[1]): string | undefined {
  if (!isApp(project)) return undefined;
  const app = getApp(project.app_slug);
  const present = app.versions.filter(({ version }) => version === project.app_version);
  const needing: App = present.length > 0 ? { ...app, versions: present } : app;
  return unavailableReasons(needing, server).join(" ") || undefined;
}

async function stepsOn(tx: PoolClient, ctx: Context, project: PlacedProject) {
  if (!isApp(project)) return undefined;
  const installed = await getInstalled(tx, ctx, project);
  const { app } = installed;
  return {
    before: app.moved?.(moveWorkOf(installed)) ?? [],
    after: [checkPages(siteOf(installed), app.checks)],
  };
}

async function getInstalled(
  db: Parameters<typeof readInstalled>[0],
  ctx: Context,
  project: PlacedProject,
): Promise<Installed> {
  const installed = await readInstalled(db, ctx, project);
  if (!installed) throw gone();
  return installed;
}

export const movingApps: MoveHooks = {
  moveRefusal,
  destinationError,
  stepsOn,
  secretsOf: async (ctx, project) =>
    isApp(project) ? installedSecrets(ctx.pool, ctx, await getInstalled(ctx.pool, ctx, project)) : undefined,
};
