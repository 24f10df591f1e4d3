import { setTimeout as pause } from "node:timers/promises";
import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import { emitEvent } from "../../engine/events.ts";
import { listRunSteps, type Run } from "../../engine/queries.ts";
import { createRun, type RunKind, type RunSecrets } from "../../engine/runs.ts";
import type { Chore, JobHandler } from "../../engine/worker.ts";
import { parseProbe, probeScript, type ServerType } from "../../host/distribution.ts";
import { sh } from "../../host/sh.ts";
import { type Address, type Connection, connect } from "../../host/ssh.ts";
import { AppError, messageOf } from "../../lib/errors.ts";
import { removeKey } from "./access.ts";
import { provisionPlan, provisionSecrets } from "./plans.ts";
import {
  claimConnectionChecks,
  findOwnDatabase,
  findServerForWork,
  moveServer,
  pinnedHostKey,
  recordConnection,
  type ServerForWork,
  setOperatingSystem,
  settleOwnDatabase,
} from "./queries.ts";
import { serverStatus } from "./schema.ts";

export const connectQueue = "connect-server";
export const removeKeyQueue = "remove-server-key";
export const provisionKind = "provision";

const connectForMs = 24 * 3600_000;
const removeKeyForMs = 24 * 3600_000;
const connectEveryMs = 2_000;
/** What Node projects run on unless they say otherwise. */
const nodeVersions = ["24"];

export const serverJobs = (ctx: Context): JobHandler[] => [
  {
    name: connectQueue,
    policy: "keyed",
    concurrency: 500,
    work: (data, signal) => connectServer(ctx, Number(data.serverId), signal),
  },
  { name: removeKeyQueue, concurrency: 50, work: (data) => takeKeyOut(ctx, data) },
];

export const serverRunKinds = (ctx: Context): RunKind[] => [
  {
    kind: provisionKind,
    secrets: (run) => provisionSecretsOf(ctx, run),
    onProgress: (tx, run, progress) => emitSteps(tx, run, progress.steps.length > 0),
    onEnded: (tx, run, outcome) => finishProvisioning(tx, run, outcome),
  },
];

export const serverChores = (ctx: Context): Chore[] => [
  { name: "check connections", everyMs: 10_000, work: (signal) => checkConnections(ctx, signal) },
];

/** How to reach a server, for the pool of connections. Rejects when there is no such server. */
export async function addressOf(ctx: Pick<Context, "pool" | "secrets">, serverId: number): Promise<Address> {
  const server = await findServerForWork(ctx.pool, serverId);
  if (!server) throw new AppError("not_found", "The server was deleted.", { permanent: true });
  return {
    name: server.name,
    host: server.public_ip,
    port: server.ssh_port,
    privateKey: ctx.secrets.decrypt(server.ssh_private_key),
    hostKey: server.host_key ?? undefined,
  };
}

/** Pins the key seen at first contact; refuses when another process pinned another one. */
export async function pinHostKey(ctx: Pick<Context, "pool">, serverId: number, hostKey: string): Promise<void> {
  if (await pinnedHostKey(ctx.pool, serverId, hostKey)) return;
  throw new AppError("host_key_changed", "Two different host keys were seen at first contact. Nothing was sent.");
}

