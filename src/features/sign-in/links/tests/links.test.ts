import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../../test/database.ts";
import type { Context } from "../../../../context.ts";
import { row, rows, sql } from "../../../../db/sql.ts";
import { appFor, call, contextOn, createCast } from "../../../../http/tests/support.ts";
import { deleteExpired } from "../../queries.ts";
import { makeSignInCode, signInPage } from "../actions.ts";
import { signInLinkRoutes } from "../routes.ts";

let database: TestDatabase;
let ctx: Context;

before(async () => {
  database = await testDatabase();
  ctx = contextOn(database.pool, { publicUrl: "https://deploy.example.com", trustedProxies: "127.0.0.1" });
  await createCast(database.pool);
});
after(() => database?.drop());
beforeEach(() => database.pool.query("truncate sign_in_links, sign_in_attempts, auth_sessions, auth_two_factors"));

const newCode = () => makeSignInCode(ctx, "Alice@example.com");
const countSessions = async () => (await rows(database.pool, sql`select from auth_sessions`)).length;

describe("a link to sign in", () => {
  it("opens a session of its account, once", async (t) => {
    const app = appFor(t, ctx, signInLinkRoutes);
    const token = await newCode();
    assert.equal(signInPage("https://deploy.example.com", token), `https://deploy.example.com/sign-in#${token}`);
    const { status, headers, text } = await call(app, "POST /api/auth/sign-in/link", { body: { token } });
    assert.equal(status, 200, text);
    assert.match(String(headers["set-cookie"]), /^__Host-longshore\.session_token=.*HttpOnly.*SameSite=Strict.*Secure/);
    assert.ok(!text.includes("session"), "The cookie alone has the session's token.");
    const [cookie = ""] = String(headers["set-cookie"]).split(";");
    assert.equal((await call(app, "GET /api/v1/me", { headers: { cookie } })).body.data.email, "alice@example.com");
    assert.equal((await call(app, "POST /api/auth/sign-in/link", { body: { token } })).status, 410);
    const entry = await row(database.pool, sql`select user_email, action from audit_log order by id desc limit 1`);
    assert.deepEqual(entry, { user_email: "alice@example.com", action: "POST /api/auth/sign-in/link" });
  });

  it("is used by one of several requests at once, over all processes", async (t) => {
    const apps = [appFor(t, ctx, signInLinkRoutes), appFor(t, ctx, signInLinkRoutes)];
    const token = await newCode();
    const all = await Promise.all(
      [...apps, ...apps, ...apps].map((app) => call(app, "POST /api/auth/sign-in/link", { body: { token } })),
    );
    assert.deepEqual(all.map(({ status }) => status).sort(), [200, 410, 410, 410, 410, 410]);
    assert.equal(await countSessions(), 1);
  });

  it("ends after ten minutes, with the next one, and when the account gets a second factor", async (t) => {
    const app = appFor(t, ctx, signInLinkRoutes);
    const statusOf = async (token: string) =>
      (await call(app, "POST /api/auth/sign-in/link", { body: { token } })).status;
    const first = await newCode();
    const second = await newCode();
    assert.equal(await statusOf(first), 410);
    const minutes = await row(
      database.pool,
      sql`select round(extract(epoch from expires_at - now()) / 60)::int as left from sign_in_links`,
    );
    assert.deepEqual(minutes, { left: 10 });
    await database.pool.query("update sign_in_links set expires_at = now()");
    assert.equal(await statusOf(second), 410);
    await deleteExpired(database.pool);
    assert.deepEqual(await rows(database.pool, sql`select from sign_in_links`), []);
    const third = await newCode();
    await database.pool.query(
      `insert into auth_two_factors (user_id, secret, backup_codes, verified)
       select id, 'x', 'x', true from users where email = 'alice@example.com'`,
    );
    assert.equal(await statusOf(third), 410);
    await assert.rejects(newCode, /second factor/);
    assert.equal(await countSessions(), 0);
  });

  it("is stored as a digest, and made for accounts that exist", async () => {
    const token = await newCode();
    assert.match(token, /^lsl_[0-9A-Za-z]{40}$/);
    const stored = await row<{ all: string }>(database.pool, sql`select sign_in_links::text as all from sign_in_links`);
    assert.ok(stored && !stored.all.includes(token) && !stored.all.includes(Buffer.from(token).toString("hex")));
    await assert.rejects(makeSignInCode(ctx, "unknown@example.com"), /user/);
  });

  it("cannot be guessed: ten attempts a minute for each client, which do not lock others out", async (t) => {
    const app = appFor(t, ctx, signInLinkRoutes);
    const token = await newCode();
    const attempt = (given: unknown, client: string) =>
      call(app, "POST /api/auth/sign-in/link", { body: { token: given }, headers: { "x-forwarded-for": client } });
    for (const given of [{}, ["x"], null, "", "x".repeat(201)]) {
      assert.equal((await attempt(given, "198.51.100.1")).status, 422, String(given));
    }
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, at) => attempt(`${token.slice(0, -1)}${at}é`, "198.51.100.1")),
    );
    assert.deepEqual(guesses.map(({ status }) => status).sort(), [...Array(10).fill(410), 429, 429]);
    assert.equal((await attempt(token, "198.51.100.1")).status, 429, "Not even with the right one.");
    assert.equal((await attempt(token, "198.51.100.2")).status, 200);
  });

  it("is not used by a form or script of another site", async (t) => {
    const app = appFor(t, ctx, signInLinkRoutes);
    const token = await newCode();
    for (const type of ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data"]) {
      const { status } = await call(app, "POST /api/auth/sign-in/link", {
        body: JSON.stringify({ token }),
        headers: { "content-type": type, origin: "https://evil.example" },
      });
      assert.equal(status, 415, type);
    }
    assert.equal(await countSessions(), 0);
  });
});
