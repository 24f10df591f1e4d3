import { randomBytes } from "node:crypto";
import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import type { JobHandler } from "../../engine/queue/worker.ts";
import { retryServer } from "../../engine/reconcile/reconcile.ts";
import type { TargetKind } from "../../engine/reconcile/target.ts";
import { listRunSteps, type Run } from "../../engine/runs/queries.ts";
import { createRun, type Progress, type RunKind } from "../../engine/runs/runs.ts";
import type { DueRows, PeriodicTask } from "../../engine/schedule/schedule.ts";
import { passwordVerifier } from "../../host/databases/passwords.ts";
import { type Script, sh } from "../../host/sh.ts";
import type { Connection } from "../../host/ssh/connection.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Counts } from "../../lib/metrics.ts";
import { peersSchedule, peersTarget } from "./data/peers.ts";
import { findOwnDatabase, findServicePassword, keepServicePassword, recordAllowedPeers } from "./data/queries.ts";
import { emitServer } from "./events.ts";
import type { OnSetUp } from "./hooks.ts";
import { leaveJob } from "./leaving/deletion.ts";
import {
  claimConnectionChecks,
  claimFirstConnections,
  countServers,
  type FirstConnection,
  findServerForWork,
  moveServer,
  provisionKind,
  recordConnection,
  recordMachine,
  recordSetupVersion,
  type ServerForWork,
  setNextConnection,
  setOperatingSystem,
  skipProjectIds,
} from "./queries.ts";
import { rebootRunKind } from "./reboot.ts";
import { serverStatus } from "./schema.ts";
import { planSetup, planSetupAgain } from "./setup/planning.ts";
import { hasTimeZone, provisionSecrets } from "./setup/plans.ts";
import { timezoneTarget, touchTimezone } from "./timezone.ts";
import { scheduleCheck, unreachableAfterMinutes, unreachableJob } from "./unreachable.ts";

const connectEveryMs = 2_000;
const connectedAtOnce = 500;
const connectPauseSeconds = 1;
const checkedAtOnce = 500;

export const serverJobs = (ctx: Context): JobHandler[] => [leaveJob(ctx), unreachableJob(ctx)];

export const serverRunKinds = (ctx: Context, onSetUp: OnSetUp): RunKind[] => [
  {
    ...provisionKind,
    plan: (run) => planSetupAgain(ctx, run),
    secrets: async ({ subject_id: serverId }) => {
      const database = await findOwnDatabase(ctx.pool, serverId);
      const service = await findServicePassword(ctx.pool, serverId);
      const { databaseVerifier, redisPassword, searchKey } = provisionSecrets;
      const decrypt = (secret: Buffer) => ctx.secrets.decrypt(secret);
      const files = {
        ...(database && { [databaseVerifier]: passwordVerifier(database.database_type, decrypt(database.password)) }),
        ...(service && { [redisPassword]: decrypt(service), [searchKey]: decrypt(service) }),
      };
      return { files, masked: [] };
    },
    onProgress: emitSteps,
    onEnded: (tx, run, outcome) => finishProvisioning(ctx, tx, run, { outcome, onSetUp }),
  },
  rebootRunKind,
];

export const serverTargets = (): TargetKind[] => [timezoneTarget, peersTarget];

/** A further query at each check of a server's connection, every minute: one for all of its projects. */
export interface ServerCheck {
  /** Ends within seconds, succeeds, and prints little. */
  script: Script;
  settle: (ctx: Context, serverId: number, answer: string) => Promise<void>;
}

export const serverSchedules = (ctx: Context, check?: ServerCheck): PeriodicTask[] => [
  {
    name: "check-connections",
    everyMs: 10_000,
    work: async (signal) => {
      const due = await claimConnectionChecks(ctx.pool, checkedAtOnce);
      await Promise.all(due.map(({ id }) => checkConnection(ctx, id, signal, check)));
    },
  },
  peersSchedule(ctx),
];

export const serverCounts = ({ pool }: Context): Counts[] => [
  {
    name: "longshore_servers",
    help: "Servers by status and connection.",
    labels: ["status", "connection"],
    read: () => countServers(pool),
  },
];

/** Whether the attempts at a server's first connection were abandoned. */
export const hasStoppedConnecting = ({ config }: Pick<Context, "config">, server: ServerForWork): boolean =>
  Date.now() - Date.parse(server.connecting_since) > config.abandonAfterHours * 3600_000;

