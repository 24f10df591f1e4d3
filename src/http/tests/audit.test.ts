import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, before, describe, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { changed, row, rows, sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { authenticator } from "../../features/accounts/authenticator.ts";
import { routesOf } from "../../features.ts";
import { AppError } from "../../lib/errors.ts";
import { buildApp } from "../app.ts";
import { subjectsOfAnswer, subjectsOfFields, subjectsOfPath } from "../audit.ts";
import { type RequestContext, type Route, route, StreamAnswer } from "../route.ts";
import { IdParams } from "../schemas.ts";
import { appOn, type Cast, call, contextOn, createCast } from "./support.ts";

interface Entry {
  organization_id: number;
  user_id: number;
  user_email: string;
  token_id: number | null;
  ip: string;
  action: string;
  summary: string;
  subjects: string[];
  fields: string[];
  request_id: string;
}

let database: TestDatabase;
let cast: Cast;
let app: FastifyInstance;

before(async () => {
  database = await testDatabase();
  cast = await createCast(database.pool);
  await database.pool.query(`
    create function rename_user(user_id bigint, new_name text) returns void language plpgsql as $$
    begin
      if user_id > 0 then update users set name = new_name where id = user_id; end if;
    end $$`);
  app = appOn(contextOn(database.pool), [...testRoutes, ...secretRoutes]);
});

after(async () => {
  await app?.close();
  await database?.drop();
});

const entriesOf = (requestId: unknown): Promise<Entry[]> =>
  rows<Entry>(database.pool, sql`select * from audit_log where request_id = ${String(requestId)} order by id`);

const nameOfBob = async () =>
  (await row<{ name: string }>(database.pool, sql`select name from users where id = ${cast.userIds.bob}`))?.name;

const rename = ({ pool }: Pick<RequestContext, "pool">, name: string) =>
  changed(pool, sql`update users set name = ${name} where id = ${cast.userIds.bob}`);

/** Code without an actor, and code that creates transactions. Other code would make changes without an audit entry. */
const allowedToConnect = [
  "db/client.ts",
  "db/connection-check.ts",
  "db/migrate.ts",
  "db/rolled-back.ts",
  "db/transaction.ts",
  "engine/listener.ts",
  "features/sign-in/queries.ts",
  "http/hooked-pool.ts",
];

const Done = Type.Object({ status: Type.String() });

/** Each handler changes Bob's name in a different way. */
const handlers: Record<string, (ctx: RequestContext, name: string) => Promise<unknown>> = {
  directly: (ctx, name) => rename(ctx, name),
  inTransaction: (ctx, name) =>
    transaction(ctx.pool, (tx) => changed(tx, sql`update users set name = ${name} where id = ${cast.userIds.bob}`)),
  twice: async (ctx, name) => {
    await rename(ctx, "Robert");
    await rename(ctx, name);
  },
  behindWith: (ctx, name) =>
    rows(
      ctx.pool,
      sql`with a as (update users set name = ${name} where id = ${cast.userIds.bob} returning id) select id from a`,
    ),
  returning: (ctx, name) =>
    row(ctx.pool, sql`/* select */ update users set name = ${name} where id = ${cast.userIds.bob} returning id`),
  // The same text has only read before.
  sometimes: async ({ pool }, name) => {
    for (const id of [0, cast.userIds.bob]) await row(pool, sql`select rename_user(${id}, ${name})`);
  },
  byFunction: async ({ pool }, name) => {
    await pool.query(sql`select add_monitor_months(${`${name.startsWith("GET") ? 2001 : 2002}-01-01`})`);
  },
  nothing: async ({ pool }) => row(pool, sql`select 1`),
  refused: (ctx, name) =>
    transaction(ctx.pool, async (tx) => {
      await changed(tx, sql`update users set name = ${name} where id = ${cast.userIds.bob}`);
      throw new AppError("refused", "No.");
    }),
  halfway: async (ctx, name) => {
    await rename(ctx, name);
    throw new Error("The process fell over.");
  },
};

const testRoutes: Route[] = (["GET", "POST"] as const).flatMap((method) =>
  Object.entries(handlers).map(([kind, handler]) =>
    route({
      method,
      path: `/api/v1/changes/:id/${kind}`,
      summary: `Change ${kind}`,
      permission: "any",
      params: IdParams,
      ...(method === "POST"
        ? { body: Type.Object({ name: Type.String(), project_ids: Type.Optional(Type.Any()) }) }
        : {}),
      reply: Done,
      handle: async (ctx) => {
        await handler(ctx, `${method} ${kind}`);
        return { status: "success" };
      },
    }),
  ),
);

const post = (kind: string, body: object = { name: "secret value" }) =>
  call(app, `POST /api/v1/changes/5/${kind}`, { token: cast.alice, body });

/** The names of all fields in an answer. */
const fieldsIn = (schema: unknown): string[] =>
  typeof schema !== "object" || schema === null
    ? []
    : Object.entries(schema).flatMap(([key, value]) => [
        ...(key === "properties" ? Object.keys(value ?? {}) : []),
        ...fieldsIn(value),
      ]);

const secrets = Readable.from(["secret"]);
const secretRoutes: Route[] = [
  { path: "/api/v1/secrets/:id", answer: () => ({ status: "the secret" }) },
  { path: "/api/v1/secrets/:id/file", answer: () => new StreamAnswer("application/octet-stream", secrets) },
].map(({ path, answer }) =>
  route({
    ...{ method: "GET", path, summary: "Read a secret", permission: "any", params: IdParams, reply: Done },
    isAudited: true,
    handle: answer,
  }),
);

test("the reading of a secret leaves an entry, or shows nothing", async (t) => {
  const read = (path = "") => call(app, `GET /api/v1/secrets/5${path}`, { token: cast.alice });
  const shown = await read();
  assert.deepEqual([shown.status, shown.body.status], [200, "the secret"]);
  const [entry, ...more] = await entriesOf(shown.headers["x-request-id"]);
  assert.deepEqual([entry?.user_id, entry?.summary, more], [cast.userIds.alice, "Read a secret", []]);

  await database.pool.query(`
    create function refuse_entry() returns trigger language plpgsql as $$ begin raise 'full'; end $$;
    create trigger refuse_entry before insert on audit_log for each row execute function refuse_entry()`);
  t.after(() => database.pool.query("drop function refuse_entry cascade"));
  for (const path of ["", "/file"]) {
    const hidden = await read(path);
    assert.deepEqual([hidden.status, hidden.text.includes("secret")], [500, false], path);
  }
  assert.ok(secrets.destroyed);
});

test("a reading cannot be taken for the rehearsal of one, which leaves no entry", async () => {
  const ctx = contextOn(database.pool);
  const real = buildApp(ctx, routesOf(), authenticator(ctx));
  const reply = await call(real, "GET /api/v1/projects/5/app?dry_run=true", { token: cast.alice });
  assert.equal(reply.status, 422);
  await real.close();
});

test("each route that shows a password leaves an entry for each reading", () => {
  const shows = ({ reply }: Route) => fieldsIn(reply).some((name) => /^(password|credentials)$/.test(name));
  const readings = routesOf().filter((each) => each.method === "GET" && shows(each));
  assert.ok(readings.length >= 4);
  const silent = readings.filter(({ isAudited }) => isAudited === undefined).map(({ path }) => path);
  assert.deepEqual(silent, []);
  // Those that show one in other words.
  const others = routesOf().filter((each) => each.isAudited && !readings.includes(each));
  assert.deepEqual(others.map(({ path }) => path.split("/").at(-1)).sort(), ["connection", "dump"]);
});

describe("a request that changes something", () => {
  test("records who, what, on what, from where and when, and no value that was sent", async () => {
    const answer = await post("directly", { name: "secret value", project_ids: [7, 8] });
    const [entry, ...more] = await entriesOf(answer.headers["x-request-id"]);
    assert.equal(more.length, 0);
    assert.equal(entry?.organization_id, cast.organizationId);
    assert.equal(entry.user_id, cast.userIds.alice);
    assert.equal(entry.user_email, "alice@example.com");
    assert.ok(Number(entry.token_id) > 0);
    assert.equal(entry.ip, "127.0.0.1");
    assert.equal(entry.action, "POST /api/v1/changes/:id/directly");
    assert.equal(entry.summary, "Change directly");
    assert.deepEqual(entry.subjects, ["change:5", "project:7", "project:8"]);
    assert.deepEqual(entry.fields, ["name", "project_ids"]);
    assert.ok(!JSON.stringify(entry).includes("secret value"));
  });

  for (const kind of ["directly", "inTransaction", "twice", "behindWith", "returning", "sometimes"]) {
    // The entry of a POST is written at its end if there was nothing to change: a GET shows whether the change was noticed.
    test(`leaves one entry when it changes ${kind}, also as a GET`, async () => {
      const read = await call(app, `GET /api/v1/changes/5/${kind}`, { token: cast.alice });
      assert.equal(await nameOfBob(), `GET ${kind}`);
      assert.equal((await entriesOf(read.headers["x-request-id"])).length, 1);
      const posted = await post(kind);
      assert.equal(await nameOfBob(), `POST ${kind}`);
      assert.equal((await entriesOf(posted.headers["x-request-id"])).length, 1);
    });
  }

  test("leaves one when it reads from a function that changes something", async () => {
    for (const method of ["GET", "POST"]) {
      const answer = await call(app, `${method} /api/v1/changes/5/byFunction`, {
        token: cast.alice,
        ...(method === "POST" ? { body: { name: "x" } } : {}),
      });
      assert.equal(answer.status, 200);
      assert.equal((await entriesOf(answer.headers["x-request-id"])).length, 1, method);
    }
  });

  test("leaves one when it fails after the change", async () => {
    const answer = await post("halfway");
    assert.equal(answer.status, 500);
    assert.equal(await nameOfBob(), "POST halfway");
    assert.equal((await entriesOf(answer.headers["x-request-id"])).length, 1);
  });

  test("leaves none when its transaction is rolled back", async () => {
    const answer = await post("refused");
    assert.equal(answer.status, 422);
    assert.notEqual(await nameOfBob(), "POST refused");
    assert.deepEqual(await entriesOf(answer.headers["x-request-id"]), []);
  });

  test("changes nothing when its entry cannot be written", async (t) => {
    await database.pool.query("alter table audit_log add constraint closed check (false) not valid");
    t.after(() => database.pool.query("alter table audit_log drop constraint closed"));
    await rename(database, "Bob");
    for (const kind of ["directly", "inTransaction", "twice"]) {
      assert.equal((await post(kind)).status, 500);
      assert.equal(await nameOfBob(), "Bob", kind);
    }
  });

  test("leaves one entry however often its answer is repeated for an Idempotency-Key", async () => {
    const headers = { "idempotency-key": "once" };
    const send = () =>
      call(app, "POST /api/v1/changes/6/directly", { token: cast.alice, body: { name: "x" }, headers });
    const [first, second] = [await send(), await send()];
    assert.equal((await entriesOf(first.headers["x-request-id"])).length, 1);
    assert.equal((await entriesOf(second.headers["x-request-id"])).length, 0);
  });

  test("is recorded also when there was nothing to change, and a GET that reads is not", async () => {
    const posted = await post("nothing");
    const read = await call(app, "GET /api/v1/changes/5/nothing", { token: cast.alice });
    assert.equal((await entriesOf(posted.headers["x-request-id"])).length, 1);
    assert.equal((await entriesOf(read.headers["x-request-id"])).length, 0);
  });
});

describe("every route of the API", () => {
  // The same table, with handlers that change something: proves that no route can avoid the log.
  const changing = routesOf()
    .filter(({ method, permission }) => method !== "GET" && permission !== "public")
    .map(
      ({ body, check, ...each }): Route => ({
        ...each,
        permission: each.permission === "session" ? "account" : each.permission,
        rawBody: false,
        reply: Done,
        handle: async (ctx) => {
          await rename(ctx, each.summary);
          return { status: "success" };
        },
      }),
    );

  test("that is not a GET leaves an entry", async (t) => {
    const ctx = contextOn(database.pool);
    const changingApp = buildApp(ctx, changing, authenticator(ctx));
    t.after(() => changingApp.close());
    assert.ok(changing.length > 10);
    for (const each of changing) {
      const path = each.path
        .replace(/\/organizations\/:id/, `/organizations/${cast.organizationId}`)
        .replace(":userCode", "BCDF-GHJK")
        .replace("attention/:key", "attention/monitor_down%3A5");
      const answer = await call(changingApp, `${each.method} ${path.replace(/:\w+/g, "5")}`, { token: cast.alice });
      assert.ok(answer.status < 300, `${each.method} ${each.path}: ${answer.text}`);
      const actions = (await entriesOf(answer.headers["x-request-id"])).map(({ action }) => action);
      assert.deepEqual(actions, [`${each.method} ${each.path}`]);
    }
  });
});

describe("the way around the log", () => {
  test("is closed: only transaction() and what needs no log take connections of their own", () => {
    const root = join(import.meta.dirname, "../..");
    const takers = globSync("**/*.ts", { cwd: root })
      .filter((file) => !file.includes("tests/"))
      .filter((file) => readFileSync(join(root, file), "utf8").includes(".connect()"));
    assert.deepEqual(takers.sort(), allowedToConnect);
  });
});

describe("subjects", () => {
  test("are the ids of the path under the names of what they are", () => {
    assert.deepEqual(subjectsOfPath("/api/v1/projects/:id/domains/:domainId", { id: 5, domainId: 7 }), [
      "project:5",
      "domain:7",
    ]);
    assert.deepEqual(subjectsOfPath("/api/v1/certificates/:projectId", { projectId: 5 }), ["project:5"]);
    assert.deepEqual(subjectsOfPath("/api/v1/projects/:project/maintenance/toggle", { project: 5 }), ["project:5"]);
    assert.deepEqual(subjectsOfPath("/api/v1/server-providers/:id", { id: 5 }), ["server-provider:5"]);
  });

  test("are never what may be a secret", () => {
    assert.deepEqual(subjectsOfPath("/api/v1/hooks/:source/:token", { source: "git", token: "abc" }), []);
    assert.deepEqual(subjectsOfFields({ password: "1", environment_variables: "A=1", name: "x" }), []);
  });

  test("are the ids that body and answer name, of what was created first", () => {
    assert.deepEqual(subjectsOfFields({ project_ids: [1, "2"], server_id: 3, framework_id: 4, note_id: "x" }), [
      "project:1",
      "project:2",
      "server:3",
    ]);
    assert.deepEqual(subjectsOfAnswer("/api/v1/projects", { status: "success", project_id: "9" }), ["project:9"]);
    assert.deepEqual(subjectsOfAnswer("/api/v1/projects/install", { data: { id: 9, server_id: 3 } }), [
      "project:9",
      "server:3",
    ]);
    assert.deepEqual(subjectsOfAnswer("/api/v1/servers/:id/databases", { data: { id: 9 } }), ["database:9"]);
    assert.deepEqual(subjectsOfAnswer("/api/v1/me", { data: { id: 9 } }), ["user:9"]);
    assert.deepEqual(subjectsOfAnswer("/api/v1/setup", { data: { id: 9 } }), []);
    assert.deepEqual(subjectsOfAnswer("/api/v1/x", "text"), []);
  });
});
