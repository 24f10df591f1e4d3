import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import { World } from "../../../../test/route-world.ts";
import { row, rows, sql } from "../../../db/sql.ts";
import { type Cast, contextOn, createCast } from "../../../http/tests/support.ts";
import { countOf } from "../queries.ts";

// The database counts along: whatever is done to servers and projects, the counts equal the result of counting.

let database: TestDatabase;
let cast: Cast;
let world: World;

before(async () => {
  database = await testDatabase();
  cast = await createCast(database.pool);
  world = new World(contextOn(database.pool), cast);
});

after(() => database.drop());

const kept = async (organization: number, kind: "servers" | "projects"): Promise<number> =>
  Number((await row<{ count: number }>(database.pool, sql`select (${countOf(organization, kind)}) as count`))?.count);

async function assertTrue(): Promise<void> {
  const counted = await rows<{ id: number; servers: number; projects: number }>(
    database.pool,
    sql`select id, (select count(*) from servers where organization_id = o.id) as servers,
      (select count(*) from projects where organization_id = o.id) as projects from organizations o`,
  );
  for (const { id, servers, projects } of counted) {
    assert.deepEqual([await kept(id, "servers"), await kept(id, "projects")], [servers, projects]);
  }
}

test("counts what is created, moved and deleted, also by cascade", async () => {
  const server = await world.server();
  const other = await world.server();
  await world.project({ serverId: server });
  await world.project({ serverId: other });
  assert.equal(await kept(cast.organizationId, "projects"), 2);
  await assertTrue();
  const destination = cast.charlieOrganizationId;
  await rows(database.pool, sql`update servers set organization_id = ${destination} where id = ${server}`);
  await rows(database.pool, sql`update projects set organization_id = ${destination} where server_id = ${server}`);
  assert.equal(await kept(destination, "projects"), 1);
  await assertTrue();
  await rows(database.pool, sql`delete from servers where id = ${other}`);
  assert.equal(await kept(cast.organizationId, "projects"), 0);
  await assertTrue();
});

test("stays true, and small, when many create and delete at once", async () => {
  await Promise.all(
    Array.from({ length: 200 }, async (_, at) => {
      const server = await world.server();
      if (at % 3 === 0) await rows(database.pool, sql`delete from servers where id = ${server}`);
    }),
  );
  await assertTrue();
  const [size] = await rows<{ count: number }>(database.pool, sql`select count(*) from record_counts`);
  assert.ok(Number(size?.count) < 160, `${size?.count} rows`);
});

test("forgets an organization that is gone", async () => {
  const gone = cast.charlieOrganizationId;
  await rows(database.pool, sql`delete from organizations where id = ${gone}`);
  assert.deepEqual(await rows(database.pool, sql`select 1 from record_counts where organization_id = ${gone}`), []);
  await assertTrue();
});
