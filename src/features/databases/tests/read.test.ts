import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { call } from "../../../http/tests/support.ts";
import { addProject, addServer, ask, created, databasesOf, openStage, type Stage } from "./support.ts";

let stage: Stage;
let id: number;

before(async () => {
  stage = await openStage();
  id = await created(stage, { name: "shop", password: "it's a secret: $1" });
});

after(() => stage?.close());

describe("the list of a server's databases", () => {
  it("has the engine, each database, and no password", async () => {
    const reply = await ask(stage, "GET");
    assert.equal(reply.status, 200);
    assert.equal(reply.body.engine, "mariadb");
    assert.equal(reply.body.data.length, 1);
    const [record] = reply.body.data;
    assert.equal(record.database_name, "shop");
    assert.equal(record.status, 1);
    assert.match(record.created_at, /^\d{4}-.*\.\d{6}Z$/);
    assert.ok(!("password" in record));
  });

  it("has all of them unless a page is asked for", async () => {
    for (let n = 0; n < 30; n++) await created(stage, { name: `many_${n}` });
    assert.equal((await ask(stage, "GET")).body.data.length, 31);
    const second = (await ask(stage, "GET", "?per_page=20&page=2")).body;
    assert.equal(second.data.length, 11);
    assert.deepEqual([second.current_page, second.per_page, second.total_pages, second.total_items], [2, 20, 2, 31]);
    assert.deepEqual((await ask(stage, "GET", "?page=9")).body.data, []);
  });

  it("reports that there is no engine", async () => {
    const server = await addServer(stage.pool, stage.cast.organizationId, { engine: "none" });
    const reply = await call(stage.app, `GET /api/v1/servers/${server}/databases`, { token: stage.cast.alice });
    assert.equal(reply.body.engine, null);
    assert.deepEqual(reply.body.data, []);
  });

  it("is read by viewers, and does not exist for strangers", async () => {
    assert.equal((await ask(stage, "GET", "", { token: stage.cast.victor })).status, 200);
    assert.equal((await ask(stage, "GET", "", { token: stage.cast.charlie })).status, 404);
  });

  it("does not show what only holds a name", async () => {
    await stage.pool.query("update databases set held_for = 1 where database_name = 'many_1'");
    const names = (await ask(stage, "GET")).body.data.map((each: { database_name: string }) => each.database_name);
    assert.ok(!names.includes("many_1"));
  });
});

describe("a database", () => {
  it("is read with its password by those who may change the server", async () => {
    assert.equal((await ask(stage, "GET", `/${id}`)).body.data.password, "it's a secret: $1");
    assert.equal((await ask(stage, "GET", `/${id}`, { token: stage.cast.bob })).status, 200);
    assert.equal((await ask(stage, "GET", `/${id}`, { token: stage.cast.victor })).status, 403);
    assert.equal((await ask(stage, "GET", `/${id}`, { token: stage.cast.charlie })).status, 404);
  });

  it("is on its own server only", async () => {
    const other = await addServer(stage.pool, stage.cast.organizationId);
    const line = `GET ${databasesOf({ ...stage, serverId: other })}/${id}`;
    assert.equal((await call(stage.app, line, { token: stage.cast.alice })).status, 404);
  });
});

describe("the database that comes with a server", () => {
  it("is in sync once the server's setup has created it", async () => {
    const { alice: token } = stage.cast;
    const body = { server_os: "debian_12", public_ip: "203.0.113.77" };
    const { server_id: server } = (await call(stage.app, "POST /api/v1/servers", { token, body })).body;
    const shown = async () => {
      const [{ status, sync }] = (await call(stage.app, `GET /api/v1/servers/${server}/databases`, { token })).body
        .data;
      return { status, state: sync.state, error: sync.error };
    };
    const settle = (status: number, notes: string | null) =>
      stage.pool.query("update databases set status = $2, notes = $3 where server_id = $1", [server, status, notes]);
    assert.deepEqual(await shown(), { status: 0, state: "pending", error: null });
    await settle(2, "MariaDB does not start.");
    assert.deepEqual(await shown(), { status: 2, state: "failed", error: "MariaDB does not start." });
    await settle(1, null);
    assert.deepEqual(await shown(), { status: 1, state: "applied", error: null });
  });
});

describe("connection settings", () => {
  const linesOf = async (query: string) => (await ask(stage, "GET", `/${id}/connection${query}`)).body.data;

  it("are lines for the framework of the project", async () => {
    await ask(stage, "PUT", `/${id}`, { body: { project_id: await addProject(stage.pool, stage.serverId, 1) } });
    const laravel = await linesOf("");
    assert.equal(laravel.framework, "fw_1");
    assert.equal(
      laravel.environment_variables,
      [
        "DB_CONNECTION=mysql",
        "DB_HOST=127.0.0.1",
        "DB_PORT=3306",
        "DB_DATABASE=shop",
        "DB_USERNAME=shop",
        'DB_PASSWORD="it\'s a secret: \\$1"',
        "",
      ].join("\n"),
    );
  });

  it("are a URL for others", async () => {
    const { environment_variables: text } = await linesOf("?framework=fw_5");
    const url = new URL(/^DATABASE_URL=(.*)$/m.exec(text)?.[1]?.replaceAll(/^"|"$/g, "") ?? "");
    assert.equal(decodeURIComponent(url.password), "it's a secret: $1");
    assert.equal(url.pathname, "/shop");
  });

  it("name the private address of a Database server where both have one, and ask for TLS elsewhere", async () => {
    const data = await addServer(stage.pool, stage.cast.organizationId, { engine: "postgresql", type: 1 });
    const own = { ...stage, serverId: data };
    const database = await created(own, { name: "far" });
    const connection = async () =>
      (await ask(own, "GET", `/${database}/connection?framework=fw_1&server_id=${stage.serverId}`)).body.data;
    const beyond = await connection();
    assert.equal(beyond.tls_required, true);
    assert.match(beyond.environment_variables, /DB_SSLMODE=require/);
    await stage.pool.query("update servers set private_ip = ('10.1.0.' || id % 200)::inet where id = any($1)", [
      [data, stage.serverId],
    ]);
    const near = await connection();
    assert.equal(near.tls_required, false);
    assert.match(near.host, /^10\.1\.0\./);
  });

  it("are refused from a server that its databases are not open to", async () => {
    const other = await addServer(stage.pool, stage.cast.organizationId);
    const reply = await ask(stage, "GET", `/${id}/connection?server_id=${other}`);
    assert.equal(reply.status, 422);
    assert.ok(reply.body.errors.server_id);
  });
});
