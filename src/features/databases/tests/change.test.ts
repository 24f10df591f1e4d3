import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { transaction } from "../../../db/transaction.ts";
import type { Reply } from "../../../http/tests/support.ts";
import { untilWaiting } from "../../servers/tests/support.ts";
import { emptyDatabase } from "../service.ts";
import {
  addMove,
  addProject,
  addServer,
  ask,
  create,
  created,
  end,
  openStage,
  read,
  runOf,
  type Stage,
} from "./support.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
});

after(() => stage?.close());

describe("changing a database", () => {
  it("sets its notes and its project, and keeps what is omitted", async () => {
    const id = await created(stage, { name: "shop" });
    const projectId = await addProject(stage.pool, stage.serverId);
    const reply = await ask(stage, "PUT", `/${id}`, { body: { notes: "Orders" } });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.data.notes, "Orders");
    await ask(stage, "PUT", `/${id}`, { body: { project_id: projectId } });
    const record = await read(stage, id);
    assert.equal(record.notes, "Orders");
    assert.equal(record.project_id, projectId);
    await ask(stage, "PUT", `/${id}`, { body: { project_id: null } });
    assert.equal((await read(stage, id)).project_id, null);
  });

  it("is refused for a project on another server, and for the server's own database", async () => {
    const id = await created(stage, { name: "own" });
    const elsewhere = await addProject(stage.pool, await addServer(stage.pool, stage.cast.organizationId));
    assert.ok((await ask(stage, "PUT", `/${id}`, { body: { project_id: elsewhere } })).body.errors.project_id);
    await stage.pool.query("update databases set created_by_user = false where id = $1", [id]);
    const body = { project_id: await addProject(stage.pool, stage.serverId) };
    assert.match((await ask(stage, "PUT", `/${id}`, { body })).body.message, /came with the server/);
  });

  it("keeps the reason of one that could not be created", async () => {
    const id = await create(stage, { name: "reasoned" });
    await end(stage, id, "No room.");
    const reply = await ask(stage, "PUT", `/${id}`, { body: { notes: "Orders" } });
    assert.equal(reply.status, 422);
    assert.match(
      reply.body.message,
      /^The notes of the database reasoned are the reason why it could not be created\. Delete it /,
    );
    const body = { notes: "No room.", project_id: await addProject(stage.pool, stage.serverId) };
    assert.equal((await ask(stage, "PUT", `/${id}`, { body })).status, 200, "the same text changes nothing");
    assert.equal((await read(stage, id)).notes, "No room.");
  });

  it("does not give it to a project that is being moved", async () => {
    const id = await created(stage, { name: "late" });
    const projectId = await addProject(stage.pool, stage.serverId);
    await addMove(stage.pool, projectId);
    const reply = await ask(stage, "PUT", `/${id}`, { body: { project_id: projectId } });
    assert.equal(reply.status, 422);
    assert.match(reply.body.message, /^The project is being moved to another server\./);
    assert.equal((await read(stage, id)).project_id, null);
    await stage.pool.query("update moves set outcome = 'succeeded' where project_id = $1", [projectId]);
    assert.equal((await ask(stage, "PUT", `/${id}`, { body: { project_id: projectId } })).status, 200);
  });

  it("does not change the databases of a project whose move is being recorded", async () => {
    const projectId = await addProject(stage.pool, stage.serverId);
    const detached = await created(stage, { name: "detached" });
    const attached = await created(stage, { name: "attached", project_id: projectId });
    let asked: Promise<Reply[]> | undefined;
    await transaction(stage.pool, async (tx) => {
      await tx.query("select 1 from servers where id = $1 for no key update", [stage.serverId]);
      asked = Promise.all([
        ask(stage, "PUT", `/${detached}`, { body: { project_id: projectId } }),
        ask(stage, "PUT", `/${attached}`, { body: { project_id: null } }),
        ask(stage, "POST", "", { body: { name: "new_one", project_id: projectId } }),
      ]);
      await untilWaiting(stage.pool, 3);
      await addMove(tx, projectId);
    });
    assert.deepEqual(
      (await asked)?.map(({ status, body }) => [status, / being moved /.test(body.message)]),
      [
        [422, true],
        [422, true],
        [422, true],
      ],
    );
  });

  it("is for members in reach", async () => {
    const id = await created(stage, { name: "guarded" });
    const tries = async (token: string) => (await ask(stage, "PUT", `/${id}`, { token, body: { notes: "x" } })).status;
    assert.deepEqual(
      await Promise.all([stage.cast.bob, stage.cast.victor, stage.cast.charlie].map(tries)),
      [200, 403, 404],
    );
  });
});

