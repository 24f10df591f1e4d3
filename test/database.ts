import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { migrate, readMigrations, schemaHash } from "../src/db/migrate.ts";
import { openPool, type Pool } from "../src/db/pool.ts";
import { pollUntil } from "../src/lib/clock.ts";
import { readNote } from "../src/lib/lock.ts";
import { serverDirectory, serverLock } from "./database-server.ts";

export interface TestDatabase {
  pool: Pool;
  url: string;
  /** Closes the pool and drops the database. */
  drop(): Promise<void>;
}

/**
 * A new, migrated database for this test file, in a PostgreSQL that all tests of this user share and that stops
 * automatically. `drop` it in `after`.
 *
 * `migrated: false` returns an empty one.
 */
export async function testDatabase({ migrated = true }: { migrated?: boolean } = {}): Promise<TestDatabase> {
  const server = await sharedServer();
  const name = `test_${randomBytes(6).toString("hex")}`;
  const template = migrated ? await templateOf(server) : "template1";
  await server.admin.query(`create database ${name} template ${template}`);
  const url = server.urlOf(name);
  // Tests do hundreds of things at once, and other tests run in parallel: on a busy machine the last statement waits
  // for long.
  const pool = openPool(url, { applicationName: "longshore-test", connectTimeoutMs: 60_000 });
  const drop = async (): Promise<void> => {
    await pool.end();
    await server.admin.query(`drop database ${name} with (force)`);
  };
  return { pool, url, drop };
}

interface Server {
  admin: Pool;
  urlOf(database: string): string;
}

let shared: Promise<Server> | undefined;

function sharedServer(): Promise<Server> {
  shared ??= connectToServer();
  return shared;
}

// The cluster has to be created first, on a machine where everything else may be starting too.
const startTimeoutMs = 300_000;

async function connectToServer(): Promise<Server> {
  const server = await pollUntil(tryToConnect, { timeoutMs: startTimeoutMs, everyMs: 50 });
  if (server) return server;
  const output = await readFile(join(serverDirectory, "output"), "utf8").catch(() => "");
  throw new Error(`The test PostgreSQL did not start. ${output}`);
}

let starting = false;

/** Starts the server when there is none; undefined while it is not ready. */
async function tryToConnect(): Promise<Server | undefined> {
  const url = await readNote(serverLock);
  const admin = url ? await connect(url) : undefined;
  if (admin) return { admin, urlOf: (database) => url.replace("/longshore?", `/${database}?`) };
  if (!starting) startServer();
  return undefined;
}

/** A connection that stays open for the life of this process, and keeps the server running. */
async function connect(url: string): Promise<Pool | undefined> {
  const admin = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  admin.on("error", () => {});
  try {
    await admin.query("select 1");
    return admin;
  } catch {
    // The note of a server that was killed, or is shutting down.
    await admin.end();
    return undefined;
  }
}

function startServer(): void {
  mkdirSync(serverDirectory, { recursive: true, mode: 0o700 });
  const output = openSync(join(serverDirectory, "output"), "w", 0o600);
  const server = spawn(process.execPath, [join(import.meta.dirname, "database-server.ts")], {
    stdio: ["ignore", output, output],
    detached: true,
  });
  closeSync(output);
  starting = true;
  // It ends at once when another process holds the lock; that one may be about to end, so this is retried.
  server.once("exit", () => {
    starting = false;
  });
  server.unref();
}

let template: Promise<string> | undefined;

function templateOf(server: Server): Promise<string> {
  template ??= migratedTemplate(server);
  return template;
}

/** One database for each state of the migrations, migrated once and copied from then on. */
async function migratedTemplate({ admin, urlOf }: Server): Promise<string> {
  const name = `template_${schemaHash(await readMigrations())}`;
  await admin.query("select pg_advisory_lock(1)");
  try {
    const { rowCount } = await admin.query("select 1 from pg_database where datname = $1", [name]);
    if (rowCount === 0) await makeTemplate(admin, name, urlOf(`${name}_draft`));
  } finally {
    await admin.query("select pg_advisory_unlock(1)");
  }
  return name;
}

async function makeTemplate(admin: Pool, name: string, url: string): Promise<void> {
  await admin.query(`drop database if exists ${name}_draft with (force)`);
  await admin.query(`create database ${name}_draft`);
  const pool = openPool(url);
  try {
    await migrate(pool);
  } finally {
    await pool.end();
  }
  await admin.query(`alter database ${name}_draft rename to ${name}`);
}
