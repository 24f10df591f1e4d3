import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { hostileAccounts } from "../../../../test/e2e/hostile-databases.ts";
import { rows, sql } from "../../../db/sql.ts";
import { call } from "../../../http/tests/support.ts";
import {
  addMove,
  addProject,
  addServer,
  ask,
  create,
  end,
  list,
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

describe("creating a database", () => {
  it("answers at once with the record, and its status turns to 1 when the server has it", async () => {
    const projectId = await addProject(stage.pool, stage.serverId);
    const body = { name: "shop", username: "shop_user", password: "a-long-password", project_id: projectId };
    const reply = await ask(stage, "POST", "", { body });
    assert.equal(reply.status, 201, reply.text);
    assert.equal(reply.body.status, "success");
    const { id, ...data } = reply.body.data;
    assert.deepEqual(data, {
      server_id: stage.serverId,
      project_id: projectId,
      database_type: "mariadb",
      database_name: "shop",
      username: "shop_user",
      status: 0,
    });
    assert.equal((await read(stage, id)).sync.state, "pending");
    await end(stage, id);
    const record = await read(stage, id);
    assert.equal(record.status, 1);
    assert.equal(record.password, "a-long-password");
    assert.equal(record.created_by_user, true);
    assert.equal(record.notes, null);
    assert.equal(record.sync.state, "applied");
  });

  it("takes the name as the username and makes a password", async () => {
    const record = await read(stage, await create(stage, { name: "blog", username: "", password: null }));
    assert.equal(record.username, "blog");
    assert.match(record.password, /^[\w-]{32}$/);
  });

  it("keeps the record with status 2 and the reason when the engine refuses", async () => {
    const id = await create(stage, { name: "refused" });
    await end(stage, id, "The disk of the server is full.");
    const record = await read(stage, id);
    assert.equal(record.status, 2);
    assert.equal(record.notes, "The disk of the server is full.");
    assert.equal(record.sync.state, "failed");
  });

  it("puts no password into plans, steps or jobs", async () => {
    const id = await create(stage, { name: "secretive", password: "correct horse battery" });
    const run = await runOf(stage, id);
    assert.doesNotMatch(JSON.stringify(run), /correct horse/);
    const stored = await rows<{ text: string }>(
      stage.pool,
      sql`select coalesce(data::text, '') as text from queue.job union all select data::text from events union all select row_to_json(a)::text from audit_log a`,
    );
    assert.ok(stored.length > 0);
    for (const { text } of stored) assert.doesNotMatch(text, /correct horse/);
  });

  it("announces the database", async () => {
    const id = await create(stage, { name: "announced" });
    const events = await rows<{ server_id: number; name: string }>(
      stage.pool,
      sql`select server_id, name from events where name = 'database.updated' and (data ->> 'id')::bigint = ${id}`,
    );
    assert.deepEqual(events, [{ server_id: stage.serverId, name: "database.updated" }]);
  });
});

const refused = async (body: object): Promise<Record<string, string>> => {
  const reply = await ask(stage, "POST", "", { body });
  assert.equal(reply.status, 422, reply.text);
  return reply.body.errors;
};

describe("a name for a database", () => {
  for (const name of ["", "1shop", "_shop", "Shop", "shop-1", "shöp", "a".repeat(64), "shop;", "shop shop"]) {
    it(`cannot be ${JSON.stringify(name)}`, async () => {
      assert.match((await refused({ name })).name ?? "", /1 to 63 characters/);
    });
  }

  for (const name of [
    "mysql",
    "information_schema",
    "performance_schema",
    "sys",
    "test",
    "postgres",
    "template0",
    "template1",
    "pg_shop",
  ]) {
    it(`cannot be ${name}, which engines reserve`, async () => {
      assert.match((await refused({ name })).name ?? "", /reserved/);
    });
  }

  it("cannot be any of 1,000 hostile texts, and neither can that of a user", async () => {
    const stored = await list(stage);
    const texts = hostileAccounts(1_000);
    for (let at = 0; at < texts.length; at += 100) {
      const errors = await Promise.all(
        texts.slice(at, at + 100).map(({ name, username }) => refused({ name, username })),
      );
      for (const [index, error] of errors.entries()) {
        assert.deepEqual(Object.keys(error).toSorted(), ["name", "username"], JSON.stringify(texts[at + index]));
      }
    }
    assert.deepEqual(await list(stage), stored);
  });

  it("may have 63 characters", async () => {
    assert.ok(await create(stage, { name: `a${"_".repeat(62)}` }));
  });

  it("is used once on a server, as is a username", async () => {
    await create(stage, { name: "once", username: "once_user" });
    assert.match((await refused({ name: "once", username: "another" })).name ?? "", /exists on this server already/);
    assert.match(
      (await refused({ name: "another", username: "once_user" })).username ?? "",
      /exists on this server already/,
    );
  });

  it("is refused when the engine had it at the last look, without Longshore having created it", async () => {
    await stage.pool.query(
      `insert into database_engines (server_id, found, looked_at, look_due_at)
        values ($1, '[{"name": "foreign_one"}]', now(), now())`,
      [stage.serverId],
    );
    assert.match((await refused({ name: "foreign_one" })).name ?? "", /Longshore did not create it/);
  });

  it("is refused together with everything else that is bad", async () => {
    const errors = await refused({ name: "mysql", username: "Root", password: "short", project_id: 999_999 });
    assert.deepEqual(Object.keys(errors).toSorted(), ["name", "password", "project_id", "username"]);
  });

  it("goes to one of those who ask at the same time", async () => {
    const replies = await Promise.all([1, 2, 3, 4].map(() => ask(stage, "POST", "", { body: { name: "race" } })));
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [201, 422, 422, 422]);
  });
});

