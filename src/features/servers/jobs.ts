import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import { listRunSteps, type Run } from "../../engine/queries.ts";
import { createRun, type Progress, type RunKind, type RunSecrets } from "../../engine/runs.ts";
import type { Chore, JobHandler } from "../../engine/worker.ts";
import { parseProbe, probeScript, type ServerType } from "../../host/distribution.ts";
import type { SearchBinary } from "../../host/meilisearch.ts";
import { sh } from "../../host/sh.ts";
import type { Connection } from "../../host/ssh.ts";
import { messageOf } from "../../lib/errors.ts";
import { peersChore, peersRunKind } from "./data/peers.ts";
import {
  claimAllowedPeers,
  findOwnDatabase,
  findServicePassword,
  keepServicePassword,
  listPeerAddresses,
  settleOwnDatabase,
} from "./data/queries.ts";
import { emitServer } from "./events.ts";
import { leaveJob } from "./leaving/deletion.ts";
import { provisionPlan, provisionSecrets } from "./plans.ts";
import {
  claimConnectionChecks,
  findServerForWork,
  moveServer,
  provisionKind,
  recordConnection,
  type ServerForWork,
  setOperatingSystem,
} from "./queries.ts";
import { rebootRunKind } from "./reboot.ts";
import { serverStatus } from "./schema.ts";
import { timezoneRunKind } from "./timezone.ts";
import { lookLater, unreachableAfterMinutes, unreachableJob } from "./unreachable.ts";

export const connectQueue = "connect-server";

const connectEveryMs = 2_000;
const checkedAtOnce = 500;
/** What Node projects run on unless they say otherwise. */
const nodeVersions = ["24"];

export const serverJobs = (ctx: Context): JobHandler[] => [
  {
    name: connectQueue,
    policy: "keyed",
    concurrency: 500,
    work: (data, signal) => connectServer(ctx, Number(data.serverId), signal),
  },
  leaveJob(ctx),
  unreachableJob(ctx),
];

export const serverRunKinds = (ctx: Context): RunKind[] => [
  {
    kind: provisionKind,
    secrets: (run) => provisionSecretsOf(ctx, run),
    onProgress: emitSteps,
    onEnded: (tx, run, outcome) => finishProvisioning(tx, run, outcome),
  },
  rebootRunKind,
  peersRunKind,
  timezoneRunKind(ctx.log),
];

export const serverChores = (ctx: Context): Chore[] => [
  { name: "check connections", everyMs: 10_000, work: (signal) => checkConnections(ctx, signal) },
  peersChore(ctx),
];

/** Whether the attempts to connect to a new server for the first time were given up. */
export const hasStoppedConnecting = ({ config }: Pick<Context, "config">, server: ServerForWork): boolean =>
  Date.now() - Date.parse(server.connecting_since) > config.abandonAfterHours * 3600_000;

// Tries until the owner has let us in, then begins the setup. The machine's own os-release decides what is installed.
async function connectServer(ctx: Context, serverId: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const server = await findServerForWork(ctx.pool, serverId);
    if (!server || server.server_status !== serverStatus.installing) return;
    if (hasStoppedConnecting(ctx, server)) return await giveUp(ctx, server);
    try {
      const connection = await ctx.hosts.get(serverId);
      return await beginSetup(ctx, server, connection);
    } catch (error) {
      await seen(ctx, serverId, messageOf(error));
    }
    await pause(connectEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

function giveUp(ctx: Context, server: ServerForWork): Promise<void> {
  const { abandonAfterHours } = ctx.config;
  const last = server.connection_error ?? "It did not answer.";
  return seen(ctx, server.id, `${last} The attempts ended after ${abandonAfterHours} hours: retry the setup.`);
}

async function beginSetup(ctx: Context, server: ServerForWork, connection: Connection): Promise<void> {
  const probe = await connection.exec(probeScript);
  const facts = parseProbe(probe.stdout);
  const peers = await listPeerAddresses(ctx.pool, server.id);
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
    http3: ctx.config.http3 === "on",
    controlAddress: facts.clientAddress,
    controlKey: server.ssh_public_key,
    hostKey: connection.hostKey,
    peers,
    search: searchBinaryOf(ctx.config),
  });
  await transaction(ctx.pool, async (tx) => {
    const moved = await moveServer(tx, server.id, serverStatus.installing, serverStatus.provisioning);
    if (!moved) return;
    await recordConnection(tx, server.id, { status: 1, error: null });
    await setOperatingSystem(tx, server.id, facts.name);
    await claimAllowedPeers(tx, server.id, peers);
    await keepServicePassword(tx, server.id, ctx.secrets.encrypt(randomBytes(24).toString("base64url")));
    await createRun(tx, ctx.queue, { serverId: server.id, kind: provisionKind, subjectId: server.id, plan });
    await emitServer(tx, moved);
  });
}

const searchBinaryOf = ({ searchUrl, searchChecksum }: Context["config"]): SearchBinary | undefined =>
  searchUrl && searchChecksum ? { url: searchUrl, sha256: searchChecksum } : undefined;

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
  const service = await findServicePassword(ctx.pool, run.subject_id);
  const { databasePassword, redisPassword, searchKey } = provisionSecrets;
  const files = {
    ...(database ? { [databasePassword]: ctx.secrets.decrypt(database.password) } : {}),
    ...(service ? { [redisPassword]: ctx.secrets.decrypt(service), [searchKey]: ctx.secrets.decrypt(service) } : {}),
  };
  return { files, masked: [] };
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
  await emitServer(tx, moved);
}

async function emitSteps(tx: PoolClient, progress: readonly Progress[]): Promise<void> {
  for (const { run, piece } of progress) {
    if (piece.steps.length === 0 || run.server_id === null) continue;
    const server = await findServerForWork(tx, run.server_id);
    if (server) await emitServer(tx, server, "server.setup_step");
  }
}

async function seen(ctx: Context, serverId: number, error: string | null): Promise<void> {
  await transaction(ctx.pool, async (tx) => {
    const news = await recordConnection(tx, serverId, { status: error === null ? 1 : 0, error });
    if (!news) return;
    await emitServer(tx, news);
    if (!news.was_connected || error === null) return;
    await lookLater(tx, ctx.queue, serverId, unreachableAfterMinutes);
  });
}

async function checkConnections(ctx: Context, signal: AbortSignal): Promise<void> {
  const due = await claimConnectionChecks(ctx.pool, checkedAtOnce);
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
