import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import type { FastifyInstance } from "fastify";
import { type TestDatabase, testDatabase } from "../../../../../test/database.ts";
import type { Context } from "../../../../context.ts";
import { changed, row, rows, sql } from "../../../../db/sql.ts";
import { appOn, call, contextOn } from "../../../../http/tests/support.ts";
import { adminUser } from "../../../accounts/admin.ts";
import { makeSetupCode } from "../actions.ts";
import { setupRoutes } from "../routes.ts";

let database: TestDatabase;
let ctx: Context;
let app: FastifyInstance;
/** Another process. */
let other: FastifyInstance;

before(async () => {
  database = await testDatabase();
  ctx = contextOn(database.pool, { publicUrl: "https://deploy.example.com" });
});
after(() => database?.drop());
beforeEach(async () => {
  await database.pool.query("truncate organizations, users, setup_code restart identity cascade");
  app = appOn(ctx, setupRoutes);
  other = appOn(ctx, setupRoutes);
});
afterEach(async () => {
  await app.close();
  await other.close();
});

const person = { name: "Alice", email: "Alice@Example.com", password: "correct horse battery", organization: "Acme" };
const newCode = async (): Promise<string> => (await makeSetupCode(ctx)) ?? assert.fail("There is an account.");
const setUp = (code: string, more: object = {}, on = app) =>
  call(on, "POST /api/v1/setup", { body: { ...person, code, ...more } });
const isNeeded = async (): Promise<boolean> => (await call(app, "GET /api/v1/setup")).body.data.needed;
const countUsers = async () => (await rows(database.pool, sql`select from users`)).length;

describe("the set-up of an installation", () => {
  it("makes the first account as Owner of its organization, and signs it in", async () => {
    assert.equal(await isNeeded(), true);
    const { status, headers, text } = await setUp(await newCode());
    assert.equal(status, 201, text);
    assert.equal(await isNeeded(), false);
    const [cookie = ""] = String(headers["set-cookie"]).split(";");
    assert.match(String(headers["set-cookie"]), /^__Host-longshore\.session_token=.*HttpOnly.*SameSite=Strict.*Secure/);
    const me = await call(app, "GET /api/v1/me", { headers: { cookie } });
    assert.equal(me.body.data.email, "alice@example.com");
    assert.deepEqual(
      me.body.data.organizations.map(({ role, plan }: Record<string, string>) => [role, plan]),
      [["Owner", "business"]],
    );
    const entry = await row(database.pool, sql`select action, user_email, client->>'kind' as kind from audit_log`);
    assert.deepEqual(entry, { action: "POST /api/v1/setup", user_email: "alice@example.com", kind: "console" });
  });

  it("stores the code as a digest", async () => {
    const code = await newCode();
    assert.match(code, /^[0-9A-Za-z]{32}$/);
    const stored = await row<{ all: string }>(database.pool, sql`select setup_code::text as all from setup_code`);
    assert.ok(stored && !stored.all.includes(code) && !stored.all.includes(Buffer.from(code).toString("hex")));
  });

  it("is refused with another code, and with one that a newer one replaced", async () => {
    const first = await newCode();
    await newCode();
    for (const code of ["x".repeat(32), first, `${first}0`, "é"]) {
      const { status, body } = await setUp(code);
      assert.deepEqual([status, Object.keys(body.errors)], [422, ["code"]], code);
    }
    assert.equal(await countUsers(), 0);
  });

  it("accepts ten codes over all processes, also at once, and then not even the right one", async () => {
    const code = await newCode();
    const guesses = await Promise.all(Array.from({ length: 15 }, (_, at) => setUp("wrong", {}, at % 2 ? app : other)));
    const statuses = guesses.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array(5).fill(403), ...Array(10).fill(422)]);
    assert.equal((await setUp(code)).status, 403);
    assert.equal(await countUsers(), 0);
    assert.equal((await setUp(await newCode())).status, 201, "A new code has attempts of its own.");
  });

  it("does not count a request without a code, or with a field that is wrong", async () => {
    const code = await newCode();
    for (let number = 0; number < 11; number++) assert.equal((await setUp(code, { email: "no address" })).status, 422);
    assert.equal((await setUp(code)).status, 201);
  });

  it("is refused a day after the code was made", async () => {
    const code = await newCode();
    await changed(database.pool, sql`update setup_code set expires_at = now()`);
    assert.equal((await setUp(code)).status, 403);
    assert.equal(await isNeeded(), true);
  });

  it("is done once: again, at once in two processes, and with the code of another start", async () => {
    const code = await newCode();
    const both = await Promise.all([setUp(code), setUp(code, { email: "mallory@example.com" }, other)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 410]);
    assert.equal(await countUsers(), 1);
    assert.equal((await rows(database.pool, sql`select from organizations`)).length, 1);
    assert.equal((await setUp(code, { email: "mallory@example.com" })).status, 410);
    assert.equal(await makeSetupCode(ctx), undefined);
  });

  it("is over when the command line has made an account", async () => {
    const code = await newCode();
    await adminUser({ pool: database.pool }, { email: "alice@example.com", name: "Alice" });
    assert.equal(await isNeeded(), false);
    assert.equal((await setUp(code, { email: "mallory@example.com" })).status, 410);
    assert.equal(await countUsers(), 1);
  });

  it("names every field that is missing or wrong", async () => {
    const { status, body } = await call(app, "POST /api/v1/setup", { body: { email: "a@b, c@d", password: "short" } });
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(body.errors).sort(), ["code", "email", "name", "organization", "password"]);
  });
});
