import { transaction } from "../../../db/transaction.ts";
import type { Partly, RequestContext } from "../../../http/route.ts";
import { type FieldErrors, invalid, notFound } from "../../../lib/errors.ts";
import { getDatabase, getLockedDatabase, isMoving } from "../actions.ts";
import { databaseCapabilities } from "../capabilities.ts";
import { namesInEngine } from "../engines.ts";
import { type DatabasePath, findDatabaseServer, lockDatabaseServer } from "../queries.ts";
import { databaseErrors, engineErrors, engineIn } from "../rules.ts";
import { type DatabaseUserRequest, type DatabaseUserRow, usersPerDatabase } from "../schema.ts";
import { newPassword, touchDatabase } from "../service.ts";
import { findUser, insertUser, listUsers, listUsersForWork, markUserRemoved } from "./queries.ts";

// Users with read-only access to a database.

const userRecord = (user: DatabaseUserRow) => ({ ...user, access: "read" as const });

export async function showUsers(ctx: RequestContext, path: DatabasePath) {
  const database = await getDatabase(ctx, path);
  return (await listUsers(ctx.pool, database.id)).map(userRecord);
}

export async function showUser(ctx: RequestContext, path: DatabasePath, userId: number) {
  const database = await getDatabase(ctx, path);
  const user = await findUser(ctx.pool, database.id, userId);
  if (!user) throw notFound("The user");
  return { ...userRecord(user), password: ctx.secrets.decrypt(user.password) };
}

/** The errors of a new user beyond the schema. */
export async function checkUser(
  ctx: RequestContext,
  { params, body }: { params: { id: number }; body: Partly<DatabaseUserRequest> },
): Promise<FieldErrors> {
  const server = await findDatabaseServer(ctx.pool, ctx.actor, params.id);
  const engine = server && engineIn(server);
  const { username } = body;
  if (!server || !engine || username === undefined) return {};
  const recorded = await databaseErrors(ctx.pool, server.id, { username });
  if (Object.keys(recorded).length > 0) return recorded;
  return engineErrors(engine, await namesInEngine(ctx, server, engine), { username });
}

export async function createUser(ctx: RequestContext, path: DatabasePath, { username, password }: DatabaseUserRequest) {
  const user = await transaction(ctx.pool, async (tx) => {
    await lockDatabaseServer(tx, path.serverId);
    const database = await getLockedDatabase(tx, ctx, path);
    await databaseCapabilities.refuse("create_user", database, {
      moving: () => isMoving(tx, ctx, database),
      too_many: async () => (await listUsersForWork(tx, database.id)).length >= usersPerDatabase,
    });
    const errors = await databaseErrors(tx, path.serverId, { username });
    if (Object.keys(errors).length > 0) throw invalid(errors);
    const encrypted = ctx.secrets.encrypt(password || newPassword());
    const inserted = await insertUser(tx, database.id, { username, password: encrypted });
    await touchDatabase(tx, ctx, database, database.organization_id);
    return inserted;
  });
  return { message: `The user ${username} is being created.`, data: userRecord(user) };
}

export async function deleteUser(ctx: RequestContext, path: DatabasePath, userId: number) {
  await transaction(ctx.pool, async (tx) => {
    const database = await getLockedDatabase(tx, ctx, path);
    await databaseCapabilities.refuse("delete_user", database, { moving: () => isMoving(tx, ctx, database) });
    const user = await findUser(tx, database.id, userId);
    if (!user || !(await markUserRemoved(tx, userId))) throw notFound("The user");
    await touchDatabase(tx, ctx, database, database.organization_id);
  });
  return { message: "The user is being deleted." };
}
