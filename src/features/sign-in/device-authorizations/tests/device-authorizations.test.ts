import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { FastifyInstance } from "fastify";
import { type TestDatabase, testDatabase } from "../../../../../test/database.ts";
import type { Context } from "../../../../context.ts";
import { changed, row, rows, sql } from "../../../../db/sql.ts";
import { appOn, type Cast, call, contextOn, createCast, restrict } from "../../../../http/tests/support.ts";
import { browserOf } from "../../../accounts/tests/support.ts";
import { organizationRoutes } from "../../../organizations/routes.ts";
import { deleteExpired } from "../../queries.ts";
import { deviceAuthorizationRoutes } from "../routes.ts";

const publicUrl = "https://deploy.example.com";
const program = { "x-longshore-client": "cli/longshore/0.3.0" };
type Person = keyof Cast["userIds"];

let database: TestDatabase;
let ctx: Context;
let cast: Cast;
let app: FastifyInstance;
/** Another process. */
let other: FastifyInstance;

before(async () => {
  database = await testDatabase();
  ctx = contextOn(database.pool, { publicUrl });
  cast = await createCast(database.pool);
  const routes = [...deviceAuthorizationRoutes, ...organizationRoutes];
  app = appOn(ctx, routes);
  other = appOn(ctx, routes);
});
after(async () => {
  await app?.close();
  await other?.close();
  await database?.drop();
});
beforeEach(async () => {
  for (const table of ["sign_in_attempts", "device_authorizations"]) await database.pool.query(`delete from ${table}`);
});

const path = "/api/v1/device-authorizations";
const begin = async (body: object = {}) => {
  const reply = await call(app, `POST ${path}`, {
    body: { client_name: "longshore on laptop", ...body },
    headers: program,
  });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.data as { device_code: string; user_code: string; verification_uri_complete: string };
};
const poll = (device_code: string, on = app) => call(on, `POST ${path}/token`, { body: { device_code } });
const as = async (person: Person, line: string, body?: object, on = app) => {
  const headers = await browserOf(ctx, cast.userIds[person]);
  return call(on, line, { headers, ...(body && { body }) });
};
const chosen = (more: object = {}) => ({
  name: "laptop",
  permissions: ["project:read"],
  organization_id: cast.organizationId,
  ...more,
});
const approve = (person: Person, code: string, more: object = {}, on = app) =>
  as(person, `POST ${path}/${code}/approve`, chosen(more), on);

