import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "typebox";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import type { Context } from "../../context.ts";
import type { Pool } from "../../db/pool.ts";
import { changed, row, sql } from "../../db/sql.ts";
import { pollUntil } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { deleteOldKeys } from "../queries.ts";
import { route } from "../route.ts";
import { IdParams } from "../schemas.ts";
import { appFor, type Cast, call, contextOn, createCast } from "./support.ts";

let database: TestDatabase;
let ctx: Context;
let cast: Cast;

before(async () => {
  database = await testDatabase();
  ctx = contextOn(database.pool);
  cast = await createCast(database.pool);
});

after(() => database?.drop());

/** Counts how often it runs; waits for `gate`, and fails when the body asks for it. */
function countingRoute(gate: Promise<void> = Promise.resolve()) {
  const counter = { count: 0 };
  const counting = route({
    method: "POST",
    path: "/api/v1/counted",
    summary: "Count",
    permission: "any",
    body: Type.Object({ fail: Type.Optional(Type.String()), note: Type.Optional(Type.String()) }),
    status: 201,
    reply: Type.Object({ count: Type.Integer() }),
    handle: async (_ctx, { body }) => {
      counter.count += 1;
      const { count } = counter;
      await gate;
      if (body.fail === "refusal") throw new AppError("conflict", `Refused ${count}.`);
      if (body.fail === "bug" && count === 1) throw new Error("bug");
      return { count };
    },
  });
  return { counter, routes: [counting] };
}

const keyed = (key: string) => ({ "idempotency-key": key });
const line = "POST /api/v1/counted";

test("the same key, user and body get the first answer again, and nothing is done twice", async (t) => {
  const { counter, routes } = countingRoute();
  const app = appFor(t, ctx, routes);
  const first = await call(app, line, { token: cast.alice, body: { note: "a" }, headers: keyed("one") });
  const again = await call(app, line, { token: cast.alice, body: { note: "a" }, headers: keyed("one") });
  assert.equal(first.status, 201);
  assert.deepEqual([again.status, again.text], [first.status, first.text]);
  assert.equal(again.headers["content-type"], first.headers["content-type"]);
  assert.equal(first.headers["idempotency-replayed"], undefined);
  assert.equal(again.headers["idempotency-replayed"], "true");
  assert.notEqual(again.headers["x-request-id"], first.headers["x-request-id"]);
  assert.equal(counter.count, 1);
});

test("another body under the same key is refused with 422", async (t) => {
  const { counter, routes } = countingRoute();
  const app = appFor(t, ctx, routes);
  await call(app, line, { token: cast.alice, body: { note: "a" }, headers: keyed("two") });
  const other = await call(app, line, { token: cast.alice, body: { note: "b" }, headers: keyed("two") });
  assert.equal(other.status, 422);
  assert.deepEqual(Object.keys(other.body), ["status", "message"]);
  assert.equal(counter.count, 1);
});

test("a body that differs only in an unknown field is another body", async (t) => {
  const { routes } = countingRoute();
  const app = appFor(t, ctx, routes);
  await call(app, line, { token: cast.alice, body: { other: 1 }, headers: keyed("unknown") });
  const other = await call(app, line, { token: cast.alice, body: { other: 2 }, headers: keyed("unknown") });
  assert.equal(other.status, 422);
});

test("another path under the same key is refused with 422", async (t) => {
  const { routes } = countingRoute();
  const app = appFor(t, ctx, routes);
  await call(app, line, { token: cast.alice, body: {}, headers: keyed("path") });
  const body = { name: "x", permissions: ["*"] };
  const other = await call(app, "POST /api/v1/me/tokens", { token: cast.alice, body, headers: keyed("path") });
  assert.equal(other.status, 422);
});

test("a key belongs to its user: the same key of another user is a new request", async (t) => {
  const { counter, routes } = countingRoute();
  const app = appFor(t, ctx, routes);
  for (const token of [cast.alice, cast.bob]) await call(app, line, { token, body: {}, headers: keyed("three") });
  assert.equal(counter.count, 2);
});

test("requests without a key are all carried out", async (t) => {
  const { counter, routes } = countingRoute();
  const app = appFor(t, ctx, routes);
  for (const _ of [1, 2]) await call(app, line, { token: cast.alice, body: {} });
  assert.equal(counter.count, 2);
});

