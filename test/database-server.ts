// The PostgreSQL that this user's tests share. database.ts starts it; it ends when no test has been connected for a
// while.
import { createHash } from "node:crypto";
import { chmod, mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { startEmbeddedPostgres } from "../src/db/embedded.ts";
import { lockFile } from "../src/lib/lock.ts";
import { startInstalledPostgres } from "./installed-postgres.ts";

/** The programs of another PostgreSQL than the embedded one, such as /usr/lib/postgresql/15/bin. */
const binaries = process.env.TEST_POSTGRES ?? "";

// Short, because the path of a socket may have 107 bytes only.
const suffix = binaries && `-${createHash("sha256").update(binaries).digest("hex").slice(0, 8)}`;
export const serverDirectory = join(tmpdir(), `longshore-test-${process.getuid?.() ?? 0}${suffix}`);
/** The server holds this lock; its note is the URL, once it is ready. */
export const serverLock = join(serverDirectory, "lock");

const idleMs = 10_000;

if (import.meta.main) await serve();

async function serve(): Promise<void> {
  await mkdir(serverDirectory, { recursive: true, mode: 0o700 });
  await chmod(serverDirectory, 0o700);
  const lock = await lockFile(serverLock);
  if (!lock) return; // another one was first
  const directory = join(serverDirectory, "postgres");
  // A new cluster each time: leftovers of killed tests do not pile up.
  await rm(directory, { recursive: true, force: true });
  const postgres = binaries
    ? await startInstalledPostgres(binaries, directory)
    : await startEmbeddedPostgres(directory, { durable: false, settings: { max_connections: "200" } });
  const admin = new pg.Client(postgres.url.replace("user=longshore", "user=postgres"));
  await admin.connect();
  // It signals other processes when a test drops its database while autovacuum is vacuuming it.
  await admin.query("alter role longshore createdb; grant pg_signal_backend to longshore");
  lock.note(postgres.url);
  do await untilUnused(admin);
  while (!(await isClosed(admin)));
  lock.note("");
  await admin.end();
  await end(postgres, directory);
}

async function untilUnused(admin: pg.Client): Promise<void> {
  let unusedSince = performance.now();
  while (performance.now() - unusedSince < idleMs) {
    await delay(1_000);
    if (await isUsed(admin)) unusedSince = performance.now();
  }
}

/** A connection that is being opened has no user yet. */
async function isUsed(admin: pg.Client): Promise<boolean> {
  const { rows } = await admin.query(
    `select 1 from pg_stat_activity
     where backend_type = 'client backend' and coalesce(usename, 'longshore') = 'longshore' limit 1`,
  );
  return rows.length > 0;
}

/** Refuses new connections, unless one was opened since the check: a test would lose the connections that it has just opened. */
async function isClosed(admin: pg.Client): Promise<boolean> {
  await admin.query("alter role longshore nologin");
  if (!(await isUsed(admin))) return true;
  await admin.query("alter role longshore login");
  return false;
}

async function end(postgres: { stop(): Promise<void> }, directory: string): Promise<void> {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
