import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { changed, row, sql } from "../../db/sql.ts";
import { pollUntil } from "../../lib/clock.ts";
import { createRateLimiter } from "../rate-limit.ts";
import { appFor, type Cast, call, contextOn, createCast, tokenOf } from "./support.ts";

let database: TestDatabase;
let cast: Cast;

before(async () => {
  database = await testDatabase();
  cast = await createCast(database.pool);
});

after(() => database?.drop());

const line = "GET /api/v1/me";

/** How many of `count` requests are admitted, distributed over the applications and the tokens in turn. */
async function allowedOf(count: number, ask: (index: number) => Promise<{ status: number }>): Promise<number> {
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => ask(index)));
  return answers.filter((answer) => answer.status === 200).length;
}

/** Starts a new minute for every user. */
const forget = () => changed(database.pool, sql`delete from rate_limits`);

/** The part of the user's budget that all processes have used or hold. */
const grantedOf = async (userId: number) =>
  (await row<{ granted: number }>(database.pool, sql`select granted from rate_limits where user_id = ${userId}`))
    ?.granted;

/** Simulates that time passes for the limiters of this process. */
function passes(t: TestContext, ms: number): void {
  const now = performance.now.bind(performance);
  t.mock.method(performance, "now", () => now() + ms);
}

test("120 a minute by default: the 121st is refused with 429 and tells when to come back", async (t) => {
  await forget();
  const app = appFor(t, contextOn(database.pool, { rateLimit: "120" }));
  for (let number = 1; number <= 120; number++) {
    const answer = await call(app, line, { token: cast.alice });
    assert.equal(answer.status, 200, `request ${number}`);
    assert.equal(answer.headers["x-ratelimit-limit"], "120");
    assert.equal(answer.headers["x-ratelimit-remaining"], String(120 - number));
  }
  const before = Date.now() / 1_000;
  const refused = await call(app, line, { token: cast.alice });
  const after = Date.now() / 1_000;
  assert.equal(refused.status, 429);
  assert.deepEqual(Object.keys(refused.body), ["status", "message"]);
  const wait = Number(refused.headers["retry-after"]);
  assert.ok(wait >= 1 && wait <= 60, `Retry-After ${wait}`);
  const reset = Number(refused.headers["x-ratelimit-reset"]);
  assert.ok(reset >= before + wait - 1 && reset <= after + wait + 1, `X-RateLimit-Reset ${reset}`);
  assert.equal(refused.headers["x-ratelimit-remaining"], "0");
  assert.equal((await call(app, line, { token: cast.bob })).status, 200, "other users are not affected");
});

test("two processes and two tokens share one budget, one after the other and at once", async (t) => {
  const apps = [1, 2].map(() => appFor(t, contextOn(database.pool, { rateLimit: "120" })));
  const tokens = [cast.victor, await tokenOf(database.pool, "Victor")];
  const ask = (index: number) =>
    call(apps[index % 2] as (typeof apps)[0], line, { token: tokens[(index >> 1) % 2] as string });
  await forget();
  let allowed = 0;
  for (let index = 0; index < 140; index++) allowed += (await ask(index)).status === 200 ? 1 : 0;
  assert.equal(allowed, 120);
});

test("requests that come at once to two processes never exceed the budget", async (t) => {
  await forget();
  const apps = [1, 2].map(() => appFor(t, contextOn(database.pool, { rateLimit: "120" })));
  const ask = (index: number) => call(apps[index % 2] as (typeof apps)[0], line, { token: cast.adam });
  assert.equal(await allowedOf(300, ask), 120);
});

test("what one process holds and does not use goes back to the others", async (t) => {
  await forget();
  const [busy, idle] = [1, 2].map(() =>
    createRateLimiter({ pool: database.pool, bucket: "api", limit: 120, onError: assert.ifError }),
  ) as [ReturnType<typeof createRateLimiter>, ReturnType<typeof createRateLimiter>];
  t.after(() => Promise.all([busy.close(), idle.close()]));
  await idle.take(cast.userIds.bob);
  const isBack = async () => (await grantedOf(cast.userIds.bob)) === 1;
  assert.ok(await pollUntil(isBack, { timeoutMs: 30_000 }));
  let allowed = 0;
  for (let index = 0; index < 130; index++) allowed += (await busy.take(cast.userIds.bob)).isAllowed ? 1 : 0;
  assert.equal(allowed, 119);
});

test("a new minute brings the whole budget, and what was held of the old one is void", async (t) => {
  await forget();
  const limiter = createRateLimiter({ pool: database.pool, bucket: "api", limit: 10 });
  t.after(() => limiter.close());
  const user = cast.userIds.alice;
  for (let index = 0; index < 10; index++) assert.ok((await limiter.take(user)).isAllowed);
  assert.ok(!(await limiter.take(user)).isAllowed);
  await changed(database.pool, sql`update rate_limits set window_started_at = now() - interval '61 seconds'`);
  passes(t, 600);
  for (let index = 0; index < 10; index++) assert.ok((await limiter.take(user)).isAllowed, `request ${index + 1}`);
  assert.ok(!(await limiter.take(user)).isAllowed);
});

test("what is held of a minute that is over does not count in the next", async (t) => {
  await forget();
  const limiter = createRateLimiter({ pool: database.pool, bucket: "api", limit: 80 });
  t.after(() => limiter.close());
  const user = cast.userIds.bob;
  assert.equal((await limiter.take(user)).remaining, 79);
  await changed(database.pool, sql`update rate_limits set window_started_at = now() - interval '61 seconds'`);
  passes(t, 61_000);
  assert.equal((await limiter.take(user)).remaining, 79);
});

test("few requests write to the database", async (t) => {
  await forget();
  let statements = 0;
  const pool = Object.assign(Object.create(database.pool) as typeof database.pool, {
    query: (...given: Parameters<typeof database.pool.query>) => {
      statements += 1;
      return database.pool.query(...given);
    },
  });
  const limiter = createRateLimiter({ pool, bucket: "api", limit: 12_000 });
  t.after(() => limiter.close());
  for (let index = 0; index < 1_000; index++) assert.ok((await limiter.take(cast.userIds.alice)).isAllowed);
  assert.equal(statements, 1);
});

test("buckets are apart", async (t) => {
  await forget();
  const limiters = ["api", "mcp"].map((bucket) => createRateLimiter({ pool: database.pool, bucket, limit: 1 }));
  t.after(() => Promise.all(limiters.map((limiter) => limiter.close())));
  for (const limiter of limiters) assert.ok((await limiter.take(cast.userIds.alice)).isAllowed);
  const stored = await row<{ count: number }>(database.pool, sql`select count(*) from rate_limits`);
  assert.equal(stored?.count, 2);
});