describe("a program that asks for a token", () => {
  it("gets it once a person has approved it, and works with it in that organization", async () => {
    const { device_code, user_code, verification_uri_complete } = await begin({ permissions: ["project:read"] });
    assert.match(user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    assert.equal(verification_uri_complete, `${publicUrl}/device#${user_code}`);
    const early = await poll(device_code);
    assert.deepEqual(
      [early.status, early.body.data.state, early.body.data.token],
      [202, "authorization_pending", undefined],
    );

    const shown = await as("alice", `GET ${path}/${user_code.toLowerCase().replace("-", "")}`);
    assert.equal(shown.status, 200, shown.text);
    const { client_name, client, permissions, ip } = shown.body.data;
    assert.deepEqual(
      [client_name, client.kind, client.version, permissions],
      ["longshore on laptop", "cli", "0.3.0", ["project:read"]],
    );
    assert.equal(ip, "127.0.0.1");
    const approved = await approve("alice", user_code);
    assert.equal(approved.status, 200, approved.text);

    const { status, body } = await poll(device_code);
    assert.deepEqual([status, body.data.state], [200, "approved"]);
    assert.deepEqual(body.data.organization, { id: cast.organizationId, name: "Acme" });
    const me = await call(app, "GET /api/v1/me", { token: body.data.token });
    assert.deepEqual(me.body.data.organization.permissions, ["project:read"]);
    const token = await row(database.pool, sql`select name, is_bound, user_id from tokens where name = 'laptop'`);
    assert.deepEqual(token, { name: "laptop", is_bound: true, user_id: cast.userIds.alice });
    const entries = await rows<{ action: string }>(
      database.pool,
      sql`select action from audit_log where organization_id = ${cast.organizationId} and user_id = ${cast.userIds.alice} order by id`,
    );
    assert.deepEqual(
      entries.map(({ action }) => action.split("/").at(-1)),
      ["approve", "token"],
    );
  });

  it("gets the token in one answer, of questions at the same moment too", async () => {
    const { device_code, user_code } = await begin();
    await approve("bob", user_code);
    const answers = await Promise.all([poll(device_code), poll(device_code, other), poll(device_code)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410, 410]);
    assert.equal((await poll(device_code)).status, 410);
  });

  it("is denied, and cannot be approved any more", async () => {
    const { device_code, user_code } = await begin();
    assert.equal((await as("bob", `POST ${path}/${user_code}/deny`)).status, 200);
    assert.equal((await poll(device_code)).status, 403);
    assert.equal((await approve("alice", user_code)).status, 404);
    assert.equal((await poll(device_code)).status, 403);
  });

  it("is answered by one of several people at once", async () => {
    const { device_code, user_code } = await begin();
    const answers = await Promise.all([
      approve("alice", user_code),
      approve("adam", user_code, {}, other),
      as("bob", `POST ${path}/${user_code}/deny`),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404]);
    assert.ok([200, 403].includes((await poll(device_code)).status));
  });

  it("gets nothing after ten minutes, approved or not, nor with a guess", async () => {
    const [open, approved] = [await begin(), await begin()];
    await approve("alice", approved.user_code);
    await changed(database.pool, sql`update device_authorizations set expires_at = now()`);
    assert.equal((await poll(open.device_code)).status, 410);
    assert.equal((await poll(approved.device_code)).status, 410);
    assert.equal((await poll(`lsd_${"0".repeat(40)}`)).status, 410);
    assert.equal((await as("alice", `GET ${path}/${open.user_code}`)).status, 404);
    assert.equal((await approve("alice", open.user_code)).status, 404);
    await deleteExpired(database.pool);
    assert.deepEqual(await rows(database.pool, sql`select from device_authorizations`), []);
  });

  it("gets nothing when the person has left the organization in the meantime", async () => {
    const { device_code, user_code } = await begin();
    assert.equal((await approve("victor", user_code)).status, 200);
    await as("victor", `POST /api/v1/organizations/${cast.organizationId}/leave`);
    assert.equal((await poll(device_code)).status, 410);
    await restrict(database.pool, "Victor", cast.organizationId, {});
    await changed(database.pool, sql`update memberships set role = 'Viewer' where user_id = ${cast.userIds.victor}`);
  });

  it("has to wait between its questions", async () => {
    const { device_code } = await begin();
    await poll(device_code);
    const hasty = await poll(device_code);
    assert.deepEqual([hasty.status, hasty.body.data], [202, { state: "slow_down", interval: 8 }]);
    await changed(database.pool, sql`update device_authorizations set polled_at = now() - interval '8 seconds'`);
    assert.deepEqual((await poll(device_code)).body.data, { state: "authorization_pending", interval: 8 });
  });

  it("is stored with digests, and without the token", async () => {
    const { device_code, user_code } = await begin();
    await approve("alice", user_code);
    const stored = await row<{ all: string }>(database.pool, sql`select d::text as all from device_authorizations d`);
    assert.ok(stored && !stored.all.includes(device_code) && !/lsh_/.test(stored.all));
  });

  it("asks ten times a minute from an address", async () => {
    for (let number = 0; number < 10; number++) await begin();
    const refused = await call(app, `POST ${path}`, { body: { client_name: "more" } });
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers["retry-after"]) > 0);
  });

  it("has a name and proposals within bounds", async () => {
    const refused = async (body: object) => Object.keys((await call(app, `POST ${path}`, { body })).body.errors);
    assert.deepEqual(await refused({}), ["client_name"]);
    assert.deepEqual(await refused({ client_name: "x".repeat(101) }), ["client_name"]);
    assert.deepEqual(await refused({ client_name: "x", permissions: ["root"] }), ["permissions.0"]);
  });
});

