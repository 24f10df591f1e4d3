import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { openPool, toIsoTime } from "../pool.ts";
import { transaction } from "../transaction.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase({ migrated: false });
});
after(() => database.drop());

const selected = async (expression: string): Promise<unknown> =>
  (await database.pool.query(`select ${expression} as value`)).rows[0]?.value;

test("a connection that breaks between two statements of a transaction fails the next one, and nothing else", async () => {
  const pool = openPool(database.url, { max: 1 });
  const failing = transaction(pool, async (tx) => {
    const { rows } = await tx.query("select pg_backend_pid() as pid");
    // Not `once`, which also listens for errors.
    const broken = new Promise<void>((resolve) => tx.on("end", resolve));
    await database.pool.query("select pg_terminate_backend($1)", [rows[0].pid]);
    await broken;
    await tx.query("select 1");
  });
  await assert.rejects(failing);
  assert.deepEqual((await pool.query("select 1 as one")).rows, [{ one: 1 }]);
  await pool.end();
});

test("a timestamptz is ISO 8601 in UTC with microseconds, whatever zone it was written in", async () => {
  assert.equal(await selected("timestamptz '2026-03-01 12:20:30.1+02'"), "2026-03-01T10:20:30.100000Z");
  assert.equal(await selected("timestamptz '2026-03-01 10:20:30Z'"), "2026-03-01T10:20:30.000000Z");
  assert.equal(await selected("timestamptz '2026-03-01 10:20:30.123456Z'"), "2026-03-01T10:20:30.123456Z");
  assert.equal(await selected("timestamptz 'infinity'"), "infinity");
  assert.equal(toIsoTime("2026-03-01 10:20:30+00"), "2026-03-01T10:20:30.000000Z");
});

test("an int8 is a number, alone and in arrays", async () => {
  assert.equal(await selected("9007199254740991::int8"), 9007199254740991);
  assert.deepEqual(await selected("array[1, null, 3]::int8[]"), [1, null, 3]);
  assert.deepEqual(await selected("'{}'::int8[]"), []);
});

test("an int8 that a number cannot hold is refused rather than rounded", async () => {
  await assert.rejects(selected("9007199254740993::int8"), RangeError);
});

test("jsonb is parsed; inet, date and numeric stay text; bytea is a Buffer", async () => {
  assert.deepEqual(await selected(`'{"a": [1]}'::jsonb`), { a: [1] });
  assert.equal(await selected("inet '192.0.2.1'"), "192.0.2.1");
  assert.equal(await selected("date '2026-03-01'"), "2026-03-01");
  assert.equal(await selected("1.50::numeric"), "1.50");
  assert.deepEqual(await selected("'\\x00ff'::bytea"), Buffer.from([0, 255]));
});

test("a statement that takes too long is cancelled by the database", async () => {
  const pool = openPool(database.url, { statementTimeoutMs: 50 });
  await assert.rejects(pool.query("select pg_sleep(60)"), { code: "57014" });
  await pool.end();
});
