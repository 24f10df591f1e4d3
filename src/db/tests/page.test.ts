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