// Tries until the owner has let us in, then begins the setup. The machine's own os-release decides what is installed.
async function connectServer(ctx: Context, serverId: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const server = await findServerForWork(ctx.pool, serverId);
    if (!server || server.server_status !== serverStatus.installing) return;
    try {
      const connection = await ctx.hosts.get(serverId);
      return await beginSetup(ctx, server, connection);
    } catch (error) {
      await seen(ctx, serverId, messageOf(error));
      if (Date.now() - Date.parse(server.created_at) > connectForMs) return;
    }
    await pause(connectEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

async function beginSetup(ctx: Context, server: ServerForWork, connection: Connection): Promise<void> {
  const probe = await connection.exec(probeScript);
  const facts = parseProbe(probe.stdout);
  const plan = provisionPlan({
    serverType: server.server_type as ServerType,
    distribution: facts.distribution,
    declared: declaredDistribution(server.server_os),
    databaseEngine: server.database_engine,
    ...(await ownDatabaseOf(ctx, server)),
    timezone: server.timezone,
    sshPort: server.ssh_port,
    nodeVersions,
    nodeMirror: ctx.config.nodeMirror,
  });
  await transaction(ctx.pool, async (tx) => {
    const moved = await moveServer(tx, server.id, serverStatus.installing, serverStatus.provisioning);
    if (!moved) return;
    await recordConnection(tx, server.id, { status: 1, error: null });
    await setOperatingSystem(tx, server.id, facts.name);
    await createRun(tx, ctx.queue, { serverId: server.id, kind: provisionKind, subjectId: server.id, plan });
    await emitUpdated(tx, moved);
  });
}

// `ubuntu_24_04` is Ubuntu 24.04.
function declaredDistribution(serverOs: string): { id: string; version: string } {
  const [id = "", ...version] = serverOs.split("_");
  return { id, version: version.join(".") };
}

async function ownDatabaseOf(ctx: Context, server: ServerForWork) {
  const database = await findOwnDatabase(ctx.pool, server.id);
  return database ? { database: { name: database.database_name, username: database.username } } : {};
}

async function provisionSecretsOf(ctx: Context, run: Run): Promise<RunSecrets> {
  const database = await findOwnDatabase(ctx.pool, run.subject_id);
  if (!database) return { files: {}, masked: [] };
  return { files: { [provisionSecrets.databasePassword]: ctx.secrets.decrypt(database.password) }, masked: [] };
}

// A setup that gave up stays at 1; setup/retry runs it again.
async function finishProvisioning(tx: PoolClient, run: Run, outcome: string): Promise<void> {
  if (outcome !== "succeeded") return;
  const moved = await moveServer(tx, run.subject_id, serverStatus.provisioning, serverStatus.provisioned);
  if (!moved) return;
  const steps = await listRunSteps(tx, run.id);
  const failed = steps.find((step) => step.phase === "database" && step.status === "failed");
  await settleOwnDatabase(tx, run.subject_id, failed ? 2 : 1, failed?.detail ?? null);
  if (run.facts.operating_system) await setOperatingSystem(tx, run.subject_id, run.facts.operating_system);
  await emitUpdated(tx, moved);
}

async function emitSteps(tx: PoolClient, run: Run, changed: boolean): Promise<void> {
  if (!changed || run.server_id === null) return;
  const server = await findServerForWork(tx, run.server_id);
  if (!server) return;
  const data = { id: run.server_id };
  await emitEvent(tx, {
    organizationId: server.organization_id,
    serverId: run.server_id,
    name: "server.setup_step",
    data,
  });
}

const emitUpdated = (tx: PoolClient, server: { id: number; organization_id: number }) =>
  emitEvent(tx, {
    organizationId: server.organization_id,
    serverId: server.id,
    name: "server.updated",
    data: { id: server.id },
  });

async function seen(ctx: Context, serverId: number, error: string | null): Promise<void> {
  await transaction(ctx.pool, async (tx) => {
    const news = await recordConnection(tx, serverId, { status: error === null ? 1 : 0, error });
    if (news) await emitUpdated(tx, news);
  });
}

async function checkConnections(ctx: Context, signal: AbortSignal): Promise<void> {
  const due = await claimConnectionChecks(ctx.pool, 100);
  await Promise.all(due.map(({ id }) => checkConnection(ctx, id, signal)));
}

async function checkConnection(ctx: Context, serverId: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  try {
    const connection = await ctx.hosts.get(serverId);
    await connection.exec(sh`true`, { timeoutMs: 10_000 });
    await seen(ctx, serverId, null);
  } catch (error) {
    await seen(ctx, serverId, messageOf(error));
  }
}

// The server's record is gone, so what is needed came with the job; the private key in it is encrypted.
async function takeKeyOut(ctx: Context, data: Record<string, unknown>): Promise<void> {
  const deletedAt = Number(data.deletedAt);
  if (!data.hostKey || Date.now() - deletedAt > removeKeyForMs) return;
  const address: Address = {
    name: String(data.name),
    host: String(data.host),
    port: Number(data.port),
    hostKey: String(data.hostKey),
    privateKey: ctx.secrets.decrypt(Buffer.from(String(data.privateKey), "base64")),
  };
  const connection = await connect(address, ctx.config.sshConnectTimeoutSeconds * 1000).catch((error: unknown) => {
    // Nobody lets us in any more: there is nothing to take out.
    if (error instanceof AppError && error.permanent) return undefined;
    throw error;
  });
  if (!connection) return;
  try {
    const { exitCode, stderr } = await connection.exec(removeKey(String(data.publicKey)));
    if (exitCode !== 0) throw new Error(`The key could not be taken out: ${stderr.trim()}`);
  } finally {
    connection.close();
  }
}