// Owners authorize the key minutes or hours after they added a server: an attempt occupies a slot, the time in between does not.
export const connectSchedule = (ctx: Context): DueRows<FirstConnection> => ({
  name: "connect-servers",
  everyMs: connectEveryMs,
  batch: 100,
  concurrency: connectedAtOnce,
  claim: claimFirstConnections,
  work: async (claimed) => {
    const isOver = await connectServer(ctx, claimed.id);
    await setNextConnection(ctx.pool, claimed, isOver ? null : connectPauseSeconds);
  },
});

/** Begins the setup of a server that accepts the connection; returns whether the attempts are over. */
async function connectServer(ctx: Context, serverId: number): Promise<boolean> {
  const server = await findServerForWork(ctx.pool, serverId);
  if (!server || server.server_status !== serverStatus.installing) return true;
  if (hasStoppedConnecting(ctx, server)) {
    const last = server.connection_error ?? "It did not answer.";
    const hours = ctx.config.abandonAfterHours;
    await seen(ctx, server.id, `${last} The attempts ended after ${hours} hours: retry the setup.`);
    return true;
  }
  try {
    await beginSetup(ctx, server, await ctx.hosts.get(serverId));
    return true;
  } catch (error) {
    await seen(ctx, serverId, messageOf(error));
    return false;
  }
}

/**
 * Begins the setup of a server after its first connection; does nothing if it has begun. The machine's os-release decides what is
 * installed.
 */
export async function beginSetup(ctx: Context, server: ServerForWork, connection: Connection): Promise<void> {
  const { plan, machine, peers } = await planSetup(ctx, server, connection);
  await transaction(ctx.pool, async (tx) => {
    const moved = await moveServer(tx, server.id, serverStatus.installing, serverStatus.provisioning);
    if (!moved) return;
    await recordConnection(tx, server.id, { status: 1, error: null });
    await recordMachine(tx, server.id, machine);
    await recordAllowedPeers(tx, server.id, peers);
    await keepServicePassword(tx, server.id, ctx.secrets.encrypt(randomBytes(24).toString("base64url")));
    await createRun(tx, ctx.queue, { serverId: server.id, ...provisionKind, subjectId: server.id, plan });
    await emitServer(tx, moved);
  });
}

// The status stays 1 after a failed setup; setup/retry runs it again.
async function finishProvisioning(
  ctx: Context,
  tx: PoolClient,
  run: Run,
  { outcome, onSetUp }: { outcome: string; onSetUp: OnSetUp },
): Promise<void> {
  if (outcome !== "succeeded") return;
  const moved = await moveServer(tx, run.subject_id, serverStatus.provisioning, serverStatus.provisioned);
  if (!moved) return;
  const steps = await listRunSteps(tx, run.id);
  const failed = steps.find((step) => step.phase === "database" && step.status === "failed");
  await onSetUp(tx, run.subject_id, failed && { reason: failed.detail });
  await recordSetupVersion(tx, run.subject_id, run.plan.version ?? null);
  if (run.facts.highest_project) await skipProjectIds(tx, Math.min(Number(run.facts.highest_project), 9_999));
  if (run.facts.operating_system) await setOperatingSystem(tx, run.subject_id, run.facts.operating_system);
  // The time zone may have been changed after the setup was planned; the target sets it after the setup's end.
  const server = await findServerForWork(tx, run.subject_id);
  if (server && !hasTimeZone(run.plan, server.timezone)) await touchTimezone(tx, ctx.queue, server.id);
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
    if (error === null) await retryServer(tx, ctx.queue, serverId);
    if (!news.was_connected || error === null) return;
    await scheduleCheck(tx, ctx.queue, serverId, unreachableAfterMinutes);
  });
}

async function checkConnection(
  ctx: Context,
  serverId: number,
  signal: AbortSignal,
  check?: ServerCheck,
): Promise<void> {
  if (signal.aborted) return;
  try {
    const connection = await ctx.hosts.get(serverId);
    const { stdout } = await connection.exec(check?.script ?? sh`true`, { timeoutMs: 10_000 });
    await seen(ctx, serverId, null);
    // A failure of the further query proves nothing about the connection.
    await check?.settle(ctx, serverId, stdout).catch((err: unknown) => {
      ctx.log.warn({ err, serverId }, "the processes of a server could not be checked");
    });
  } catch (error) {
    await seen(ctx, serverId, messageOf(error));
  }
}
