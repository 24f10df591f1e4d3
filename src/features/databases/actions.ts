import type { PoolClient } from "pg";
import type { Static } from "typebox";
import type { Db } from "../../db/sql.ts";
import { pipelined, rehearse, transaction } from "../../db/transaction.ts";
import { listSyncs } from "../../engine/reconcile/reconcile.ts";
import { inSync, type Sync } from "../../engine/reconcile/target.ts";
import type { SqlEngine } from "../../host/databases/engine.ts";
import { planOf } from "../../http/dry-run.ts";
import { refuseChanged } from "../../http/expected.ts";
import { maxPerPage, pageOf, paginated, totalOf } from "../../http/pagination.ts";
import { endRehearsal } from "../../http/rehearsal.ts";
import type { Partly, RequestContext } from "../../http/route.ts";
import { type AppError, type FieldErrors, invalid, notFound } from "../../lib/errors.ts";
import { isAny } from "../../lib/hooks.ts";
import type { PlacementRef } from "../placements/schema.ts";
import { meetServer } from "../servers/actions.ts";
import { databaseCapabilities, hostingCapabilities } from "./capabilities.ts";
import { namesInEngine } from "./engines.ts";
import { databaseHooks } from "./hooks.ts";
import {
  countDatabases,
  countReachableDatabases,
  type DatabasePath,
  findDatabase,
  findDatabaseServer,
  findEngine,
  holdProjectOn,
  insertDatabase,
  type LockedDatabase,
  listDatabases,
  listLossesOf,
  listReachableDatabases,
  lockDatabaseServer,
  lockReachableDatabase,
  type ServerOfDatabases,
  saveDatabase,
  savePassword,
} from "./queries.ts";
import { databaseErrors, engineErrors, engineIn, engineOf } from "./rules.ts";
import {
  type DatabaseListQuery,
  type DatabaseRequest,
  type DatabaseRow,
  type DatabaseUpdate,
  databaseKind,
  databaseStatus,
  databasesPerServer,
} from "./schema.ts";
import { createDatabase, deleteDatabase, emitDatabase, newPassword, touchDatabase } from "./service.ts";

// What requests do with the databases of a server. What other features do with them is in service.ts.

const databasesPerPage = 25;

const databaseNotFound = (): AppError => notFound("The database");

async function getServer(ctx: RequestContext, id: number): Promise<ServerOfDatabases> {
  const server = await findDatabaseServer(ctx.pool, ctx.actor, id);
  if (!server) throw notFound("The server");
  return server;
}

/** A database in the actor's reach, with its encrypted password; 404 otherwise. */
export async function getDatabase(ctx: RequestContext, path: DatabasePath) {
  const database = await findDatabase(ctx.pool, ctx.actor, path);
  if (!database) throw databaseNotFound();
  return database;
}

/** In a transaction, locked; 404 out of reach. */
export async function getLockedDatabase(
  tx: PoolClient,
  ctx: RequestContext,
  path: DatabasePath,
): Promise<LockedDatabase> {
  const database = await lockReachableDatabase(tx, ctx.actor, path);
  if (!database) throw databaseNotFound();
  return database;
}

/** Whether the database is being moved with its project. */
export const isMoving = async (tx: PoolClient, ctx: RequestContext, { project_id: projectId }: DatabaseRow) =>
  projectId !== null && (await isCopying(tx, ctx, projectId));

const isCopying = (tx: PoolClient, ctx: RequestContext, projectId: number): Promise<boolean> =>
  isAny(databaseHooks.of(ctx), (hook) => hook.isCopying?.(tx, projectId));

// Reading ----------------------------------------------------------------------------------------------------------------

/** All of them, unless a page is requested: a client that waits for a database looks for it in the list. */
export async function showDatabases(
  ctx: RequestContext,
  serverId: number,
  query: { page?: unknown; per_page?: unknown },
) {
  const server = await getServer(ctx, serverId);
  const isPaged = query.page !== undefined || query.per_page !== undefined;
  const page = isPaged
    ? pageOf(query, maxPerPage)
    : { page: 1, perPage: databasesPerServer, limit: databasesPerServer, offset: 0 };
  const [databases, engine] = await Promise.all([
    listDatabases(ctx.pool, serverId, page),
    findEngine(ctx.pool, serverId),
  ]);
  const total = await totalOf(page, databases, () => countDatabases(ctx.pool, serverId));
  return {
    engine: engineIn(server) ?? null,
    engine_version: engine?.version ?? null,
    seen_at: engine?.looked_at ?? null,
    error: engine?.error ?? null,
    ...paginated(page, total, await recordsOf(ctx, databases)),
  };
}

/** The databases on all servers that the actor reaches with everything on them. */
export async function showAllDatabases(ctx: RequestContext, query: Static<typeof DatabaseListQuery>) {
  const page = pageOf(query, databasesPerPage);
  const { q: text, project_id: projectIds, server_id: serverIds, sort = "id" } = query;
  const filter = { text, projectIds, serverIds };
  const [databases, total] = await Promise.all([
    listReachableDatabases(ctx.pool, ctx.actor, { filter, sort, page }),
    countReachableDatabases(ctx.pool, ctx.actor, filter),
  ]);
  return paginated(page, total, await recordsOf(ctx, databases));
}