test("of requests that come at once, to two processes, one is carried out and all get its answer", async (t) => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { counter, routes } = countingRoute(gate);
  const [one, other] = [appFor(t, ctx, routes), appFor(t, ctx, routes)];
  const calls = Array.from({ length: 8 }, (_, index) =>
    call(index % 2 ? one : other, line, { token: cast.alice, body: {}, headers: keyed("at-once") }),
  );
  const early = await Promise.race([Promise.any(calls), sleep(200, "none")]);
  assert.equal(early, "none", "no one is answered before the first is");
  open();
  const answers = await Promise.all(calls);
  assert.deepEqual(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)), new Set(['201 {"count":1}']));
  assert.equal(counter.count, 1);
});

test("what can be no key is refused with 422", async (t) => {
  const { counter, routes } = countingRoute();
  const app = appFor(t, ctx, routes);
  for (const key of ["", "a b", "x".repeat(256)]) {
    const answer = await call(app, line, { token: cast.alice, body: {}, headers: keyed(key) });
    assert.equal(answer.status, 422, key);
  }
  assert.equal(counter.count, 0);
});

test("a refusal is an answer, and comes again", async (t) => {
  const { counter, routes } = countingRoute();
  const app = appFor(t, ctx, routes);
  const body = { fail: "refusal" };
  const first = await call(app, line, { token: cast.alice, body, headers: keyed("refused") });
  const again = await call(app, line, { token: cast.alice, body, headers: keyed("refused") });
  assert.deepEqual([first.status, again.status, again.body.message], [409, 409, "Refused 1."]);
  assert.equal(counter.count, 1);
});

test("a bug is no answer: the retry is carried out", async (t) => {
  const { routes } = countingRoute();
  const app = appFor(t, ctx, routes);
  const body = { fail: "bug" };
  const first = await call(app, line, { token: cast.alice, body, headers: keyed("bug") });
  const again = await call(app, line, { token: cast.alice, body, headers: keyed("bug") });
  assert.deepEqual([first.status, again.status], [500, 201]);
});

test("after 24 hours a key is new, and is swept", async (t) => {
  const { counter, routes } = countingRoute();
  const app = appFor(t, ctx, routes);
  const request = { token: cast.alice, body: {}, headers: keyed("old") };
  const age = (hours: number) =>
    changed(
      database.pool,
      sql`update idempotency_keys set created_at = now() - make_interval(hours => ${hours}) where key = 'old'`,
    );
  await call(app, line, request);
  await age(23);
  await call(app, line, request);
  assert.equal(counter.count, 1);
  await age(25);
  await call(app, line, request);
  assert.equal(counter.count, 2);
  await age(25);
  assert.equal(await deleteOldKeys(database.pool), 1);
});

test("an attempt whose process died is taken over when its time is up", async (t) => {
  const { counter, routes } = countingRoute();
  const app = appFor(t, ctx, routes);
  const request = { token: cast.alice, body: {}, headers: keyed("dead") };
  await call(app, line, request);
  await changed(
    database.pool,
    sql`update idempotency_keys set answer = null, claimed_until = now() - interval '1 second' where key = 'dead'`,
  );
  assert.equal((await call(app, line, request)).status, 201);
  assert.equal(counter.count, 2);
});

test("of a process that lives, a claim is renewed, and it ends soon after the process", async (t) => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { routes } = countingRoute(gate);
  const claim = async () =>
    row<{ until: string; seconds: number }>(
      database.pool,
      sql`select claimed_until::text as until, extract(epoch from claimed_until - now())::float as seconds
        from idempotency_keys where key = 'alive'`,
    );
  const first = call(appFor(t, ctx, routes), line, { token: cast.alice, body: {}, headers: keyed("alive") });
  const claimed = await pollUntil(claim, { timeoutMs: 10_000 });
  assert.ok(claimed && claimed.seconds <= 15);
  assert.ok(await pollUntil(async () => (await claim())?.until !== claimed.until, { timeoutMs: 10_000 }));
  open();
  assert.equal((await first).status, 201);
});

