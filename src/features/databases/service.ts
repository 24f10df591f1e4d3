import { randomBytes } from "node:crypto";
import type { PoolClient } from "pg";
import type { Context, WithQueue } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { pipelined } from "../../db/transaction.ts";
import { emitEvent } from "../../engine/events.ts";
import { forgetTarget, touch } from "../../engine/reconcile/reconcile.ts";
import type { TargetRef } from "../../engine/reconcile/target.ts";
import { engineLabels, type SqlEngine } from "../../host/databases/engine.ts";
import { AppError, invalid } from "../../lib/errors.ts";
import {
  insertDatabase,
  insertOwnDatabase,
  listProjectDatabases,
  lockDatabase,
  lockDatabaseServer,
  startEmptying,
  startRemoval,
  storeOwnDatabase,
} from "./queries.ts";
import { databaseErrors, engineOf } from "./rules.ts";
import { type DatabaseRow, databaseKind } from "./schema.ts";
import { recreateUsers } from "./users/queries.ts";

// What other features do with databases, inside their own transactions. What requests do is in actions.ts.

export interface NewDatabase {
  serverId: number;
  /** The project that it belongs to, and is removed with. */
  projectId: number | null;
  /** Default: the engine of the server. Another engine than the server's is refused. */
  engine?: SqlEngine;
  name: string;
  /** Default: the name. */
  username?: string;
  /** Default: one made at random. */
  password?: string;
}

/** A database that the server has to have: wait for it with `awaitApplied(ctx, wanted, …)`, or read its `status`. */
export interface WantedDatabase extends TargetRef {
  id: number;
  version: number;
}

const databaseTarget = (id: number, serverId: number): TargetRef => ({
  ...databaseKind,
  subjectId: id,
  serverId,
});

/**
 * Records a database with its user; the server makes them as soon as the transaction is committed.
 * Throws `invalid` (fields name, username) for names that cannot be used, `refused` when the server has no such engine.
 */
export async function createDatabase(
  tx: PoolClient,
  ctx: Pick<Context, "queue" | "secrets">,
  database: NewDatabase,
): Promise<WantedDatabase> {
  const { name, username = name, password = newPassword() } = database;
  const [server, errors] = await pipelined(
    lockDatabaseServer(tx, database.serverId),
    databaseErrors(tx, database.serverId, { name, username }),
  );
  if (!server) throw new AppError("refused", "The server of the database does not exist any more.");
  const engine = engineOf(server);
  if (database.engine !== undefined && database.engine !== engine) {
    throw new AppError("refused", `${server.name} has no ${engineLabels[database.engine]}.`);
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const inserted = await insertDatabase(tx, {
    serverId: server.id,
    projectId: database.projectId,
    engine,
    name,
    username,
    password: ctx.secrets.encrypt(password),
    isAdopted: false,
  });
  return touchDatabase(tx, ctx, inserted, server.organization_id);
}

/** The server removes all content of a database. If it could not be created before, it exists afterwards. */
export async function emptyDatabase(tx: PoolClient, ctx: WithQueue, id: number): Promise<WantedDatabase> {
  const database = await lockDatabase(tx, id);
  if (!database) throw new AppError("not_found", "The database does not exist any more.");
  await startEmptying(tx, id);
  return touchDatabase(tx, ctx, database, database.organization_id);
}

/** The server removes a database with its users; the record is deleted after that. */
export async function deleteDatabase(tx: PoolClient, ctx: WithQueue, id: number): Promise<void> {
  const database = await lockDatabase(tx, id);
  if (!database) return;
  await startRemoval(tx, id);
  await touchDatabase(tx, ctx, database, database.organization_id);
}

/** For the deletion of a project, before its row is deleted: removes its databases. */
export async function deleteProjectDatabases(tx: PoolClient, ctx: WithQueue, projectId: number): Promise<void> {
  for (const { id } of await listProjectDatabases(tx, projectId)) await deleteDatabase(tx, ctx, id);
}

/** The database that comes with a server of an engine, in the transaction that adds the server: its setup creates it. */
export async function addOwnDatabase(
  tx: Db,
  { secrets }: Pick<Context, "secrets">,
  { id: serverId, engine }: { id: number; engine: SqlEngine | "none" },
): Promise<void> {
  if (engine === "none") return;
  const password = secrets.encrypt(newPassword());
  await insertOwnDatabase(tx, { serverId, engine, name: "longshore", username: "longshore", password });
}

/**
 * At the end of a setup, which creates the database that comes with the server, or failed to. An existing one stays so if a later
 * setup fails.
 */
export async function settleOwnDatabase(
  tx: PoolClient,
  serverId: number,
  failure: { reason: string | null } | undefined,
): Promise<void> {
  const database = await storeOwnDatabase(tx, serverId, failure);
  if (database) await emitDatabase(tx, database);
}

/**
 * After a project was moved with its databases: creates their further users on the new server. The move removes those of the
 * former server.
 */
export async function followMove(
  tx: PoolClient,
  ctx: WithQueue,
  projectId: number,
  { from }: { from: number },
): Promise<void> {
  for (const database of await listProjectDatabases(tx, projectId)) {
    await forgetTarget(tx, databaseTarget(database.id, from));
    await recreateUsers(tx, database.id);
    const locked = await lockDatabase(tx, database.id);
    if (locked) await touchDatabase(tx, ctx, locked, locked.organization_id);
  }
}

/** Makes the server follow the rows of a database, which the caller has locked and changed, and announces the change. */
export async function touchDatabase(
  tx: PoolClient,
  ctx: WithQueue,
  { id, server_id: serverId }: Pick<DatabaseRow, "id" | "server_id">,
  organizationId: number,
): Promise<WantedDatabase> {
  const target = databaseTarget(id, serverId);
  const [version] = await pipelined(
    touch(tx, ctx.queue, target),
    emitDatabase(tx, { id, server_id: serverId, organization_id: organizationId }),
  );
  return { ...target, id, version };
}

/** A visible field of the record changed. */
export const emitDatabase = (
  tx: PoolClient,
  database: { id: number; server_id: number; organization_id: number },
): Promise<void> =>
  emitEvent(tx, {
    organizationId: database.organization_id,
    serverId: database.server_id,
    name: "database.updated",
    data: { id: database.id },
  });

export const newPassword = (): string => randomBytes(24).toString("base64url");
