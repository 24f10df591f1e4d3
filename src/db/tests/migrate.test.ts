import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { migrate, readMigrations, schemaHash } from "../migrate.ts";
import { openPool } from "../pool.ts";

let database: TestDatabase;
let directory: string;

before(async () => {
  database = await testDatabase({ migrated: false });
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-migrations-"));
  await database.pool.query("drop schema public cascade; create schema public");
  await write("0001-fruit.sql", "create table fruit (name text)");
});
afterEach(() => rm(directory, { recursive: true }));
after(() => database.drop());

const write = (file: string, text: string): Promise<void> => writeFile(join(directory, file), text);

const tables = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
  );
  return rows.map((row) => row.name);
};

test("pending migrations are applied in order, each once", async () => {
  await write("0002-apple.sql", "insert into fruit values ('apple')");
  assert.deepEqual(await migrate(database.pool, directory), ["0001-fruit", "0002-apple"]);
  assert.deepEqual(await migrate(database.pool, directory), []);
  assert.deepEqual((await database.pool.query("select name from fruit")).rows, [{ name: "apple" }]);
});

test("processes that migrate at once wait for each other", async () => {
  const pools = [1, 2, 3, 4].map(() => openPool(database.url));
  const applied = await Promise.all(pools.map((pool) => migrate(pool, directory)));
  await Promise.all(pools.map((pool) => pool.end()));
  assert.deepEqual(applied.flat(), ["0001-fruit"]);
});

test("a migration that fails leaves nothing of itself, and those before it stay", async () => {
  await write("0002-half.sql", "create table half (id int); select nonsense;");
  await assert.rejects(migrate(database.pool, directory), {
    code: "configuration",
    message: 'Migration 0002-half failed and was rolled back: column "nonsense" does not exist.',
  });
  assert.deepEqual(await tables(), ["fruit", "schema_migrations"]);
});

test("an applied migration that was changed is refused", async () => {
  await migrate(database.pool, directory);
  await write("0001-fruit.sql", "create table fruit (name text not null)");
  await assert.rejects(migrate(database.pool, directory), {
    code: "configuration",
    message: /^Migration 0001-fruit was changed after/,
  });
});

test("a database that is newer than the code is refused", async () => {
  await write("0002-apple.sql", "insert into fruit values ('apple')");
  await migrate(database.pool, directory);
  await rm(join(directory, "0002-apple.sql"));
  await assert.rejects(migrate(database.pool, directory), {
    code: "configuration",
    message: /newer than this version .* migration 0002-apple/,
  });
});

test("two migrations with one number are refused", async () => {
  await write("0001-vegetable.sql", "select 1");
  await assert.rejects(readMigrations(directory), { message: /^Two migrations have the number 1/ });
});

test("the hash names the exact state of the schema", async () => {
  const first = schemaHash(await readMigrations(directory));
  await write("0002-apple.sql", "select 1");
  assert.notEqual(schemaHash(await readMigrations(directory)), first);
});
