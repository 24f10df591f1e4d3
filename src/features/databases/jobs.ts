import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { pipelined } from "../../db/transaction.ts";
import { forgetTarget } from "../../engine/reconcile/reconcile.ts";
import type { Target, TargetKind, TargetRef } from "../../engine/reconcile/target.ts";
import type { Plan } from "../../engine/runs/plan.ts";
import { listRunSteps, type Run } from "../../engine/runs/queries.ts";
import type { RunKind } from "../../engine/runs/runs.ts";
import type { Schedule } from "../../engine/schedule/schedule.ts";
import { AppError } from "../../lib/errors.ts";
import { engineSchedule } from "./engines.ts";
import { importRunKind, lostImportsSchedule } from "./imports/jobs.ts";
import { creationPlan, databaseOnServer, removalPlan, stepKeys } from "./plans.ts";
import {
  deleteDatabaseRow,
  findDatabaseForWork,
  findDatabaseServerForWork,
  lockDatabase,
  storeCreationFailed,
  storeExists,
} from "./queries.ts";
import { engineIn } from "./rules.ts";
import { databaseKind, databaseStatus } from "./schema.ts";
import { passwordFiles } from "./secrets.ts";
import { emitDatabase } from "./service.ts";
import { deleteUserRows, listUsersForWork, storeUserStatus } from "./users/queries.ts";

/** A server has each database and its users as in the rows. */
export const databaseTargets = (ctx: Context): TargetKind[] => [
  {
    ...databaseKind,
    desired,
    secrets: async ({ subjectId }) => {
      const database = await findDatabaseForWork(ctx.pool, subjectId);
      return database ? await passwordFiles(ctx, database) : { files: {}, masked: [] };
    },
    onApplied: recordApplied,
    onFailed: recordFailed,
  },
];

export const databaseRunKinds = (ctx: Context): RunKind[] => [importRunKind(ctx)];

export const databaseSchedules = (ctx: Context): Schedule[] => [engineSchedule(ctx), lostImportsSchedule(ctx)];

async function desired(tx: Db, target: TargetRef): Promise<Plan | undefined> {
  const [database, server, users] = await pipelined(
    findDatabaseForWork(tx, target.subjectId),
    findDatabaseServerForWork(tx, target.serverId),
    listUsersForWork(tx, target.subjectId),
  );
  // It was moved to another server, which has its own target.
  if (!database || !server || database.server_id !== server.id) return undefined;
  if (engineIn(server) !== database.database_type) {
    throw new AppError("run_failed", `${server.name} has no such database engine.`, { permanent: true });
  }
  const onServer = databaseOnServer(database, users, server.server_type === 1);
  return database.removed_at === null ? creationPlan(onServer) : removalPlan(onServer);
}

async function recordApplied(tx: PoolClient, target: Target, run: Run | undefined): Promise<void> {
  const database = await lockDatabase(tx, target.subjectId);
  if (!database || !run || database.server_id !== target.serverId) return;
  const keys = new Set(run.plan.steps.map(({ key }) => key));
  if (keys.has(stepKeys.drop)) {
    await deleteDatabaseRow(tx, database.id);
    await forgetTarget(tx, target);
  } else {
    await pipelined(
      storeExists(tx, database.id, { wasEmptied: keys.has(stepKeys.empty) }),
      recordUsers(tx, database.id, run),
    );
  }
  await emitDatabase(tx, database);
}

async function recordUsers(tx: PoolClient, databaseId: number, run: Run): Promise<void> {
  const [ofRun, users] = await pipelined(listRunSteps(tx, run.id), listUsersForWork(tx, databaseId));
  const steps = new Map(ofRun.map((step) => [step.key, step]));
  for (const { id } of users) {
    if (steps.get(stepKeys.removedUser(id))?.status === "completed") await deleteUserRows(tx, [id]);
    const step = steps.get(stepKeys.user(id));
    if (step?.status === "completed") await storeUserStatus(tx, id, databaseStatus.exists, null);
    if (step?.status === "failed") {
      await storeUserStatus(tx, id, databaseStatus.failed, step.detail ?? "The server gave no reason.");
    }
  }
}

// Waits for a server that is unreachable or becomes so in between. A refusal of the engine is not retried.
async function recordFailed(
  tx: PoolClient,
  target: Target,
  run: Run | undefined,
  error: string,
): Promise<"retry" | "stop"> {
  const database = await lockDatabase(tx, target.subjectId);
  if (!database || database.server_id !== target.serverId) return "stop";
  const wasRefused = run === undefined || (run.state === "failed" && run.started_at !== null);
  if (database.removed_at === null && wasRefused && (await storeCreationFailed(tx, database.id, error))) {
    await emitDatabase(tx, database);
    return "stop";
  }
  await emitDatabase(tx, database);
  return "retry";
}
