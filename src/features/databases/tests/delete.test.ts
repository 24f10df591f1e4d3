import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { row, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { call } from "../../../http/tests/support.ts";
import { contentsOf } from "../../servers/tests/support.ts";
import { addProject, ask, create, created, end, list, openStage, read, runOf, type Stage } from "./support.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
});

after(() => stage?.close());

const isGone = async (id: number): Promise<boolean> =>
  (await row(stage.pool, sql`select 1 from databases where id = ${id}`)) === undefined;

describe("deleting a database", () => {
  it("takes it out of the list at once, and its record goes when the server has dropped it", async () => {
    const id = await created(stage, { name: "shop" });
    const reply = await ask(stage, "DELETE", `/${id}`);
    assert.equal(reply.status, 200, reply.text);
    assert.equal((await ask(stage, "GET", `/${id}`)).status, 404);
    assert.ok((await list(stage)).every((database) => database.id !== id));
    const again = await ask(stage, "POST", "", { body: { name: "shop" } });
    assert.match(again.body.errors.name, /still being removed/);
    const run = await end(stage, id);
    assert.deepEqual(
      run.plan.steps.map(({ key }) => key),
      ["drop-database"],
    );
    assert.ok(await isGone(id));
    assert.ok(await create(stage, { name: "shop" }));
  });

  it("is only planned by a dry run: the database, its users and its size", async () => {
    const id = await created(stage, { name: "planned" });
    await stage.pool.query("update databases set size_bytes = 12345 where id = $1", [id]);
    await stage.pool.query(
      "insert into database_users (database_id, username, password, status) values ($1, 'reports', '', 1)",
      [id],
    );
    const before = await contentsOf(stage.pool);
    const { status, body, text } = await ask(stage, "DELETE", `/${id}?dry_run=1`);
    assert.equal(status, 200, text);
    assert.deepEqual(body.plan.lost, [
      { noun: "database", count: 1, names: ["planned"], bytes: 12_345 },
      { noun: "database_user", count: 1, names: ["reports"], bytes: null },
    ]);
    for (const query of ["dry_run=", "dry_run=maybe"]) {
      assert.equal((await ask(stage, "DELETE", `/${id}?${query}`)).status, 422, query);
    }
    assert.deepEqual(await contentsOf(stage.pool), before);
    const project = await addProject(stage.pool, stage.serverId);
    await stage.pool.query("update databases set project_id = $1 where id = $2", [project, id]);
    const planned = await ask(stage, "DELETE", `/${id}?dry_run=1`);
    const real = await ask(stage, "DELETE", `/${id}`);
    assert.deepEqual([planned.status, planned.body], [422, real.body]);
    await stage.pool.query("update databases set project_id = null where id = $1", [id]);
    assert.equal((await ask(stage, "DELETE", `/${id}?dry_run=0`)).status, 200);
    await end(stage, id);
  });

  it("is done after a creation that is under way", async () => {
    const id = await create(stage, { name: "young" });
    const creation = await runOf(stage, id);
    await ask(stage, "DELETE", `/${id}`);
    assert.equal((await end(stage, id)).id, creation.id);
    const removal = await end(stage, id);
    assert.match(JSON.stringify(removal.plan), /marked_only=''/);
    assert.ok(await isGone(id));
  });

  it("drops of one that could not be created only what carries its mark", async () => {
    const id = await create(stage, { name: "failed" });
    await end(stage, id, "A database named failed exists on this server already.");
    await ask(stage, "DELETE", `/${id}`);
    assert.match(JSON.stringify((await runOf(stage, id)).plan), /marked_only=yes/);
    await end(stage, id);
    assert.ok(await isGone(id));
  });

  it("is repeated until the server has done so", async () => {
    const id = await created(stage, { name: "stubborn" });
    await ask(stage, "DELETE", `/${id}`);
    await end(stage, id, "MariaDB does not answer.");
    const target = await row<{ retry_at: string | null }>(
      stage.pool,
      sql`select retry_at from targets where kind = 'database' and subject_id = ${id}`,
    );
    assert.ok(target?.retry_at);
    assert.ok(!(await isGone(id)));
  });

  it("is refused for the server's own and for a project's", async () => {
    const own = await created(stage, { name: "own" });
    await stage.pool.query("update databases set created_by_user = false where id = $1", [own]);
    const reply = await ask(stage, "DELETE", `/${own}`);
    assert.equal(reply.status, 422);
    assert.match(reply.body.message, /came with the server/);
    const projects = await created(stage, {
      name: "attached",
      project_id: await addProject(stage.pool, stage.serverId),
    });
    const refusal = await ask(stage, "DELETE", `/${projects}`);
    assert.equal(refusal.status, 422);
    assert.match(refusal.body.message, /belongs to a project/);
  });

  it("is for members in reach", async () => {
    const id = await created(stage, { name: "guarded" });
    assert.equal((await ask(stage, "DELETE", `/${id}`, { token: stage.cast.victor })).status, 403);
    assert.equal((await ask(stage, "DELETE", `/${id}`, { token: stage.cast.charlie })).status, 404);
    assert.equal((await ask(stage, "DELETE", `/${id}`, { token: stage.cast.bob })).status, 200);
  });
});

describe("deleting a project", () => {
  it("drops its databases, and leaves those that were detached", async () => {
    const projectId = await addProject(stage.pool, stage.serverId);
    const attached = await created(stage, { name: "goes", project_id: projectId });
    const detached = await created(stage, { name: "stays", project_id: projectId });
    await ask(stage, "PUT", `/${detached}`, { body: { project_id: null } });
    const reply = await call(stage.app, `DELETE /api/v1/project/${projectId}`, { token: stage.cast.alice });
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual(
      (await end(stage, attached)).plan.steps.map(({ key }) => key),
      ["drop-database"],
    );
    assert.ok(await isGone(attached));
    assert.equal((await read(stage, detached)).status, 1);
  });

  it("leaves no target behind when the server goes too", async () => {
    const id = await created(stage, { name: "with_server" });
    await ask(stage, "DELETE", `/${id}`);
    await runOf(stage, id);
    await transaction(stage.pool, (tx) => tx.query("delete from servers where id = $1", [stage.serverId]));
    assert.ok(await isGone(id));
    const left = await row<{ count: number }>(stage.pool, sql`select count(*) from targets where kind = 'database'`);
    assert.equal(left?.count, 0);
  });
});
