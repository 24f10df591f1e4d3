import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Pool, PoolClient } from "pg";
import { AppError, messageOf } from "../lib/errors.ts";
import { version } from "../lib/version.ts";
import { liftTimeLimit } from "./client.ts";

export interface Migration {
  number: number;
  /** `0001-installation` */
  name: string;
  sql: string;
  checksum: string;
}

interface AppliedMigration {
  number: number;
  name: string;
  checksum: string;
  /** The version of Longshore that applied it; null before the first release. */
  version: string | null;
}

export const migrationsDirectory = join(import.meta.dirname, "migrations");

// Any number works, as long as nothing else in the same database uses it.
const lockKey = 7_235_001;

/**
 * Brings the schema up to date and returns the names of the migrations it applied. Processes that start at once wait for
 * each other. Each migration is one transaction: it is applied completely or not at all. Throws AppError("configuration")
 * when the database was made by a version that this one cannot follow, before anything is changed, or when a migration fails.
 */
export async function migrate(pool: Pool, directory: string = migrationsDirectory): Promise<string[]> {
  const migrations = await readMigrations(directory);
  const db = await pool.connect();
  try {
    // Waiting for another process and rewriting a large table may both take long.
    await liftTimeLimit(db);
    await db.query("select pg_advisory_lock($1)", [lockKey]);
    const pending = pendingMigrations(migrations, await listApplied(db));
    await createHistory(db);
    for (const migration of pending) await apply(db, migration);
    return pending.map((migration) => migration.name);
  } finally {
    // Closing the session releases the lock and drops its settings.
    db.release(true);
  }
}

/** Whether the database holds an installation. */
export async function isMigrated(db: Pool | PoolClient): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>("select to_regclass('schema_migrations') is not null as found");
  return rows[0]?.found === true;
}

/** The migrations of the directory by number. Throws when two have the same number. */
export async function readMigrations(directory: string = migrationsDirectory): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => /^\d{4}-.+\.sql$/.test(file)).sort();
  const migrations = await Promise.all(
    files.map(async (file) => {
      const sql = await readFile(join(directory, file), "utf8");
      const checksum = createHash("sha256").update(sql).digest("hex");
      return { number: Number(file.slice(0, 4)), name: file.replace(/\.sql$/, ""), sql, checksum };
    }),
  );
  const twice = migrations.find((migration, index) => migrations[index - 1]?.number === migration.number);
  if (twice) {
    throw new AppError("configuration", `Two migrations have the number ${twice.number}: renumber ${twice.name}.`);
  }
  return migrations;
}

/** One value for all of them, which identifies a schema's exact state. */
export function schemaHash(migrations: Migration[]): string {
  const hash = createHash("sha256");
  for (const { name, checksum } of migrations) hash.update(`${name} ${checksum}\n`);
  return hash.digest("hex").slice(0, 16);
}

async function listApplied(db: PoolClient): Promise<AppliedMigration[]> {
  if (!(await isMigrated(db))) return [];
  // As JSON, because databases from before the first release have no column for the version.
  const { rows } = await db.query<AppliedMigration>(
    "select number, name, checksum, to_jsonb(m) ->> 'version' as version from schema_migrations m order by number",
  );
  return rows;
}

const createHistory = (db: PoolClient) =>
  db.query(`create table if not exists schema_migrations (
    number integer primary key,
    name text not null,
    checksum text not null,
    version text not null,
    applied_at timestamptz not null default clock_timestamp()
  )`);

/** The pending migrations, in order. Throws when the applied ones differ from the code. */
export function pendingMigrations(migrations: Migration[], applied: AppliedMigration[]): Migration[] {
  const byNumber = new Map(migrations.map((migration) => [migration.number, migration]));
  const foreign = applied.find(({ number, checksum }) => byNumber.get(number)?.checksum !== checksum);
  if (foreign) {
    const isUnreleased = applied.some((migration) => migration.version === null);
    const isNewer = !byNumber.has(foreign.number);
    throw new AppError("configuration", isUnreleased ? unreleased : isNewer ? newer(foreign) : different(foreign));
  }
  const done = new Set(applied.map((migration) => migration.number));
  return migrations.filter((migration) => !done.has(migration.number));
}

const unreleased = `This database was made before Longshore 0.2.0, the first release, and no version can upgrade it. To keep using it, check out the commit that made it; to use ${version}, start with another data directory or database and add your servers there. docs/operations.md has the steps under “Upgrade”.`;

const newer = (by: AppliedMigration): string =>
  `The database is newer than this version of Longshore, ${version}: ${by.version} applied the migration ${by.name} to it. Start ${by.version} or a later version, or restore the backup from before that upgrade.`;

const different = (by: AppliedMigration): string =>
  `The database is not one of this version of Longshore, ${version}: ${by.version} applied another migration ${by.name} to it, from a commit that was never released. Start that commit, or restore a backup that a release made.`;

async function apply(db: PoolClient, { number, name, sql, checksum }: Migration): Promise<void> {
  try {
    await db.query("begin");
    await db.query(sql);
    await db.query("insert into schema_migrations (number, name, checksum, version) values ($1, $2, $3, $4)", [
      number,
      name,
      checksum,
      version,
    ]);
    await db.query("commit");
  } catch (cause) {
    await db.query("rollback").catch(() => {});
    throw new AppError("configuration", `Migration ${name} failed and was rolled back: ${messageOf(cause)}.`, {
      cause,
    });
  }
}
