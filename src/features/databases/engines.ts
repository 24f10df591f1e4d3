import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import type { DueRows } from "../../engine/schedule/schedule.ts";
import { probeEngine } from "../../host/databases/databases.ts";
import type { SqlEngine } from "../../host/databases/engine.ts";
import { parseLook, type SeenEngine } from "../../host/databases/look.ts";
import { lastLine } from "../../host/ssh/connection.ts";
import { coalesced } from "../../lib/coalesce.ts";
import { withDeadline } from "../../lib/deadline.ts";
import { AppError } from "../../lib/errors.ts";
import {
  claimEngineChecks,
  type DueEngine,
  findEngine,
  listManagedNames,
  type ServerOfDatabases,
  storeEngineCheck,
  storeEngineCheckFailure,
} from "./queries.ts";

// The contents of the servers' engines: sizes, connections, and databases that Longshore did not make.

const lookTimeoutMs = 30_000;
// A request waits no longer than this for the server's confirmation.
const answerWithinMs = 3_000;

/** Checks each server's engine about once a minute. */
export const engineSchedule = (ctx: Context): DueRows<DueEngine> => ({
  name: "check-database-engines",
  everyMs: 10_000,
  batch: 100,
  concurrency: 20,
  claim: claimEngineChecks,
  work: async ({ server_id: serverId, database_engine: engine }) => {
    try {
      await recordEngineCheck(ctx, serverId, await askEngine(ctx, { serverId, engine }));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await storeEngineCheckFailure(ctx.pool, serverId, error.message);
    }
  },
});

/** Stores the result: sizes with the records, and the databases without a record. */
export async function recordEngineCheck(ctx: Pick<Context, "pool">, serverId: number, seen: SeenEngine): Promise<void> {
  await transaction(ctx.pool, async (tx) => {
    const managed = new Set(await listManagedNames(tx, serverId));
    const found = seen.databases.filter(({ name }) => !managed.has(name));
    await storeEngineCheck(tx, serverId, { version: seen.version, databases: seen.databases, found });
  });
}

/** What a server's engine has now. Rejects with `server_unreachable` and the like, or `unavailable`. */
async function askEngine(
  ctx: Pick<Context, "hosts">,
  { serverId, engine }: Requested,
  options?: { namesOnly: boolean },
): Promise<SeenEngine> {
  const connection = await ctx.hosts.get(serverId);
  const look = probeEngine(engine, options);
  const { exitCode, stdout, stderr } = await connection.exec(look, { timeoutMs: lookTimeoutMs });
  if (exitCode !== 0) throw new AppError("unavailable", `The database engine did not answer: ${lastLine(stderr)}`);
  return parseLook(stdout);
}

interface Requested {
  serverId: number;
  engine: SqlEngine;
}

const askers = new WeakMap<Context["hosts"], (asked: Requested) => Promise<SeenEngine>>();

// Simultaneous requests share a query, which begins after all of them have arrived.
function askForNames({ hosts }: Pick<Context, "hosts">, asked: Requested): Promise<SeenEngine> {
  const ask =
    askers.get(hosts) ??
    coalesced(
      ({ serverId }: Requested) => String(serverId),
      (each: Requested) => askEngine({ hosts }, each, { namesOnly: true }),
    );
  askers.set(hosts, ask);
  return ask(asked);
}

export interface NamesInEngine {
  databases: string[];
  users: string[];
}

/** The present names in a server's engine; if it does not answer soon, those last seen (databases only). */
export async function namesInEngine(
  ctx: Pick<Context, "hosts" | "pool">,
  server: ServerOfDatabases,
  engine: SqlEngine,
): Promise<NamesInEngine> {
  const asked =
    server.connection_status === 1
      ? askForNames(ctx, { serverId: server.id, engine }).catch(() => undefined)
      : Promise.resolve(undefined);
  const seen = await withDeadline(answerWithinMs, asked, () => undefined);
  if (seen) return { databases: seen.databases.map(({ name }) => name), users: seen.users };
  const last = await findEngine(ctx.pool, server.id);
  return { databases: last?.found.map(({ name }) => name) ?? [], users: [] };
}
