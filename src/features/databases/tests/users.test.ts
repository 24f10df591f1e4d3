import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ask, created, end, openStage, runOf, type Stage } from "./support.ts";

let stage: Stage;
let id: number;

before(async () => {
  stage = await openStage();
  id = await created(stage, { name: "shop" });
});

after(() => stage?.close());

const add = (body: object, token = stage.cast.alice) => ask(stage, "POST", `/${id}/users`, { token, body });

describe("a user that reads a database", () => {
  it("is created by the server, and shown with its password to those who may change the server", async () => {
    const reply = await add({ username: "reports", password: "reading-password" });
    assert.equal(reply.status, 201, reply.text);
    const userId = reply.body.data.id;
    assert.equal(reply.body.data.access, "read");
    assert.equal(reply.body.data.status, 0);
    const { plan } = await runOf(stage, id);
    assert.ok(plan.steps.some(({ key }) => key === `user-${userId}`));
    assert.doesNotMatch(JSON.stringify(plan), /reading-password/);
    await end(stage, id);
    const [user] = (await ask(stage, "GET", `/${id}/users`)).body.data;
    assert.equal(user.status, 1);
    assert.ok(!("password" in user));
    assert.equal((await ask(stage, "GET", `/${id}/users/${userId}`)).body.data.password, "reading-password");
    assert.equal((await ask(stage, "GET", `/${id}/users/${userId}`, { token: stage.cast.victor })).status, 403);
  });

  it("has a name that nothing on the server has", async () => {
    for (const username of ["shop", "reports", "root", "pg_reader", "Upper"]) {
      const reply = await add({ username });
      assert.equal(reply.status, 422, username);
      assert.ok(reply.body.errors.username);
    }
  });

  it("is removed by the server", async () => {
    const userId = (await add({ username: "former" })).body.data.id;
    await end(stage, id);
    assert.equal((await ask(stage, "DELETE", `/${id}/users/${userId}`)).status, 200);
    assert.equal((await ask(stage, "GET", `/${id}/users/${userId}`)).status, 404);
    assert.ok((await runOf(stage, id)).plan.steps.some(({ key }) => key === `remove-user-${userId}`));
    await end(stage, id);
    assert.equal((await add({ username: "former" })).status, 201);
  });

  it("is for members in reach", async () => {
    assert.equal((await add({ username: "of_victor" }, stage.cast.victor)).status, 403);
    assert.equal((await add({ username: "of_charlie" }, stage.cast.charlie)).status, 404);
  });
});
