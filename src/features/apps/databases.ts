import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { awaitApplied } from "../../engine/reconcile/reconcile.ts";
import { AppError } from "../../lib/errors.ts";
import { findDatabaseForWork } from "../databases/queries.ts";
import { createDatabase, emptyDatabase } from "../databases/service.ts";
import { lockProjectForWork } from "../projects/queries.ts";
import type { App, AppDatabase } from "./app.ts";
import { findInstallation, setDatabase } from "./queries.ts";

export interface FoundDatabase extends AppDatabase {
  id: number;
  password: string;
}

/** The database of an installation with its password; undefined when it was deleted. */
export async function findAppDatabase(
  db: Db,
  { secrets }: Pick<Context, "secrets">,
  id: number,
): Promise<FoundDatabase | undefined> {
  const found = await findDatabaseForWork(db, id);
  if (!found || found.removed_at !== null) return undefined;
  const { database_type: engine, database_name: name, username, password } = found;
  return { id, engine, name, username, password: secrets.decrypt(password) };
}

const applyTimeoutMs = 10 * 60_000;

/** Provides an empty database for the project: a new one, or the one of the previous attempt. */
export async function provideDatabase(
  ctx: Context,
  app: App,
  projectId: number,
  signal: AbortSignal,
): Promise<{ id: number; reused: boolean }> {
  const { reused, ...wanted } = await transaction(ctx.pool, async (tx) => {
    const project = await lockProjectForWork(tx, projectId);
    const installation = await findInstallation(tx, projectId);
    if (!project || !installation) throw gone();
    const { database_id: present } = installation;
    const kept = present === null ? undefined : await findAppDatabase(tx, ctx, present);
    if (kept) return { ...(await emptyDatabase(tx, ctx, kept.id)), reused: true };
    const name = `${app.slug.replace(/^app_/, "").replaceAll("-", "_")}_${projectId}`;
    const created = await createDatabase(tx, ctx, { serverId: project.server_id, projectId, name }).catch(permanently);
    await setDatabase(tx, projectId, created.id);
    return { ...created, reused: false };
  });
  const { state, error } = await awaitApplied(ctx, wanted, { timeoutMs: applyTimeoutMs, signal });
  if (state === "failed") {
    throw new AppError("run_failed", error ?? "The server did not create the database.", { permanent: true });
  }
  if (state === "pending") throw new AppError("unavailable", error ?? "The server has not created the database yet.");
  return { id: wanted.id, reused };
}

export const gone = (): AppError =>
  new AppError("not_found", "The project does not exist any more.", { permanent: true });

// Retrying does not free a name.
function permanently(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  throw new AppError(error.code, error.message, { cause: error, permanent: true });
}