export async function showDatabase(ctx: RequestContext, path: DatabasePath) {
  const database = await getDatabase(ctx, path);
  return { ...(await recordOf(ctx, database)), password: ctx.secrets.decrypt(database.password) };
}

async function recordsOf<Row extends DatabaseRow>(ctx: RequestContext, databases: readonly Row[]) {
  const ids = databases.map(({ id }) => id);
  const syncs = await listSyncs(ctx.pool, databaseKind, ids);
  return databases.map(({ collation_name: collation, ...database }) => ({
    ...database,
    collation,
    sync: syncs.get(database.id) ?? syncOfSetup(database),
  }));
}

// The database that came with the server has no target of its own until its first change: the server's setup creates it.
function syncOfSetup({ status, notes, created_at }: Omit<DatabaseRow, "collation_name">): Sync {
  if (status === databaseStatus.exists) return inSync;
  if (status === databaseStatus.failed) return { ...inSync, state: "failed", error: notes };
  return { ...inSync, state: "pending", since: created_at };
}

export async function recordOf(ctx: RequestContext, database: DatabaseRow) {
  const [record] = await recordsOf(ctx, [database]);
  return record as NonNullable<typeof record>;
}

// Creating ---------------------------------------------------------------------------------------------------------------

/** The errors of a new database beyond the schema. None if the server is out of reach: then the response is 404. */
export async function checkDatabase(
  ctx: RequestContext,
  { params, body }: { params: { id: number }; body: Partly<DatabaseRequest> },
): Promise<FieldErrors> {
  const server = await findDatabaseServer(ctx.pool, ctx.actor, params.id);
  const engine = server && engineIn(server);
  if (!server || !engine) return {};
  const names = namesIn(body);
  const recorded = await databaseErrors(ctx.pool, server.id, names);
  const isAnyLeft = names.name !== undefined && Object.keys(recorded).length === 0;
  return {
    ...(isAnyLeft ? engineErrors(engine, await namesInEngine(ctx, server, engine), names) : {}),
    ...recorded,
    ...(await projectError(ctx, server.id, body.project_id)),
  };
}

const namesIn = ({ name, username }: Partly<DatabaseRequest>) => ({ name, username: username || name });

async function projectError(
  ctx: RequestContext,
  serverId: number,
  projectId: number | null | undefined,
): Promise<FieldErrors> {
  if (projectId === undefined || projectId === null) return {};
  return (await holdProjectOn(ctx.pool, projectId, serverId)) ? {} : notOnServer;
}

const notOnServer: FieldErrors = { project_id: "The project must be one on this server." };

/** Records the database; the server makes it as soon as it can. */
export async function requestDatabase(ctx: RequestContext, serverId: number, body: DatabaseRequest) {
  const server = await getServer(ctx, serverId);
  await refuseHosting(ctx.pool, "create_database", server);
  await meetServer(ctx, serverId);
  const { name, username, password, project_id: projectId = null } = body;
  const id = await transaction(ctx.pool, async (tx) => {
    await pipelined(
      lockDatabaseServer(tx, serverId),
      refuseHosting(tx, "create_database", server),
      projectId === null ? undefined : holdOwner(tx, ctx, { projectId, serverId }),
    );
    const created = await createDatabase(tx, ctx, {
      serverId,
      projectId,
      name,
      username: username || name,
      password: password || newPassword(),
    });
    return created.id;
  });
  const data = await getDatabase(ctx, { serverId, databaseId: id });
  return { message: `The database ${name} is being created.`, data };
}

// A database that is added during a move would not be moved. The move locks the server, too: the caller has to lock it before.
async function holdOwner(tx: PoolClient, ctx: RequestContext, { projectId, serverId }: PlacementRef): Promise<void> {
  if (!(await holdProjectOn(tx, projectId, serverId))) throw invalid(notOnServer);
  if (await isCopying(tx, ctx, projectId)) throw hostingCapabilities.refusal("create_database", "project_moving");
}

async function refuseHosting(db: Db, verb: "create_database" | "adopt_database", server: ServerOfDatabases) {
  await hostingCapabilities.refuse(verb, server, {
    no_engine: () => engineIn(server) === undefined,
    too_many: async () => (await countDatabases(db, server.id)) >= databasesPerServer,
  });
  endRehearsal();
}

// Changing ---------------------------------------------------------------------------------------------------------------

/** Changes the notes, and which project it belongs to; omitted fields keep their values. */
export async function changeDatabase(ctx: RequestContext, path: DatabasePath, body: DatabaseUpdate) {
  await transaction(ctx.pool, async (tx) => {
    if (body.project_id !== undefined) await lockDatabaseServer(tx, path.serverId);
    const database = await getLockedDatabase(tx, ctx, path);
    await databaseCapabilities.refuse("update", database, { moving: () => isMoving(tx, ctx, database) });
    refuseChanged(ctx, database);
    const { notes = database.notes, project_id: projectId = database.project_id } = body;
    if (notes !== database.notes && database.status === databaseStatus.failed) {
      throw databaseCapabilities.refusal("update", "notes_are_reason", database);
    }
    if (projectId !== null && projectId !== database.project_id) {
      if (!database.created_by_user) throw databaseCapabilities.refusal("update", "came_with_server", database);
      await holdOwner(tx, ctx, { projectId, serverId: path.serverId });
    }
    await saveDatabase(tx, database.id, { notes, project_id: projectId });
    await emitDatabase(tx, database);
  });
  return { message: "The database was updated.", data: await recordOf(ctx, await getDatabase(ctx, path)) };
}

