import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import type { Run } from "../../engine/runs/queries.ts";
import type { RunSecrets } from "../../engine/runs/runs.ts";
import { passwordVerifier } from "../../host/databases/passwords.ts";
import { projectLayout } from "../../host/layout.ts";
import { AppError } from "../../lib/errors.ts";
import { phpPackagesOf, sourceOf } from "../deployments/planning.ts";
import type { DeploymentInput } from "../deployments/plans.ts";
import { asBegun, type DeploymentRow } from "../deployments/schema.ts";
import { maskedValues } from "../projects/logs.ts";
import { onServer } from "../projects/on-server.ts";
import { findEnvironment, findProjectForWork, findProjectOn } from "../projects/queries.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { findServerForWork } from "../servers/queries.ts";
import { siteSecrets } from "../sites/secrets.ts";
import { appFilesOf } from "./apps.ts";
import { knownHosts } from "./destination.ts";
import { moveHooks, type StepsOnDestination } from "./hooks.ts";
import type { FinishingInput, Origin } from "./plans.ts";
import { findMove, listAttachedDatabases, lockMoving } from "./queries.ts";
import type { MoveRow } from "./schema.ts";
import { type Transit, transitSecrets } from "./transit.ts";

/** A move under way, with its rows as they are now. */
export interface Work {
  move: MoveRow & { source_id: number; destination_id: number };
  deployment: DeploymentRow;
  /** As on the source, which is its own server. */
  project: PlacedProject;
  /** For a Node project: its ports on the destination. */
  portPair: number | null;
}

export const destinationDeleted = "The server that the project was to come to was deleted.";

/** The caller has locked the project and the deployment. Throws a permanent error if the move cannot continue. */
export async function getWork(tx: PoolClient, deploymentId: number): Promise<Work> {
  const refused = (message: string) => new AppError("refused", message, { permanent: true });
  const move = await findMove(tx, deploymentId);
  const project = move && (await findProjectForWork(tx, move.project_id));
  const deployment = await lockMoving(tx, deploymentId);
  if (!move || !project || !deployment) throw refused("It was deleted.");
  const { source_id, destination_id } = move;
  if (source_id === null || destination_id === null) throw refused(destinationDeleted);
  const arriving = await findProjectOn(tx, { projectId: project.id, serverId: destination_id });
  if (arriving?.placement.role !== "arriving")
    throw refused("The project is not expected on the destination any more.");
  const attached = await listAttachedDatabases(tx, project.id);
  // A database attached in the meantime was never copied, and would be left behind without its project.
  const areUnchanged =
    attached.length === move.databases.length &&
    attached.every(({ database_name, username }) =>
      move.databases.some((database) => database.name === database_name && database.username === username),
    );
  if (!areUnchanged) throw refused("The project's databases were changed while it was being moved. Move it again.");
  return {
    move: { ...move, source_id, destination_id },
    deployment,
    project: asBegun(deployment, project),
    portPair: arriving.placement.port_pair,
  };
}

const transitOf = ({ deployment_id, project_id, databases }: MoveRow, portPair: number | null): Transit => ({
  deploymentId: deployment_id,
  layout: projectLayout(project_id),
  ports: portPair === null ? [] : [portPair, portPair + 1],
  databases,
});

/** The input of the steps on the source; the project may have been deleted. */
export async function transitOnSource(tx: Db, move: MoveRow): Promise<Transit> {
  const project = await findProjectForWork(tx, move.project_id);
  return transitOf(move, project?.placement.port_pair ?? null);
}

/** The input of the steps on the server where the project does not serve: the destination, and the source after the switch. */
export const transitOnOther = (move: MoveRow): Transit => transitOf(move, null);

/** The project as on the destination: with the ports there. */
const projectOnDestination = ({ move, project, portPair }: Work): PlacedProject => ({
  ...project,
  placement: { ...project.placement, server_id: move.destination_id, port_pair: portPair, live_port: portPair },
});

/**
 * The release that the destination serves. An application keeps its release number, and does not read the project's environment.
 */
export async function servedInput(tx: PoolClient, work: Work): Promise<Omit<DeploymentInput, "source">> {
  const row = projectOnDestination(work);
  const app = appFilesOf(work.project);
  if (app) return { project: onServer(row, false), deploymentId: app.release };
  return { project: onServer(row, (await findEnvironment(tx, row.id)) !== null), deploymentId: work.deployment.id };
}

/** The release that the destination builds. */
export async function builtInput(tx: PoolClient, ctx: Context, work: Work): Promise<DeploymentInput> {
  const source = await sourceOf(ctx, tx, work.deployment, projectOnDestination(work));
  return { ...(await servedInput(tx, work)), source, phpPackages: phpPackagesOf(ctx) };
}

/** The last run on the destination, and its checks. */
export async function finishingInput(tx: PoolClient, ctx: Context, work: Work): Promise<FinishingInput> {
  const project = projectOnDestination(work);
  const further: StepsOnDestination[] = [];
  for (const { stepsOn } of moveHooks.of(ctx)) {
    const steps = await stepsOn?.(tx, ctx, project);
    if (steps) further.push(steps);
  }
  return { ...(await servedInput(tx, work)), inMaintenance: work.project.site.maintenance_mode, further };
}

export async function originOf(tx: PoolClient, { move, project }: Work): Promise<Origin> {
  const server = await findServerForWork(tx, move.source_id);
  if (!server) throw new AppError("refused", "The server that the project is on was deleted.");
  const source = { name: server.name, host: server.public_ip, port: server.ssh_port };
  return { source, certificate: project.site.certificate?.version, app: appFilesOf(project) };
}

/**
 * The secrets of copying runs on the destination: the key, the source's host key, the databases' passwords, and those for
 * publishing the site. Builds do not get them.
 */
export async function copyingSecrets(ctx: Context, run: Run): Promise<RunSecrets> {
  const { pool, secrets } = ctx;
  const move = await findMove(pool, run.subject_id);
  const source = move?.source_id ? await findServerForWork(pool, move.source_id) : undefined;
  // The started process may print anything, and may have more secrets than those of this run.
  const masked = move ? await maskedValues(ctx, move.project_id) : [];
  // The move was abandoned, and so is this run.
  if (!move?.private_key || !source?.host_key) return { files: {}, masked };
  const passwords = (await listAttachedDatabases(pool, move.project_id)).flatMap((database): [string, string][] => {
    const { database_type: engine, database_name: name } = database;
    const password = secrets.decrypt(database.password);
    return [
      [transitSecrets.passwordOf({ name }), password],
      [transitSecrets.verifierOf({ name }), passwordVerifier(engine, password)],
    ];
  });
  const files = {
    [transitSecrets.key]: secrets.decrypt(move.private_key),
    [transitSecrets.knownHosts]: knownHosts(source.host_key),
    ...Object.fromEntries(passwords),
    ...(await siteSecrets(ctx, move.project_id)),
  };
  return { files, masked };
}

/** The finishing run also has the steps of other features, which may check an application and write its settings. */
export async function finishingSecrets(ctx: Context, run: Run): Promise<RunSecrets> {
  const copying = await copyingSecrets(ctx, run);
  const move = await findMove(ctx.pool, run.subject_id);
  const project = move && (await findProjectForWork(ctx.pool, move.project_id));
  if (!project) return copying;
  let { files, masked } = copying;
  for (const { secretsOf } of moveHooks.of(ctx)) {
    const further = await secretsOf?.(ctx, project);
    if (further) [files, masked] = [{ ...further.files, ...files }, [...masked, ...further.masked]];
  }
  return { files, masked };
}
