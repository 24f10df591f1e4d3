import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mustRun } from "../../sandbox/command.ts";
import { ensurePackages } from "../../sandbox/packages.ts";
import type { Context } from "../../src/context.ts";
import { migrate } from "../../src/db/migrate.ts";
import { openPool } from "../../src/db/pool.ts";
import { Queue } from "../../src/engine/queue/queue.ts";
import { jobsOf } from "../../src/features.ts";
import { contextOn } from "../../src/http/tests/support.ts";
import { openSecretBox } from "../../src/lib/secrets.ts";
import { version } from "../../src/lib/version.ts";
import { debianPostgres, startInstalledPostgres } from "../installed-postgres.ts";
import { fill, key } from "./fill.ts";

// Writes the filled database of this version, which the tests of later ones start on. It is made with an old PostgreSQL, whose
// dumps all newer ones load.

await ensurePackages(["postgresql-15"], "the database is made and dumped with it");
const directory = await mkdtemp(join(tmpdir(), "longshore-keep-"));
const postgres = await startInstalledPostgres(debianPostgres, directory);
try {
  await makeDatabase(postgres.url);
  const file = join(import.meta.dirname, `${version}.sql`);
  await writeFile(file, await dumpOf(postgres.url));
  process.stdout.write(`The database of ${version} is in ${file}.\n`);
} finally {
  await postgres.stop();
  await rm(directory, { recursive: true });
}

async function makeDatabase(url: string): Promise<void> {
  const pool = openPool(url);
  await migrate(pool);
  const base = contextOn(pool);
  const ctx: Context = { ...base, queue: new Queue(pool, base.log), secrets: openSecretBox({ key, file: "" }) };
  await ctx.queue.start(jobsOf(ctx));
  await fill(ctx);
  await ctx.queue.stop();
  await pool.end();
}

/** Statements for any client: those of psql are left out. */
async function dumpOf(url: string): Promise<string> {
  const options = ["--no-owner", "--no-privileges", "--rows-per-insert=100", "--dbname", url];
  const dump = await mustRun([join(debianPostgres, "pg_dump"), ...options]);
  return dump.replace(/^(?:--.*|\\(?:un)?restrict .*)?\n/gm, "");
}