/** Changes the password of the database's user; the server follows as soon as it can. */
export async function changePassword(
  ctx: RequestContext,
  path: DatabasePath,
  { password }: { password?: string | null },
) {
  await transaction(ctx.pool, async (tx) => {
    const database = await getLockedDatabase(tx, ctx, path);
    await databaseCapabilities.refuse("change_password", database, { moving: () => isMoving(tx, ctx, database) });
    await savePassword(tx, database.id, ctx.secrets.encrypt(password || newPassword()));
    await touchDatabase(tx, ctx, database, database.organization_id);
  });
  return { message: "The password is being changed.", data: await recordOf(ctx, await getDatabase(ctx, path)) };
}

/** Drops the database and its users with all content. A dry run only reports what that is. */
export async function requestDeletion(ctx: RequestContext, path: DatabasePath, isDryRun = false) {
  const carryOut = isDryRun ? rehearse : transaction;
  const { name, lost } = await carryOut(ctx.pool, async (tx) => {
    const database = await getLockedDatabase(tx, ctx, path);
    await databaseCapabilities.refuse("delete", database, { moving: () => isMoving(tx, ctx, database) });
    const lost = isDryRun ? await listLossesOf(tx, database.id) : [];
    await deleteDatabase(tx, ctx, database.id);
    return { name: database.database_name, lost };
  });
  if (isDryRun)
    return { message: `The database ${name} would be deleted with all its content.`, plan: planOf({ lost }) };
  return { message: `The database ${name} is being deleted with all its content.` };
}

// Adopting ---------------------------------------------------------------------------------------------------------------

/** Databases that Longshore did not make, as last seen. */
export async function showUnmanaged(ctx: RequestContext, serverId: number) {
  const server = await getServer(ctx, serverId);
  const engine = await findEngine(ctx.pool, serverId);
  const found = engineIn(server) ? (engine?.found ?? []) : [];
  return {
    engine: engineIn(server) ?? null,
    seen_at: engine?.looked_at ?? null,
    data: found.map(({ name, sizeBytes, characterSet, collation }) => ({
      name,
      size_bytes: sizeBytes,
      character_set: characterSet,
      collation,
      adoptable: /^[a-z][a-z0-9_]{0,62}$/.test(name),
    })),
  };
}

/** The errors of an adoption beyond the schema: the database must exist, and its new user must not. */
export async function checkAdoption(
  ctx: RequestContext,
  { params, body }: { params: { id: number }; body: Partly<DatabaseRequest> },
): Promise<FieldErrors> {
  const server = await findDatabaseServer(ctx.pool, ctx.actor, params.id);
  const engine = server && engineIn(server);
  if (!server || !engine) return {};
  const { name, username } = namesIn(body);
  const errors: FieldErrors = {};
  if (name !== undefined) {
    const has = await namesInEngine(ctx, server, engineOf(server));
    if (!has.databases.includes(name)) errors.name = `There is no database named ${name} to adopt.`;
    Object.assign(errors, engineErrors(engine, has, { username }));
  }
  return {
    ...errors,
    ...(await databaseErrors(ctx.pool, server.id, { name, username })),
    ...(await projectError(ctx, server.id, body.project_id)),
  };
}

/** Adopts a database that was found on the server: it gets a user from Longshore, and its existing users keep their rights. */
export async function adoptDatabase(ctx: RequestContext, serverId: number, body: DatabaseRequest) {
  const seen = await getServer(ctx, serverId);
  await refuseHosting(ctx.pool, "adopt_database", seen);
  const engine = engineIn(seen) as SqlEngine;
  const { name, username, password, project_id: projectId = null } = body;
  const id = await transaction(ctx.pool, async (tx) => {
    const server = await lockDatabaseServer(tx, serverId);
    if (!server) throw notFound("The server");
    await refuseHosting(tx, "adopt_database", seen);
    const errors = await databaseErrors(tx, serverId, namesIn(body));
    if (Object.keys(errors).length > 0) throw invalid(errors);
    if (projectId !== null) await holdOwner(tx, ctx, { projectId, serverId });
    const inserted = await insertDatabase(tx, {
      serverId,
      projectId,
      engine,
      name,
      username: username || name,
      password: ctx.secrets.encrypt(password || newPassword()),
      isAdopted: true,
    });
    await touchDatabase(tx, ctx, inserted, server.organization_id);
    return inserted.id;
  });
  const data = await getDatabase(ctx, { serverId, databaseId: id });
  return { message: `The database ${name} is being adopted.`, data };
}
