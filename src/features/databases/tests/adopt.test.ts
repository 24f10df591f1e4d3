import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { call } from "../../../http/tests/support.ts";
import { addMove, addProject, ask, end, openStage, read, runOf, type Stage } from "./support.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
  const found = [
    { name: "old_shop", sizeBytes: 4096, connections: 1, characterSet: "utf8mb4", collation: "utf8mb4_general_ci" },
    { name: "Old Blog", sizeBytes: null, connections: 0, characterSet: "latin1", collation: "latin1_swedish_ci" },
  ];
  await stage.pool.query(
    "insert into database_engines (server_id, version, found, looked_at, look_due_at) values ($1, '10.11', $2, now(), now())",
    [stage.serverId, JSON.stringify(found)],
  );
});

after(() => stage?.close());

describe("databases that Longshore did not create", () => {
  it("are shown to those who may read the server", async () => {
    const line = `GET /api/v1/servers/${stage.serverId}/unmanaged-databases`;
    const reply = await call(stage.app, line, { token: stage.cast.victor });
    assert.deepEqual(
      reply.body.data.map((each: { name: string; adoptable: boolean }) => [each.name, each.adoptable]),
      [
        ["old_shop", true],
        ["Old Blog", false],
      ],
    );
    assert.equal((await call(stage.app, line, { token: stage.cast.charlie })).status, 404);
  });

  it("can be adopted when they are there", async () => {
    assert.match((await ask(stage, "POST", "/adopt", { body: { name: "new_shop" } })).body.errors.name, /no database/);
    const reply = await ask(stage, "POST", "/adopt", { body: { name: "old_shop", username: "shop" } });
    assert.equal(reply.status, 201, reply.text);
    const id = reply.body.data.id;
    assert.deepEqual(
      (await runOf(stage, id)).plan.steps.map(({ key }) => key),
      ["adopt-database"],
    );
    await end(stage, id);
    const record = await read(stage, id);
    assert.equal(record.is_adopted, true);
    assert.equal(record.status, 1);
    assert.match((await ask(stage, "POST", "/adopt", { body: { name: "old_shop" } })).body.errors.name, /exists/);
  });

  it("are not adopted for a project that is being moved", async () => {
    const projectId = await addProject(stage.pool, stage.serverId);
    await addMove(stage.pool, projectId);
    await stage.pool.query("delete from databases");
    const body = { name: "old_shop", username: "mover", project_id: projectId };
    const reply = await ask(stage, "POST", "/adopt", { body });
    assert.equal(reply.status, 422);
    assert.match(reply.body.message, /^The project is being moved to another server\./);
  });

  it("stay where they are when an adoption that failed is deleted", async () => {
    await stage.pool.query("delete from databases");
    const { id } = (await ask(stage, "POST", "/adopt", { body: { name: "old_shop", username: "again" } })).body.data;
    await end(stage, id, "A user named again exists.");
    await ask(stage, "DELETE", `/${id}`);
    assert.doesNotMatch(JSON.stringify((await runOf(stage, id)).plan), /DROP DATABASE/);
  });
});
