import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { version } from "../../lib/version.ts";
import { migrate, readMigrations, schemaHash } from "../migrate.ts";
import { openPool } from "../pool.ts";

let database: TestDatabase;
let directory: string;

before(async () => {
  database = await testDatabase({ migrated: false });
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-migrations-"));
  await database.pool.query("drop owned by current_user cascade");
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

test("the version that applied a migration is kept with it", async () => {
  await migrate(database.pool, directory);
  const { rows } = await database.pool.query("select name, version from schema_migrations");
  assert.deepEqual(rows, [{ name: "0001-fruit", version }]);
});

const refusal = async (): Promise<string> => {
  const before = await tables();
  const error = await migrate(database.pool, directory).then(
    () => assert.fail("it was accepted"),
    (error: Error & { code?: string }) => error,
  );
  assert.equal(error.code, "configuration");
  assert.deepEqual(await tables(), before);
  return error.message;
};

test("a database with another migration of the same number is refused, with the versions", async () => {
  await migrate(database.pool, directory);
  await database.pool.query("update schema_migrations set version = '0.3.0-dev'");
  await write("0001-fruit.sql", "create table fruit (name text not null)");
  await write("0002-apple.sql", "create table apple (name text)");
  const pattern = `^The database is not one of this version of Longshore, ${version}: 0\\.3\\.0-dev applied another migration 0001-fruit`;
  assert.match(await refusal(), new RegExp(pattern));
});

test("a database that is newer than the code is refused, with the version that it needs", async () => {
  await write("0002-apple.sql", "insert into fruit values ('apple')");
  await migrate(database.pool, directory);
  await database.pool.query("update schema_migrations set version = '0.4.1' where number = 2");
  await rm(join(directory, "0002-apple.sql"));
  await write("0003-pear.sql", "create table pear (name text)");
  assert.match(
    await refusal(),
    /^The database is newer than this version .*: 0\.4\.1 applied the migration 0002-apple to it\. Start 0\.4\.1 or a later/,
  );
});

test("a database from before the first release is refused with what to do, whatever its migrations were", async () => {
  for (const names of [["0001-fruit"], ["0001-fruit", "0002-berries", "0047-more"]]) {
    await database.pool.query("drop owned by current_user cascade");
    await database.pool.query("create table schema_migrations (number integer primary key, name text, checksum text)");
    for (const name of names) {
      await database.pool.query("insert into schema_migrations values ($1, $2, 'other')", [
        Number.parseInt(name, 10),
        name,
      ]);
    }
    const message = await refusal();
    assert.match(message, /^This database was made before Longshore 0\.2\.0, the first release, and no version can/);
    assert.match(message, /check out the commit that made it; .* start with another data directory/);
  }
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