describe("a database", () => {
  it("needs a password of 12 characters without control characters", async () => {
    for (const password of ["elevenchars", "with\nnewline-in-it", "x".repeat(201)]) {
      const reply = await ask(stage, "POST", "", { body: { name: "pass", password } });
      assert.equal(reply.status, 422);
      assert.match(reply.body.errors.password, /12 to 200 characters/);
    }
  });

  it("needs a project on its own server", async () => {
    const elsewhere = await addProject(stage.pool, await addServer(stage.pool, stage.cast.organizationId));
    const reply = await ask(stage, "POST", "", { body: { name: "astray", project_id: elsewhere } });
    assert.equal(reply.status, 422);
    assert.equal(reply.body.errors.project_id, "The project must be one on this server.");
  });

  it("is not created for a project that is being moved", async () => {
    const projectId = await addProject(stage.pool, stage.serverId);
    await addMove(stage.pool, projectId);
    const reply = await ask(stage, "POST", "", { body: { name: "too_late", project_id: projectId } });
    assert.equal(reply.status, 422);
    assert.match(reply.body.message, /^The project is being moved to another server\./);
    assert.match((await refused({ name: "mysql", project_id: projectId })).name ?? "", /reserved/, "fields come first");
    assert.ok(await create(stage, { name: "too_late" }), "it was not recorded");
  });

  for (const [what, server] of [
    ["without an engine", { engine: "none" }],
    ["of another type", { engine: "mariadb", type: 2 }],
    ["that is being set up", { status: 1 }],
  ] as const) {
    it(`is refused on a server ${what}`, async () => {
      const id = await addServer(stage.pool, stage.cast.organizationId, server);
      const line = `POST /api/v1/servers/${id}/databases`;
      const reply = await call(stage.app, line, { token: stage.cast.alice, body: { name: "nowhere" } });
      assert.equal(reply.status, 422, reply.text);
      assert.equal(reply.body.errors, undefined);
    });
  }
});

describe("who may create a database", () => {
  it("is a member, not a viewer and not a stranger", async () => {
    const tries = async (token: string, name: string) =>
      (await ask(stage, "POST", "", { token, body: { name } })).status;
    assert.equal(await tries(stage.cast.bob, "of_bob"), 201);
    assert.equal(await tries(stage.cast.victor, "of_victor"), 403);
    assert.equal(await tries(stage.cast.charlie, "of_charlie"), 404);
    assert.ok((await list(stage)).every((database) => database.id > 0));
  });
});