describe("the person who answers", () => {
  it("is signed in: neither a stranger nor a token is enough", async () => {
    const { user_code } = await begin();
    for (const line of [
      `GET ${path}/${user_code}`,
      `POST ${path}/${user_code}/approve`,
      `POST ${path}/${user_code}/deny`,
    ]) {
      const body = line.endsWith("approve") ? { body: chosen() } : {};
      assert.equal((await call(app, line, body)).status, 401, line);
      assert.equal((await call(app, line, { token: cast.alice, ...body })).status, 403, line);
      const forged = { ...(await browserOf(ctx, cast.userIds.alice)), origin: "https://evil.example" };
      if (line.startsWith("POST"))
        assert.equal((await call(app, line, { headers: forged, ...body })).status, 403, line);
    }
  });

  it("gives away no more than the role has in that organization", async () => {
    const { device_code, user_code } = await begin({ permissions: ["*"] });
    const refused: [Person, string[]][] = [
      ["victor", ["project:update"]],
      ["bob", ["project:read", "server:create"]],
      ["bob", ["*"]],
      ["adam", ["*"]],
      ["adam", ["server:transfer"]],
    ];
    for (const [person, permissions] of refused) {
      assert.equal((await approve(person, user_code, { permissions })).status, 403, `${person} ${permissions}`);
    }
    for (const organization_id of [cast.charlieOrganizationId, 999_999]) {
      const { status, body } = await approve("alice", user_code, { organization_id });
      assert.deepEqual([status, Object.keys(body.errors)], [422, ["organization_id"]]);
    }
    assert.equal((await poll(device_code)).body.data.state, "authorization_pending");
    assert.equal((await approve("alice", user_code, { permissions: ["*"] })).status, 200);
    const { token } = (await poll(device_code)).body.data;
    const elsewhere = { "x-organization": String(cast.charlieOrganizationId) };
    assert.equal((await call(app, "GET /api/v1/me", { token, headers: elsewhere })).status, 403);
    assert.equal((await call(app, "PUT /api/v1/me", { token, body: { name: "Mallory" } })).status, 403);
  });

  it("chooses an expiry that lies in the future, and with it the token ends", async () => {
    const { device_code, user_code } = await begin();
    for (const expires_at of ["yesterday", "2020-01-01T00:00:00Z"]) {
      assert.deepEqual(Object.keys((await approve("alice", user_code, { expires_at })).body.errors), ["expires_at"]);
    }
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    await approve("alice", user_code, { expires_at, name: "for a day" });
    const { token } = (await poll(device_code)).body.data;
    assert.equal((await call(app, "GET /api/v1/me", { token })).status, 200);
    await changed(database.pool, sql`update tokens set expires_at = now() where name = 'for a day'`);
    assert.equal((await call(app, "GET /api/v1/me", { token })).status, 401);
  });

  it("guesses ten codes, over all processes, and is not hindered by right ones", async () => {
    const { user_code } = await begin();
    for (let right = 0; right < 12; right++) assert.equal((await as("bob", `GET ${path}/${user_code}`)).status, 200);
    const guess = (at: number) =>
      as("bob", `GET ${path}/BBBB-BBB${"BCDFGHJKLMNP"[at]}`, undefined, at % 2 ? app : other);
    const statuses = (await Promise.all(Array.from({ length: 12 }, (_, at) => guess(at)))).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [...Array(10).fill(404), 429, 429]);
    assert.equal((await approve("bob", user_code)).status, 429);
    assert.equal((await as("alice", `GET ${path}/${user_code}`)).status, 200);
  });

  it("leaves an entry in the organization of the token, when the request runs in another one", async () => {
    const { user_code } = await begin();
    const made = await as("charlie", "POST /api/v1/organizations", { name: "Second" });
    const organizationId: number = made.body.data.id;
    assert.equal((await approve("charlie", user_code, { organization_id: organizationId })).status, 200);
    const entry = await row(
      database.pool,
      sql`select action, client->>'kind' as kind from audit_log where organization_id = ${organizationId} order by id desc limit 1`,
    );
    assert.deepEqual(entry, { action: `POST ${path}/:userCode/approve`, kind: "console" });
  });
});
