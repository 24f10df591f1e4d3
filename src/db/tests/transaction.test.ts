import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { isReadOnly } from "../outage.ts";
import { openPool } from "../pool.ts";
import { pipelined, readOnly, savepoint, transaction } from "../transaction.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase({ migrated: false });
  await database.pool.query("create table notes (word text)");
});
beforeEach(() => database.pool.query("truncate notes"));
after(() => database.drop());

const notes = async (): Promise<string[]> =>
  (await database.pool.query("select word from notes order by word")).rows.map(({ word }) => word);

test("what is asked together comes to what each part comes to, in their order", async () => {
  const results = await transaction(database.pool, (tx) =>
    pipelined(
      tx.query("insert into notes values ('first')"),
      tx.query("select count(*)::integer as count from notes").then(({ rows }) => rows[0].count),
      undefined,
    ),
  );
  assert.deepEqual(results.slice(1), [1, undefined]);
  assert.deepEqual(await notes(), ["first"]);
});

test("a part that continues after another one has failed leaves nothing behind", async () => {
  let going: Promise<void> | undefined;
  const failing = transaction(database.pool, (tx) => {
    const goesOn = async () => {
      await tx.query("insert into notes values ('before')");
      // The other part has failed by the time of this answer.
      await database.pool.query("select pg_sleep(0.05)");
      await tx.query("insert into notes values ('after')");
    };
    going = goesOn();
    return pipelined(going, tx.query("select 1 / 0"));
  });
  await assert.rejects(failing, /division by zero/);
  await Promise.allSettled([going]);
  assert.deepEqual(await notes(), []);
});

test("a part of a transaction that fails takes nothing else of it along", async () => {
  await transaction(database.pool, async (tx) => {
    await tx.query("insert into notes values ('stays')");
    const failing = savepoint(tx, async () => {
      await tx.query("insert into notes values ('goes')");
      await tx.query("select 1 / 0");
    });
    await assert.rejects(failing, /division by zero/);
    await tx.query("insert into notes values ('stays, too')");
  });
  assert.deepEqual(await notes(), ["stays", "stays, too"]);
});

test("of two transactions that wait for each other one is repeated, and both end well", async () => {
  await database.pool.query("insert into notes values ('one'), ('two')");
  const bothHold = Promise.withResolvers<void>();
  let attempts = 0;
  const rename = (first: string, second: string) =>
    transaction(database.pool, async (tx) => {
      await tx.query("update notes set word = word || '!' where word like $1", [`${first}%`]);
      if (++attempts === 2) bothHold.resolve();
      await bothHold.promise;
      await tx.query("update notes set word = word || '!' where word like $1", [`${second}%`]);
      return first;
    });
  assert.deepEqual(await Promise.all([rename("one", "two"), rename("two", "one")]), ["one", "two"]);
  assert.deepEqual(await notes(), ["one!!", "two!!"]);
  assert.equal(attempts, 3);
});

test("a transaction that always loses is given up, and any other failure is not repeated", async () => {
  let attempts = 0;
  const failing = (code: string) =>
    transaction(database.pool, async (tx) => {
      attempts++;
      await tx.query("insert into notes values ('lost')");
      await tx.query(`do $$ begin raise exception using errcode = '${code}'; end $$`);
    });
  await assert.rejects(failing("40001"), { code: "40001" });
  assert.equal(attempts, 5);
  await assert.rejects(failing("55P03"), { code: "55P03" });
  assert.equal(attempts, 6);
  assert.deepEqual(await notes(), []);
});

test("a statement that may only read changes nothing, and its connection can be used again", async (t) => {
  const pool = openPool(database.url, { max: 1 });
  t.after(() => pool.end());
  const count = await readOnly(pool, (tx) => tx.query("select count(*)::integer as count from notes"));
  assert.equal(count.rows[0].count, 0);
  const insert = "with made as (insert into notes values ('made') returning word) select word from made";
  await assert.rejects(
    readOnly(pool, (tx) => tx.query(insert)),
    isReadOnly,
  );
  await assert.rejects(
    readOnly(pool, (tx) => tx.query("select 1 / 0")),
    /division by zero/,
  );
  await pool.query(insert);
  assert.deepEqual(await notes(), ["made"]);
});
