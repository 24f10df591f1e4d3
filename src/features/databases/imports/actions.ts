import type { Readable } from "node:stream";
import { transaction } from "../../../db/transaction.ts";
import { createRun } from "../../../engine/runs/runs.ts";
import { dumpDatabase, noRoom, receiveDump, removeDump } from "../../../host/databases/dumps.ts";
import { type Connection, lastLine } from "../../../host/ssh/connection.ts";
import type { Hosts } from "../../../host/ssh/hosts.ts";
import { type RequestContext, StreamAnswer } from "../../../http/route.ts";
import { AppError, notFound } from "../../../lib/errors.ts";
import { getDatabase, getLockedDatabase, isMoving } from "../actions.ts";
import { databaseCapabilities } from "../capabilities.ts";
import { databaseOnServer, importPlan } from "../plans.ts";
import { type DatabasePath, findDatabaseServerForWork } from "../queries.ts";
import { type ImportRow, importKind } from "../schema.ts";
import { listUsersForWork } from "../users/queries.ts";
import { endImport, findImport, insertImport, isImporting, startLoading } from "./queries.ts";

// Dumps: an upload is streamed to the server, where a run loads it; a download is streamed from the server.

export async function showImport(ctx: RequestContext, path: DatabasePath, importId: number) {
  const database = await getDatabase(ctx, path);
  const found = await findImport(ctx.pool, database.id, importId);
  if (!found) throw notFound("The import");
  return found;
}

/** Streams the dump to the server, and queues a run that loads it. */
export async function importDump(
  ctx: RequestContext,
  path: DatabasePath,
  { emptiesFirst, body }: { emptiesFirst: boolean; body: Readable },
) {
  const started = await transaction(ctx.pool, async (tx) => {
    const database = await getLockedDatabase(tx, ctx, path);
    await databaseCapabilities.refuse("import", database, {
      moving: () => isMoving(tx, ctx, database),
      importing: () => isImporting(tx, database.id),
    });
    const inserted = await insertImport(tx, { databaseId: database.id, userId: ctx.actor.userId, emptiesFirst });
    if (!inserted) throw databaseCapabilities.refusal("import", "importing");
    return inserted;
  });
  try {
    const sizeBytes = await upload(ctx, path.serverId, { id: started.id, body });
    await queueLoad(ctx, path, { ...started, size_bytes: sizeBytes });
  } catch (error) {
    const reason = error instanceof AppError ? error.message : "The upload failed unexpectedly.";
    await endImport(ctx.pool, started.id, reason);
    // The next upload, after a week, removes the dump if this fails.
    void ctx.hosts
      .get(path.serverId)
      .then((connection) => connection.exec(removeDump(started.id)))
      .catch((err: unknown) => ctx.log.info({ err }, "dump not removed"));
    throw error;
  }
  return { message: "The dump is being loaded.", data: await showImport(ctx, path, started.id) };
}

async function upload(
  ctx: RequestContext,
  serverId: number,
  { id, body }: { id: number; body: Readable },
): Promise<number> {
  const announced = Number(ctx.headers["content-length"] ?? 0);
  const connection = await connectionTo(ctx, serverId);
  const kept = keepConnected(ctx.hosts, serverId);
  const { exitCode, stdout, stderr } = await connection.send(receiveDump(id, announced), body).finally(kept);
  if (exitCode === noRoom) throw databaseCapabilities.refusal("import", "no_room");
  if (exitCode !== 0) throw new AppError("unavailable", `The server did not keep the dump: ${lastLine(stderr)}`);
  const received = Number(stdout.trim());
  if (!Number.isSafeInteger(received) || received <= 0) throw databaseCapabilities.refusal("import", "empty");
  return received;
}

const connectionTo = (ctx: RequestContext, serverId: number): Promise<Connection> =>
  ctx.hosts.get(serverId).catch((cause: unknown) => {
    if (cause instanceof AppError) throw cause;
    throw new AppError("server_unreachable", "The server cannot be reached now.", { cause });
  });

// Idle connections are closed after a while.
function keepConnected(hosts: Hosts, serverId: number): () => void {
  const timer = setInterval(() => void hosts.get(serverId).catch(() => undefined), 60_000);
  return () => clearInterval(timer);
}

async function queueLoad(ctx: RequestContext, path: DatabasePath, load: ImportRow): Promise<void> {
  await transaction(ctx.pool, async (tx) => {
    const database = await getLockedDatabase(tx, ctx, path);
    if (await isMoving(tx, ctx, database)) throw databaseCapabilities.refusal("import", "moving");
    const server = await findDatabaseServerForWork(tx, path.serverId);
    const users = await listUsersForWork(tx, database.id);
    const onServer = databaseOnServer(database, users, server?.server_type === 1);
    const plan = importPlan(load.id, { ...onServer, isEmptying: load.empties_first });
    const runId = await createRun(tx, ctx.queue, {
      serverId: path.serverId,
      ...importKind,
      subjectId: load.id,
      plan,
    });
    if (await startLoading(tx, load.id, { sizeBytes: load.size_bytes, runId })) return;
    throw databaseCapabilities.refusal("import", "too_slow");
  });
}

/** Streams the whole database as the server prints it. */
export async function downloadDump(ctx: RequestContext, path: DatabasePath): Promise<StreamAnswer> {
  const database = await getDatabase(ctx, path);
  await databaseCapabilities.refuse("download", database);
  const { database_name: name, username, database_type: engine, password } = database;
  const connection = await connectionTo(ctx, path.serverId);
  const stream = await connection.receive(dumpDatabase({ engine, name, username }), ctx.secrets.decrypt(password));
  stream.once("close", keepConnected(ctx.hosts, path.serverId));
  const file = engine === "mariadb" ? `${name}.sql.gz` : `${name}.dump`;
  return new StreamAnswer("application/octet-stream", stream, {
    "Content-Disposition": `attachment; filename="${file}"`,
  });
}
