import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { row, sql } from "../../../db/sql.ts";
import { call, restrict } from "../../../http/tests/support.ts";
import { addProject, addServer, openStage, type Stage } from "./support.ts";

let stage: Stage;
let other: number;
let project: number;

// On two servers of Acme's and on one of a stranger's; Bob reaches one of Acme's, and a project on the other.
before(async () => {
  stage = await openStage();
  const { pool, cast, serverId } = stage;
  other = await addServer(pool, cast.organizationId, { engine: "postgresql" });
  project = await addProject(pool, serverId);
  await add(serverId, "shop", { project, size: 300 });
  await add(other, "shop_archive", { size: 100 });
  await add(other, "blog", { username: "shop_reader" });
  await add(serverId, "gone", { removed: true });
  await add(serverId, "held", { held: 7 });
  const away = await row<{ id: number }>(
    pool,
    sql`insert into organizations (name, plan) values ('Elsewhere', 'business') returning id`,
  );
  await add(await addServer(pool, away?.id as number), "shop_of_others");
  await restrict(pool, "Bob", cast.organizationId, { servers: [other], projects: [project] });
});
after(() => stage?.close());

const add = (
  serverId: number,
  name: string,
  more: { project?: number; size?: number; username?: string; removed?: boolean; held?: number } = {},
) =>
  stage.pool.query(
    `insert into databases (server_id, database_type, database_name, username, password, status, project_id, size_bytes,
       removed_at, held_for)
     values ($1, 'mariadb', $2, $3, '', 1, $4, $5, case when $6 then now() end, $7)`,
    [serverId, name, more.username ?? name, more.project, more.size, more.removed ?? false, more.held],
  );

async function names(query: string, token = stage.cast.alice): Promise<string[]> {
  const { body, status, text } = await call(stage.app, `GET /api/v1/databases?${query}`, { token });
  assert.equal(status, 200, text);
  assert.equal(body.total_items, body.data.length);
  return body.data.map((each: { database_name: string }) => each.database_name);
}

describe("the list of all databases", () => {
  it("has those of all servers, each as its server's list has it, and the server's name", async () => {
    assert.deepEqual(await names(""), ["shop", "shop_archive", "blog"]);
    const token = stage.cast.alice;
    const { body } = await call(stage.app, `GET /api/v1/databases?server_id=${stage.serverId}`, { token });
    const { body: ofServer } = await call(stage.app, `GET /api/v1/servers/${stage.serverId}/databases`, { token });
    assert.deepEqual(body.data, [{ ...ofServer.data[0], server_name: "web-1" }]);
    assert.equal("password" in body.data[0], false);
  });

  it("is narrowed down by project, server and text", async () => {
    assert.deepEqual(await names(`project_id=${project}`), ["shop"]);
    assert.deepEqual(await names(`project_id=${project + 99}`), []);
    assert.deepEqual(await names(`server_id=${other}`), ["shop_archive", "blog"]);
    assert.deepEqual(await names(`server_id=${other},${stage.serverId}&q=SHOP_`), ["shop_archive", "blog"]);
  });

  it("is ordered over pages", async () => {
    assert.deepEqual(await names("sort=name"), ["blog", "shop", "shop_archive"]);
    assert.deepEqual(await names("sort=-size_bytes"), ["shop", "shop_archive", "blog"]);
    assert.deepEqual(await names("sort=size_bytes"), ["shop_archive", "shop", "blog"]);
    const { body } = await call(stage.app, "GET /api/v1/databases?sort=-name&per_page=1&page=2", {
      token: stage.cast.alice,
    });
    assert.deepEqual([body.data[0].database_name, body.total_pages], ["shop", 3]);
  });

  it("has only those of servers within reach", async () => {
    const { bob, charlie } = stage.cast;
    assert.deepEqual(await names("", bob), ["shop_archive", "blog"]);
    assert.deepEqual(await names(`server_id=${stage.serverId}`, bob), []);
    assert.deepEqual(await names(`project_id=${project}`, bob), []);
    assert.deepEqual(await names("q=shop", charlie), []);
  });

  it("refuses what it does not know", async () => {
    for (const query of ["server_id=x", "project_id=0", "sort=password", "engine=mariadb", `q=${"x".repeat(201)}`]) {
      const { status } = await call(stage.app, `GET /api/v1/databases?${query}`, { token: stage.cast.alice });
      assert.equal(status, 422, query);
    }
  });
});