describe("a new password", () => {
  it("is stored at once, and the server follows", async () => {
    const id = await created(stage, { name: "keyed" });
    const reply = await ask(stage, "POST", `/${id}/password`, { body: { password: "another-password" } });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.data.sync.state, "pending");
    assert.equal(reply.body.data.status, 1);
    assert.doesNotMatch(JSON.stringify((await runOf(stage, id)).plan), /another-password/);
    await end(stage, id);
    const record = await read(stage, id);
    assert.equal(record.password, "another-password");
    assert.equal(record.sync.state, "applied");
  });

  it("is made at random when it is omitted", async () => {
    const id = await created(stage, { name: "random" });
    const before = (await read(stage, id)).password;
    await ask(stage, "POST", `/${id}/password`, { body: {} });
    assert.notEqual((await read(stage, id)).password, before);
    await end(stage, id);
  });

  it("stays wanted, with the reason, when the server fails to take it", async () => {
    const id = await created(stage, { name: "failing" });
    await ask(stage, "POST", `/${id}/password`, { body: {} });
    await end(stage, id, "MariaDB does not answer.");
    const { status, sync } = await read(stage, id);
    assert.equal(status, 1);
    assert.equal(sync.state, "failing");
    assert.equal(sync.error, "MariaDB does not answer.");
    assert.ok(sync.retry_at);
  });

  it("and a further user are refused for the database of a server that was never set up", async () => {
    const id = await created(stage, { name: "awaited" });
    const status = (to: number) =>
      stage.pool.query("update databases set created_by_user = false, status = $2 where id = $1", [id, to]);
    await status(0);
    for (const [verb, body] of [
      ["password", {}],
      ["users", { username: "reader" }],
    ] as const) {
      const reply = await ask(stage, "POST", `/${id}/${verb}`, { body });
      assert.equal(reply.status, 422);
      assert.match(reply.body.message, /awaited comes with the server, and the setup/);
    }
    assert.equal((await ask(stage, "GET", `/${id}/connection`)).status, 422);
    await status(1);
    assert.equal((await ask(stage, "POST", `/${id}/password`, { body: {} })).status, 200);
    await end(stage, id);
  });

  it("is refused for a database that could not be created", async () => {
    const id = await create(stage, { name: "failed" });
    await end(stage, id, "No room.");
    assert.equal((await ask(stage, "POST", `/${id}/password`, { body: {} })).status, 422);
  });
});

describe("emptying a database", () => {
  it("removes its content once, also of one that could not be created", async () => {
    const id = await create(stage, { name: "retried" });
    await end(stage, id, "No room.");
    await transaction(stage.pool, (tx) => emptyDatabase(tx, stage.ctx, id));
    assert.equal((await read(stage, id)).status, 0);
    assert.deepEqual(
      (await end(stage, id)).plan.steps.map(({ key }) => key),
      ["empty-database"],
    );
    assert.equal((await read(stage, id)).status, 1);
    await ask(stage, "POST", `/${id}/password`, { body: {} });
    assert.deepEqual(
      (await end(stage, id)).plan.steps.map(({ key }) => key),
      ["create-database"],
    );
  });
});
