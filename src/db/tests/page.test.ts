import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { sharedCount } from "../page.ts";
import { sql } from "../sql.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase({ migrated: false });
  await database.pool.query("create table notes (owner integer)");
  await database.pool.query("insert into notes values (1), (2), (2)");
});
after(() => database.drop());

const countOf = (owner: number): Promise<number> =>
  sharedCount({ pool: database.pool, query: sql`select count(*) as total from notes where owner = ${owner}` });

test("a count is shared by those who ask for the same, and by no one else", async () => {
  assert.deepEqual(await Promise.all([1, 2, 3, 2, 1].map(countOf)), [1, 2, 0, 2, 1]);
});

test("a count has what was there when it was asked for, also while an earlier one is under way", async () => {
  const earlier = countOf(3);
  await database.pool.query("insert into notes values (3)");
  assert.equal(await countOf(3), 1);
  await earlier;
});

test("a count of many rows is kept, and one of few is always that of now", async () => {
  await database.pool.query("insert into notes select 4 from generate_series(1, 10000)");
  assert.equal(await countOf(4), 10_000);
  await database.pool.query("insert into notes values (4), (5)");
  assert.equal(await countOf(4), 10_000);
  assert.equal(await countOf(5), 1);
  await database.pool.query("insert into notes values (5)");
  assert.equal(await countOf(5), 2);
});

test("a kept count is counted again in the background when it is some seconds old", async (t) => {
  await database.pool.query("insert into notes select 6 from generate_series(1, 10000)");
  await countOf(6);
  await database.pool.query("insert into notes values (6)");
  const now = performance.now();
  t.mock.method(performance, "now", () => now + 6_000);
  assert.equal(await countOf(6), 10_000);
  for (let tries = 0; tries < 1_000 && (await countOf(6)) === 10_000; tries++) await database.pool.query("select 1");
  assert.equal(await countOf(6), 10_001);
  t.mock.method(performance, "now", () => now + 70_000);
  await database.pool.query("insert into notes values (6)");
  assert.equal(await countOf(6), 10_002);
});
