import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { World } from "../../../../test/route-world.ts";
import { rows, sql } from "../../../db/sql.ts";
import { call } from "../../../http/tests/support.ts";
import { addServer, newAddress, openStage, type Stage } from "../../servers/tests/support.ts";
import { adminPlan } from "../admin.ts";

// Lists and plans count the existing records after any sequence of changes.

let stage: Stage;
let world: World;

before(async () => {
  stage = await openStage();
  world = new World(stage.ctx, stage.cast);
});
after(() => stage?.close());

/** The number of servers and projects in Alice's and Charlie's lists. */
async function totals(): Promise<number[]> {
  const { alice, charlie } = stage.cast;
  const paths = [alice, charlie].flatMap((token) => ["servers", "projects"].map((list) => ({ token, list })));
  const lists = paths.map(({ token, list }) => call(stage.app, `GET /api/v1/${list}`, { token }));
  return (await Promise.all(lists)).map(({ body }) => body.total_items);
}

test("lists count what is created, moved and deleted, also by cascade", async () => {
  const [moved, deleted] = [await world.server(), await world.server()];
  await world.project({ serverId: moved });
  await world.project({ serverId: deleted });
  assert.deepEqual(await totals(), [2, 2, 0, 0]);
  const destination = stage.cast.charlieOrganizationId;
  await rows(stage.pool, sql`update servers set organization_id = ${destination} where id = ${moved}`);
  assert.deepEqual(await totals(), [1, 1, 1, 1]);
  await rows(stage.pool, sql`delete from servers where id = ${deleted}`);
  assert.deepEqual(await totals(), [0, 0, 1, 1]);
});

test("a plan counts every server when some are added while others are deleted", async () => {
  await adminPlan(stage, { organization: String(stage.cast.organizationId), plan: "starter" });
  const first = await addServer(stage);
  const add = () =>
    call(stage.app, "POST /api/v1/servers", {
      token: stage.cast.alice,
      body: { server_os: "debian_12", public_ip: newAddress() },
    });
  const remove = rows(stage.pool, sql`delete from servers where id = ${first}`);
  const replies = await Promise.all([...Array.from({ length: 20 }, add), remove.then(add)]);
  const added = replies.filter(({ status }) => status === 201).length;
  const refused = replies.filter(({ status }) => status === 403).length;
  assert.deepEqual([added, refused], [1, 20]);
  assert.equal((await totals())[0], 1);
});
