import type { PoolClient } from "pg";
import type { Context } from "../../../context.ts";
import type { Run } from "../../../engine/queries.ts";
import type { RunSecrets } from "../../../engine/runs.ts";
import { passwordVerifier } from "../../../host/databases/passwords.ts";
import type { GitSource } from "../../../host/git.ts";
import { projectLayout } from "../../../host/layout.ts";
import { AppError } from "../../../lib/errors.ts";
import { maskedValues } from "../../projects/logs.ts";
import { onServer } from "../../projects/on-server.ts";
import { findEnvironment, findProjectForWork } from "../../projects/queries.ts";
import type { ProjectRow } from "../../projects/schema.ts";
import { siteSecrets } from "../../projects/web-server.ts";
import { findServerForWork } from "../../servers/queries.ts";
import type { DeploymentInput } from "../plans.ts";
import type { DeploymentRow } from "../schema.ts";
import { knownHosts } from "./destination.ts";
import type { Origin } from "./plans.ts";
import { findMove, listAttachedDatabases } from "./queries.ts";
import type { MoveRow } from "./schema.ts";
import { type Transit, transitSecrets } from "./transit.ts";

/** The functions of deployments that moves use: injected, since deployments import moves. */
export interface DeploymentWork {
  sourceOf: (tx: PoolClient, deployment: DeploymentRow, project: ProjectRow) => Promise<GitSource>;
  secretsOf: (run: Run) => Promise<RunSecrets>;
}

/** A move with its rows as they are now. */
export interface Work {
  move: MoveRow;
  deployment: DeploymentRow;
  project: ProjectRow;
}

const portsOf = (pair: number | null): number[] => (pair === null ? [] : [pair, pair + 1]);

const transitOf = ({ deployment_id, project_id, databases }: MoveRow, portPair: number | null): Transit => ({
  deploymentId: deployment_id,
  layout: projectLayout(project_id),
  ports: portsOf(portPair),
  databases,
});

/** As the steps on the source see it; the project may have been deleted. */
export async function transitOnSource(tx: PoolClient, move: MoveRow): Promise<Transit> {
  const project = await findProjectForWork(tx, move.project_id);
  return transitOf(move, project?.port_pair ?? null);
}

/** As the steps on the destination see it, up to the switch. */
export const transitOnDestination = (move: MoveRow): Transit => transitOf(move, move.other_port_pair);

/** The project as the destination gets it: with ports of its own. */
export const rowThere = ({ move, project }: Work): ProjectRow => ({
  ...project,
  server_id: move.destination_id ?? project.server_id,
  port_pair: move.other_port_pair,
  live_port: move.other_port_pair,
});

/** The input for the build on the destination. */
export async function inputOf(tx: PoolClient, given: DeploymentWork, work: Work): Promise<DeploymentInput> {
  const row = rowThere(work);
  return {
    project: onServer(row, (await findEnvironment(tx, row.id)) !== null),
    deploymentId: work.deployment.id,
    source: await given.sourceOf(tx, work.deployment, row),
  };
}

export async function originOf(tx: PoolClient, { move: { source_id: sourceId }, project }: Work): Promise<Origin> {
  const server = sourceId === null ? undefined : await findServerForWork(tx, sourceId);
  if (!server) throw new AppError("refused", "The server that the project is on was deleted.");
  const source = { name: server.name, host: server.public_ip, port: server.ssh_port };
  return { source, certificate: project.certificate?.version };
}

/**
 * For runs on the destination that copy: the key, whom to trust, the databases' passwords, and what publishing the site takes.
 * No run that builds.
 */
export async function copyingSecrets(ctx: Context, run: Run): Promise<RunSecrets> {
  const { pool, secrets } = ctx;
  const move = await findMove(pool, run.subject_id);
  const source = move?.source_id ? await findServerForWork(pool, move.source_id) : undefined;
  // The process that is started may print anything, and may have more secrets than came along.
  const masked = move ? await maskedValues(ctx, move.project_id) : [];
  // The move was given up, and so is this run.
  if (!move?.private_key || !source?.host_key) return { files: {}, masked };
  const passwords = (await listAttachedDatabases(pool, move.project_id)).flatMap((database): [string, string][] => {
    const { database_type: engine, database_name: name, username } = database;
    const password = secrets.decrypt(database.password);
    return [
      [transitSecrets.passwordOf({ engine, name, username }), password],
      [transitSecrets.verifierOf({ engine, name, username }), passwordVerifier(engine, password)],
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
