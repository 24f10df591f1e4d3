import { randomBytes } from "node:crypto";
import type { PoolClient } from "pg";
import type { Context } from "../../../context.ts";
import { transaction } from "../../../db/transaction.ts";
import { listRunSteps, type Run } from "../../../engine/runs/queries.ts";
import { createRun, type Progress, type RunKind } from "../../../engine/runs/runs.ts";
import { passwordVerifier } from "../../../host/databases/passwords.ts";
import type { Connection } from "../../../host/ssh/connection.ts";
import { recordConnection } from "../connecting/queries.ts";
import { findServicePassword, keepServicePassword } from "../data/queries.ts";
import { emitServer, emitSetupLog } from "../events.ts";
import { findOwnDatabase, serverHooks } from "../hooks.ts";
import {
  findServerForWork,
  moveServer,
  recordMachine,
  recordSetupVersion,
  type ServerForWork,
  setOperatingSystem,
  setupKind,
  skipProjectIds,
} from "../queries.ts";
import { serverStatus } from "../schema.ts";
import { touchTimezone } from "../timezone.ts";
import { planSetup, planSetupAgain } from "./planning.ts";
import { hasTimeZone, setupSecrets } from "./plans.ts";

/**
 * Begins the setup of a server after its first connection; does nothing if it has begun. The machine's os-release decides what is
 * installed.
 */
export async function beginSetup(ctx: Context, server: ServerForWork, connection: Connection): Promise<void> {
  const { plan, machine } = await planSetup(ctx, server, connection);
  await transaction(ctx.pool, async (tx) => {
    const moved = await moveServer(tx, server.id, serverStatus.installing, serverStatus.provisioning);
    if (!moved) return;
    await recordConnection(tx, server.id, { status: 1, error: null });
    await recordMachine(tx, server.id, machine);
    await keepServicePassword(tx, server.id, ctx.secrets.encrypt(randomBytes(24).toString("base64url")));
    await createRun(tx, ctx.queue, { serverId: server.id, ...setupKind, subjectId: server.id, plan });
    await emitServer(tx, moved);
  });
}

export const setupRunKind = (ctx: Context): RunKind => ({
  ...setupKind,
  plan: (run) => planSetupAgain(ctx, run),
  secrets: async ({ subject_id: serverId }) => {
    const database = await findOwnDatabase(ctx, serverId);
    const service = await findServicePassword(ctx.pool, serverId);
    const { databaseVerifier, redisPassword, searchKey } = setupSecrets;
    const decrypt = (secret: Buffer) => ctx.secrets.decrypt(secret);
    const files = {
      ...(database && { [databaseVerifier]: passwordVerifier(database.database_type, decrypt(database.password)) }),
      ...(service && { [redisPassword]: decrypt(service), [searchKey]: decrypt(service) }),
    };
    return { files, masked: [] };
  },
  onProgress: emitProgress,
  onEnded: (tx, run, outcome) => finishSetup(ctx, tx, run, outcome),
});

async function emitProgress(tx: PoolClient, progress: readonly Progress[]): Promise<void> {
  for (const { run, piece } of progress) {
    const [printed] = piece.output;
    if ((piece.steps.length === 0 && !printed) || run.server_id === null) continue;
    const server = await findServerForWork(tx, run.server_id);
    if (!server) continue;
    if (piece.steps.length > 0) await emitServer(tx, server, "server.setup_step");
    if (printed) await emitSetupLog(tx, server, { run_id: run.id, offset: printed.offset });
  }
}

// The status stays 1 after a failed setup; setup/retry runs it again.
async function finishSetup(ctx: Context, tx: PoolClient, run: Run, outcome: string): Promise<void> {
  if (outcome !== "succeeded") {
    const failed = await findServerForWork(tx, run.subject_id);
    if (failed) await emitServer(tx, failed);
    return;
  }
  const moved = await moveServer(tx, run.subject_id, serverStatus.provisioning, serverStatus.provisioned);
  if (!moved) return;
  const steps = await listRunSteps(tx, run.id);
  const failed = steps.find((step) => step.phase === "database" && step.status === "failed");
  for (const { onSetUp } of serverHooks.of(ctx))
    await onSetUp?.(tx, run.subject_id, failed && { reason: failed.detail });
  await recordSetupVersion(tx, run.subject_id, run.plan.version ?? null);
  if (run.facts.highest_project) await skipProjectIds(tx, Math.min(Number(run.facts.highest_project), 9_999));
  if (run.facts.operating_system) await setOperatingSystem(tx, run.subject_id, run.facts.operating_system);
  // The time zone may have been changed after the setup was planned; the target sets it after the setup's end.
  const server = await findServerForWork(tx, run.subject_id);
  if (server && !hasTimeZone(run.plan, server.timezone)) await touchTimezone(tx, ctx.queue, server.id);
  await emitServer(tx, moved);
}
