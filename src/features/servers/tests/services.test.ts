import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { rows, sql } from "../../../db/sql.ts";
import { call } from "../../../http/tests/support.ts";
import { addProvisioned, addServer, openStage, type Stage } from "./support.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
});
after(() => stage?.close());

const ask = (path: string, token = stage.cast.alice) => call(stage.app, `GET /api/v1/servers/${path}`, { token });

const reportFacts = (serverId: number, facts: Record<string, string>) =>
  stage.pool.query(
    `insert into runs (server_id, kind, subject, subject_id, plan, nonce, state, ended_at, facts)
     values ($1, 'provision', 'server', $1, '{"steps": []}', 'n', 'succeeded', now(), $2)`,
    [serverId, JSON.stringify(facts)],
  );

const keepPassword = (serverId: number, password: string) =>
  stage.pool.query("update servers set service_password = $2 where id = $1", [
    serverId,
    stage.ctx.secrets.encrypt(password),
  ]);

test("an App server carries web server, PHP, Node and a database, with the versions that its setup reported", async () => {
  const id = await addProvisioned(stage, { database_engine: "postgresql" });
  await reportFacts(id, { nginx_version: "1.22.1", node_version: "24.1.0", database_version: "PostgreSQL 17.2" });
  const { body } = await ask(`${id}/services`);
  assert.deepEqual(
    body.data.map((each: Record<string, unknown>) => [
      each.name,
      each.version,
      each.ports,
      each.state,
      each.has_credentials,
    ]),
    [
      ["nginx", "1.22.1", [80, 443], "unknown", false],
      ["php", null, [], null, false],
      ["node", "24.1.0", [], null, false],
      ["postgresql", "17.2", [5432], "unknown", true],
    ],
  );
});

test("the account of a server's own database is for those who may change the server", async () => {
  const id = await addProvisioned(stage, { database_engine: "mariadb" });
  const { data } = (await ask(`${id}/services/mariadb/credentials`)).body;
  assert.deepEqual([data.host, data.port], ["127.0.0.1", 3306]);
  assert.ok(data.database && data.username && data.password);
  assert.equal((await ask(`${id}/services/mariadb/credentials`, stage.cast.victor)).status, 403);
  assert.equal((await ask(`${id}/services`, stage.cast.victor)).status, 200);
  const read = sql`select user_email, subjects from audit_log where action like 'GET %/credentials'`;
  assert.deepEqual(await rows(stage.pool, read), [{ user_email: "alice@example.com", subjects: [`server:${id}`] }]);
  for (const service of ["postgresql", "redis", "nginx", "php", "none"]) {
    assert.equal((await ask(`${id}/services/${service}/credentials`)).status, 404, service);
  }
});

test("what no setup has installed is listed as that, and has no account", async () => {
  const id = await addServer(stage, { database_engine: "mariadb" });
  const { data } = (await ask(`${id}/services`)).body;
  assert.deepEqual(
    new Set(data.map((each: Record<string, unknown>) => `${each.state} ${each.has_credentials}`)),
    new Set(["not_installed false"]),
  );
  assert.equal((await ask(`${id}/services/mariadb/credentials`)).status, 404);
  // While a later setup runs, all is there.
  await stage.pool.query("update servers set server_status = 1, setup_version = 'a version' where id = $1", [id]);
  assert.equal((await ask(`${id}/services/mariadb/credentials`)).status, 200);
});

test("Redis and Meilisearch have a password, and the address for other servers", async () => {
  for (const [type, name, port] of [
    [2, "redis", 6379],
    [3, "meilisearch", 7700],
  ] as const) {
    const id = await addProvisioned(stage, { server_type: type });
    await stage.pool.query("update servers set private_ip = $2 where id = $1", [id, `10.9.0.${type}`]);
    assert.equal((await ask(`${id}/services`)).body.data[0].has_credentials, false, "not before the setup");
    assert.equal((await ask(`${id}/services/${name}/credentials`)).status, 404);
    await keepPassword(id, `password of ${name}`);
    const [service] = (await ask(`${id}/services`)).body.data;
    assert.deepEqual([service.name, service.ports, service.has_credentials], [name, [port], true]);
    assert.deepEqual((await ask(`${id}/services/${name}/credentials`)).body.data, {
      host: `10.9.0.${type}`,
      port,
      database: null,
      username: null,
      password: `password of ${name}`,
    });
  }
});
