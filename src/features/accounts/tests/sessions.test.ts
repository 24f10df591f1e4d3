import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { FastifyInstance } from "fastify";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import type { Context } from "../../../context.ts";
import { changed, sql } from "../../../db/sql.ts";
import { appOn, type Cast, call, contextOn, createCast } from "../../../http/tests/support.ts";
import { browserOf } from "./support.ts";

let database: TestDatabase;
let ctx: Context;
let cast: Cast;
let app: FastifyInstance;

before(async () => {
  database = await testDatabase();
  ctx = contextOn(database.pool);
  cast = await createCast(database.pool);
  app = appOn(ctx);
});
after(async () => {
  await app?.close();
  await database?.drop();
});

const browser = (userId: number, userAgent?: string) => browserOf(ctx, userId, userAgent);

const sessionsOf = async (headers: Record<string, string>) => {
  const { status, body, text } = await call(app, "GET /api/v1/me/sessions", { headers });
  assert.equal(status, 200, text);
  return body.data as { id: number; ip: string; user_agent: string; is_current: boolean }[];
};
const isSignedIn = async (headers: Record<string, string>) =>
  (await call(app, "GET /api/v1/me", { headers })).status === 200;

describe("the sessions of an account", () => {
  it("are listed with where they were opened, the request's own first, and never their values", async () => {
    const here = await browser(cast.userIds.alice, `Old browser ${"x".repeat(2_000)}`);
    await browser(cast.userIds.alice, "Phone");
    await browser(cast.userIds.bob, "Bob's");
    const listed = await sessionsOf(here);
    assert.deepEqual(
      listed.map(({ is_current, ip }) => [is_current, ip]),
      [
        [true, "198.51.100.7"],
        [false, "198.51.100.7"],
      ],
    );
    assert.equal(listed[0]?.user_agent.length, 512);
    assert.ok(!JSON.stringify(listed).includes(decodeURIComponent(here.cookie ?? "").split(/[=.]/)[2] ?? "none"));
  });

  it("are ended one by one, but not those of others", async () => {
    const [here, there, bobs] = [
      await browser(cast.userIds.adam),
      await browser(cast.userIds.adam),
      await browser(cast.userIds.bob),
    ];
    const [bobSession] = await sessionsOf(bobs);
    const end = (id: number | undefined) => call(app, `DELETE /api/v1/me/sessions/${id}`, { headers: here });
    assert.equal((await end(bobSession?.id)).status, 404);
    assert.equal(await isSignedIn(bobs), true);
    const other = (await sessionsOf(here)).find(({ is_current }) => !is_current);
    assert.equal((await end(other?.id)).status, 200);
    assert.equal((await end(other?.id)).status, 404);
    assert.deepEqual([await isSignedIn(here), await isSignedIn(there)], [true, false]);
  });

  it("are ended all but the request's own; by a token, all", async () => {
    const all = [
      await browser(cast.userIds.victor),
      await browser(cast.userIds.victor),
      await browser(cast.userIds.victor),
    ];
    const [here = {}] = all;
    const ended = await call(app, "DELETE /api/v1/me/sessions", { headers: here });
    assert.deepEqual([ended.status, ended.body.ended], [200, 2]);
    assert.deepEqual(await Promise.all(all.map(isSignedIn)), [true, false, false]);
    assert.equal((await call(app, "DELETE /api/v1/me/sessions", { token: cast.victor })).body.ended, 1);
    assert.equal(await isSignedIn(here), false);
  });

  it("that have expired are not listed", async () => {
    const [here, there] = [await browser(cast.userIds.charlie), await browser(cast.userIds.charlie)];
    const other = (await sessionsOf(here)).find(({ is_current }) => !is_current);
    await changed(database.pool, sql`update auth_sessions set expires_at = now() where id = ${other?.id}`);
    assert.equal(await isSignedIn(there), false);
    assert.equal((await sessionsOf(here)).length, 1);
  });
});