/** Adds a project group, waits for `gate`, and adds another one: two transactions. */
function addingRoute(gate: Promise<void>, error?: Error) {
  const add = (pool: Pool, name: string) =>
    changed(pool, sql`insert into project_groups (organization_id, name) values (${cast.organizationId}, ${name})`);
  return route({
    method: "POST",
    path: "/api/v1/adding/:id",
    summary: "Add",
    permission: "any",
    params: IdParams,
    reply: Type.Object({}),
    handle: async ({ pool }, { params }) => {
      await add(pool, `group ${params.id}`);
      await gate;
      await add(pool, `group ${params.id} again`);
      if (error) throw error;
      return {};
    },
  });
}

const countGroups = async (id: number) =>
  (
    await row<{ count: number }>(
      database.pool,
      sql`select count(*)::integer from project_groups where name like ${`group ${id}%`}`,
    )
  )?.count;

/** As after the end of its process. */
const endClaim = (key: string) =>
  changed(database.pool, sql`update idempotency_keys set claimed_until = '-infinity' where key = ${key}`);

test("a change is not made again when its answer could not be stored", async (t) => {
  const app = appFor(t, ctx, [addingRoute(Promise.resolve())]);
  await database.pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before update of answer on idempotency_keys for each row execute function refuse()`);
  const request = { token: cast.alice, headers: keyed("unstored") };
  assert.equal((await call(app, "POST /api/v1/adding/1", request)).status, 200);
  await database.pool.query("drop trigger refuse on idempotency_keys");
  await endClaim("unstored");
  const again = await call(app, "POST /api/v1/adding/1", request);
  assert.deepEqual([again.status, again.headers["idempotency-replayed"]], [202, "true"]);
  assert.deepEqual(again.body.records, ["adding:1"]);
  assert.equal(await countGroups(1), 2);
});

test("a change is not made again when the request failed unexpectedly after it", async (t) => {
  const app = appFor(t, ctx, [addingRoute(Promise.resolve(), new Error("bug"))]);
  const request = { token: cast.alice, headers: keyed("failed-late") };
  assert.equal((await call(app, "POST /api/v1/adding/2", request)).status, 500);
  assert.equal((await call(app, "POST /api/v1/adding/2", request)).status, 202);
  assert.equal(await countGroups(2), 2);
});

test("an attempt whose key another one has taken over changes nothing more", async (t) => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const app = appFor(t, ctx, [addingRoute(gate)]);
  const slow = call(app, "POST /api/v1/adding/3", { token: cast.alice, headers: keyed("taken-over") });
  await pollUntil(async () => (await countGroups(3)) === 1, { timeoutMs: 10_000 });
  await changed(database.pool, sql`update idempotency_keys set claim = gen_random_uuid() where key = 'taken-over'`);
  open();
  assert.equal((await slow).status, 503);
  assert.equal(await countGroups(3), 1);
});

test("a token that is shown once stays out of the database, and is still shown to the repetition", async (t) => {
  const app = appFor(t, ctx);
  const request = { token: cast.alice, body: { name: "ci", permissions: ["*"] }, headers: keyed("token") };
  const first = await call(app, "POST /api/v1/me/tokens", request);
  const again = await call(app, "POST /api/v1/me/tokens", request);
  assert.equal(first.status, 201);
  assert.equal(again.body.data.token, first.body.data.token);
  const stored = await row<{ answer: Buffer }>(
    database.pool,
    sql`select answer from idempotency_keys where key = 'token'`,
  );
  assert.ok(!stored?.answer.toString("latin1").includes(first.body.data.token));
});

test("a body that does not fit the schema claims its key like any other refused request", async (t) => {
  const { counter, routes } = countingRoute();
  const app = appFor(t, ctx, routes);
  const request = { token: cast.alice, headers: keyed("bad") };
  const first = await call(app, line, { ...request, body: { note: 5 } });
  const again = await call(app, line, { ...request, body: { note: 5 } });
  assert.deepEqual([first.status, first.headers["idempotency-replayed"]], [422, undefined]);
  assert.deepEqual([again.text, again.headers["idempotency-replayed"]], [first.text, "true"]);
  const mended = await call(app, line, { ...request, body: { note: "5" } });
  assert.match(mended.body.message, /was used for another request/);
  assert.equal(counter.count, 0);
});
