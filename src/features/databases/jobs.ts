import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import type { Plan } from "../../engine/plan.ts";
import { listRunSteps, type Run } from "../../engine/queries.ts";
import { forgetTarget } from "../../engine/reconcile/reconcile.ts";
import type { Target, TargetKind, TargetRef } from "../../engine/reconcile/target.ts";
import type { RunSecrets } from "../../engine/runs.ts";
import type { Schedule } from "../../engine/schedule/schedule.ts";
import { passwordVerifier } from "../../host/databases/passwords.ts";
import { AppError } from "../../lib/errors.ts";
import { emitDatabase } from "./actions.ts";
import { engineSchedule } from "./engines.ts";
import { creationPlan, type DatabaseOnServer, databaseSecrets, removalPlan, stepKeys } from "./plans.ts";
import {
  deleteDatabaseRow,
  deleteUserRows,
  findDatabaseForWork,
  findServerForWork,
  type LockedDatabase,
  listUsersForWork,
  lockDatabase,
  storeCreationFailed,
  storeExists,
  storeUserStatus,
  type UserForWork,
} from "./queries.ts";
import { engineIn } from "./rules.ts";
import { databaseKind, databaseStatus } from "./schema.ts";

/** A server has each database with its users as the rows say. */
export const databaseTargets = (ctx: Context): TargetKind[] => [
  {
    kind: databaseKind,
    desired,
    secrets: (target) => secretsOf(ctx, target),
    onApplied: recordApplied,
    onFailed: recordFailed,
  },
];

export const databaseSchedules = (ctx: Context): Schedule[] => [engineSchedule(ctx)];

async function desired(tx: Db, target: TargetRef): Promise<Plan | undefined> {
  const database = await findDatabaseForWork(tx, target.subjectId);
  const server = await findServerForWork(tx, target.serverId);
  // It was moved to another server, which has a target of its own.
  if (!database || !server || database.server_id !== server.id) return undefined;
  if (engineIn(server) !== database.database_type) {
    throw new AppError("run_failed", `${server.name} has no such database engine.`, { permanent: true });
  }
  const users = await listUsersForWork(tx, database.id);
  const onServer = databaseOnServer(database, users, server.server_type === 1);
  return database.removed_at === null ? creationPlan(onServer) : removalPlan(onServer);
}

const databaseOnServer = (
  database: LockedDatabase,
  users: readonly UserForWork[],
  remote: boolean,
): DatabaseOnServer => ({
  id: database.id,
  engine: database.database_type,
  name: database.database_name,
  username: database.username,
  exists: database.status === databaseStatus.exists,
  isAdopted: database.is_adopted,
  isEmptying: database.is_emptying,
  remote,
  users: users.map((user) => ({
    id: user.id,
    username: user.username,
    exists: user.status === databaseStatus.exists,
    isRemoved: user.removed_at !== null,
  })),
});

async function secretsOf({ pool, secrets }: Context, target: TargetRef): Promise<RunSecrets> {
  const database = await findDatabaseForWork(pool, target.subjectId);
  if (!database) return { files: {}, masked: [] };
  const users = await listUsersForWork(pool, database.id);
  const passwords: [string, string][] = [
    [databaseSecrets.owner, secrets.decrypt(database.password)],
    ...users.map((user): [string, string] => [databaseSecrets.user(user.id), secrets.decrypt(user.password)]),
  ];
  return {
    files: Object.fromEntries(
      passwords.map(([name, password]) => [name, passwordVerifier(database.database_type, password)]),
    ),
    masked: passwords.map(([, password]) => password),
  };
}

async function recordApplied(tx: PoolClient, target: Target, run: Run | undefined): Promise<void> {
  const database = await lockDatabase(tx, target.subjectId);
  if (!database || !run || database.server_id !== target.serverId) return;
  const keys = new Set(run.plan.steps.map(({ key }) => key));
  if (keys.has(stepKeys.drop)) {
    await deleteDatabaseRow(tx, database.id);
    await forgetTarget(tx, target);
  } else {
    await storeExists(tx, database.id, { wasEmptied: keys.has(stepKeys.empty) });
    await recordUsers(tx, database.id, run);
  }
  await emitDatabase(tx, database);
}

async function recordUsers(tx: PoolClient, databaseId: number, run: Run): Promise<void> {
  const steps = new Map((await listRunSteps(tx, run.id)).map((step) => [step.key, step]));
  for (const { id } of await listUsersForWork(tx, databaseId)) {
    if (steps.get(stepKeys.removedUser(id))?.status === "completed") await deleteUserRows(tx, [id]);
    const step = steps.get(stepKeys.user(id));
    if (step?.status === "completed") await storeUserStatus(tx, id, databaseStatus.exists, null);
    if (step?.status === "failed") {
      await storeUserStatus(tx, id, databaseStatus.failed, step.detail ?? "The server gave no reason.");
    }
  }
}

// A server that is away, or went away in the middle, is waited for. What the engine refuses is not repeated.
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
