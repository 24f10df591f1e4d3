import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import type { SecretFiles } from "../../engine/runs/bundle.ts";
import { type Plan, plan, type Step } from "../../engine/runs/plan.ts";
import type { RunSecrets } from "../../engine/runs/runs.ts";
import { projectLayout } from "../../host/layout.ts";
import { isCovered, servedName } from "../../host/nginx/names.ts";
import { goLiveSteps } from "../deployments/plans.ts";
import { onServer } from "../projects/on-server.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { findBasicAuth } from "../site-records/queries.ts";
import { frontSite } from "../sites/front.ts";
import { prepareProjectSteps } from "../sites/plans.ts";
import { decryptSiteSecrets } from "../sites/secrets.ts";
import type { Answers, App, AppMove, AppUpdate, AppVersion, AppWork } from "./app.ts";
import { getApp } from "./catalog.ts";
import { dropCopies } from "./copies.ts";
import { type FoundDatabase, findAppDatabase } from "./databases.ts";
import { secretAnswers, shownAnswers } from "./inputs.ts";
import { findInstallation } from "./queries.ts";
import type { InstallationRow } from "./schema.ts";
import { type CheckedSite, checkPages, checkRoom, pruneReleases, readAddress } from "./steps.ts";
import { toolsOf } from "./versions.ts";

type Reading = Pick<Context, "config" | "secrets">;

/** An installation with all of its rows. */
export interface Installed {
  app: App;
  project: PlacedProject;
  installation: InstallationRow;
  answers: Answers;
  database: FoundDatabase | undefined;
}

/** Undefined if the project is not an application, or was deleted. */
export async function readInstalled(db: Db, ctx: Reading, project: PlacedProject): Promise<Installed | undefined> {
  const installation = await findInstallation(db, project.id);
  if (!installation || project.source_type !== "app") return undefined;
  const { database_id: databaseId } = installation;
  return {
    app: getApp(project.app_slug),
    project,
    installation,
    answers: JSON.parse(ctx.secrets.decrypt(installation.answers)) as Answers,
    database: databaseId === null ? undefined : await findAppDatabase(db, ctx, databaseId),
  };
}

/** The input of the steps of an installation or an update. */
export const workOf = (
  ctx: Reading,
  installed: Installed,
  { release, version }: { release: number; version: AppVersion },
): AppWork => ({ ...placeOf(installed, release), version, tools: toolsOf(ctx, installed.app) });

/** The input of the steps of a move. */
export const moveWorkOf = (installed: Installed): AppMove => {
  const { live_release_id: release } = installed.project.placement;
  if (release === null) throw new Error(`Project ${installed.project.id} has no live release`);
  return placeOf(installed, release);
};

function placeOf({ app, project, answers, database }: Installed, release: number): AppMove {
  const { port_pair: port } = project.placement;
  return {
    layout: projectLayout(project.id),
    release,
    domain: project.site.domains.find(({ is_primary }) => is_primary)?.domain_name ?? "",
    texts: shownAnswers(app, answers),
    database: database && { engine: database.engine, name: database.name, username: database.username },
    ports: port === null ? undefined : [port, port + 1],
  };
}

/** The public address of a project: its first name that is served. */
export function addressOf(project: PlacedProject): string {
  const site = frontSite(project);
  const name = servedName(site);
  return `${isCovered(site, name) ? "https" : "http"}://${name}`;
}

/** The secrets of any run of an installed application, and of the site it publishes. */
export async function installedSecrets(db: Db, ctx: Reading, installed: Installed): Promise<RunSecrets> {
  const { app, project, answers, database } = installed;
  const input = {
    name: project.name,
    domain: project.site.domains[0]?.domain_name ?? "",
    answers,
    database,
    layout: projectLayout(project.id),
  };
  const site = decryptSiteSecrets(ctx, await findBasicAuth(db, project.id));
  const password: SecretFiles = database ? { "database-password": database.password } : {};
  return {
    files: { ...site, ...password, ...app.secrets(input) },
    masked: [...secretAnswers(app, answers), ...(database ? [database.password] : [])],
  };
}

const marginMb = 200;

/** Makes the server ready for the project: user, folders, runtime, web server. */
export const sitePlan = (kind: string, { project }: Installed): Plan =>
  plan(kind, prepareProjectSteps(onServer(project, false)), { pointOfNoReturn: "publish-site" });

/** Makes a release of the application that is not live yet. */
export const downloadPlan = (kind: string, app: App, work: AppWork): Plan =>
  plan(kind, [checkRoom(work.layout, work.version.sizeMb + marginMb), ...app.install.unpack(work)], {
    pointOfNoReturn: app.install.unpack(work).at(-1)?.key ?? "",
  });

/** Makes a release live at its address, and checks it. */
export function servingPlan(kind: string, installed: Installed, work: Omit<AppWork, "version" | "tools">): Plan {
  const { app } = installed;
  return plan(
    kind,
    [...serving(installed, work), checkPages(siteOf(installed), app.checks), pruneReleases(work.layout, 1)],
    { pointOfNoReturn: "check-pages" },
  );
}

/** Replaces the application with another version; everything can be undone until the end. */
export function updatePlan(kind: string, installed: Installed, work: AppUpdate): Plan {
  const { app } = installed;
  if (!app.update) throw new Error(`${app.name} cannot be updated`);
  const site = siteOf(installed);
  return plan(
    kind,
    [
      checkRoom(work.layout, 2 * work.version.sizeMb + marginMb),
      checkPages(site, app.checks, "check-former"),
      ...app.update.prepare(work),
      ...serving(installed, work),
      ...app.update.upgrade(work),
      checkPages(site, app.checks),
      pruneReleases(work.layout, 1),
      ...(app.update.finish?.(work) ?? []),
      work.database && dropCopies(work),
    ],
    { pointOfNoReturn: "check-pages" },
  );
}

// Old releases are removed by `pruneReleases` here: these projects have no repository.
const serving = ({ app, project }: Installed, { layout, release }: Pick<AppWork, "layout" | "release">): Step[] => [
  ...(app.keepsAddress ? [readAddress(layout)] : []),
  ...goLiveSteps({
    project: onServer(project, false),
    deploymentId: release,
    // A process may have to change all tables of its database before it answers.
    settings: { healthTimeoutSeconds: 300 },
  }).filter(({ key }) => key !== "prune-releases"),
];

export function siteOf({ app, project, answers }: Installed): CheckedSite {
  const { site, layout } = onServer(project, false);
  const name = servedName(site);
  return {
    layout,
    name,
    isSecure: site.tls?.names.includes(name) ?? false,
    user: app.basicAuth && project.site.basic_auth_user !== null ? answers[app.basicAuth.username] : undefined,
  };
}
