import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { FastifyInstance } from "fastify";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import type { Context } from "../../../context.ts";
import { changed, row, rows, sql } from "../../../db/sql.ts";
import { appOn, call, contextOn } from "../../../http/tests/support.ts";
import { adminMember, adminToken, adminUser } from "../../accounts/admin.ts";
import {
  adminTokens,
  adminUsers,
  blockUser,
  removeUser,
  resetFactors,
  revokeToken,
  unblockUser,
} from "../../accounts/operator/actions.ts";
import { browserOf } from "../../accounts/tests/support.ts";
import { organizationRoutes } from "../../organizations/routes.ts";
import { makeSignInCode } from "../links/actions.ts";
import { signInLinkRoutes } from "../links/routes.ts";
import { mountSignIn } from "../routes.ts";

// What the operator does to accounts on the command line, as their people see it.

const password = "correct horse battery";
const email = "bea@example.com";
const ownPage = { host: "console.example.com", origin: "http://console.example.com" };

let database: TestDatabase;
let ctx: Context;
let app: FastifyInstance;
let id: number;
let token: { token_id: number; token: string };

before(async () => {
  database = await testDatabase();
  ctx = contextOn(database.pool);
  app = appOn(ctx, [...organizationRoutes, ...signInLinkRoutes]);
  mountSignIn(app, ctx);
});

after(async () => {
  await app?.close();
  await database?.drop();
});

beforeEach(async () => {
  await changed(database.pool, sql`delete from users`);
  await changed(database.pool, sql`delete from sign_in_attempts`);
  await adminUser(ctx, { email: "otto@example.com", name: "Otto", organization: "Acme" });
  ({ user_id: id } = await adminUser(ctx, { email, name: "Bea", organization: "Acme", role: "Member", password }));
  token = await adminToken(ctx, { email, name: "laptop", permissions: "*", organization: "Acme" });
});

const signIn = () => call(app, "POST /api/auth/sign-in/email", { body: { email, password }, headers: ownPage });
const withToken = async () =>
  (await call(app, "GET /api/v1/me", { headers: { authorization: `Bearer ${token.token}` } })).status;

describe("a blocked account", () => {
  it("is refused with its session, its token and its password, until it is unblocked", async () => {
    const headers = await browserOf(ctx, id);
    const inBrowser = async () => (await call(app, "GET /api/v1/me", { headers })).status;
    assert.deepEqual([await inBrowser(), await withToken()], [200, 200]);

    await blockUser(ctx, "Bea@Example.com");
    assert.deepEqual([await inBrowser(), await withToken()], [401, 401]);
    const refused = await signIn();
    assert.equal(refused.status, 403, refused.text);
    assert.equal(refused.headers["set-cookie"], undefined);
    assert.match(refused.text, /blocked/);
    assert.deepEqual(await rows(database.pool, sql`select 1 from auth_sessions`), []);

    await unblockUser(ctx, email);
    assert.deepEqual([await inBrowser(), await withToken()], [401, 200], "its former session has ended");
    assert.equal((await signIn()).status, 200);
  });

  it("does not show strangers that it is blocked", async () => {
    const wrong = { body: { email, password: "not the password" }, headers: ownPage };
    const before = await call(app, "POST /api/auth/sign-in/email", wrong);
    await blockUser(ctx, email);
    const then = await call(app, "POST /api/auth/sign-in/email", wrong);
    assert.deepEqual([then.status, then.body], [before.status, before.body]);
  });

  it("gets no link, and one from before does not work", async () => {
    const code = await makeSignInCode(ctx, email);
    await blockUser(ctx, email);
    await assert.rejects(makeSignInCode(ctx, email), { code: "refused" });
    const answer = await call(app, "POST /api/auth/sign-in/link", { body: { token: code }, headers: ownPage });
    assert.equal(answer.status, 403, answer.text);
    assert.deepEqual(await rows(database.pool, sql`select 1 from auth_sessions`), []);
  });
});

describe("an account whose device is lost", () => {
  it("needs the password alone", async () => {
    await changed(
      database.pool,
      sql`insert into auth_two_factors (user_id, secret, backup_codes) values (${id}, 'x', 'y')`,
    );
    await changed(database.pool, sql`update users set two_factor_enabled = true where id = ${id}`);
    assert.equal((await signIn()).body.twoFactorRedirect, true);
    await resetFactors(ctx, email);
    const answer = await signIn();
    assert.equal(answer.body.twoFactorRedirect, undefined);
    assert.equal(answer.body.user.email, email);
  });
});

describe("an account is removed", () => {
  it("with its tokens, and the audit log keeps that it was", async () => {
    await removeUser(ctx, email);
    assert.equal(await withToken(), 401);
    assert.deepEqual(
      (await adminUsers(ctx)).users.map((user) => user.email),
      ["otto@example.com"],
    );
    const entry = await row(
      database.pool,
      sql`select user_email, summary from audit_log where action like '%remove-user' order by id desc limit 1`,
    );
    assert.deepEqual(entry, { user_email: email, summary: "Removed on the command line" });
  });

  it("but not the last Owner of an organization with others in it", async () => {
    await assert.rejects(removeUser(ctx, "otto@example.com"), /Acme/);
    const restricted = { organization: "Acme", role: "Owner", servers: [] };
    await adminMember(ctx, { email, ...restricted });
    await assert.rejects(removeUser(ctx, "otto@example.com"), /Acme/, "one who owns a part does not count");
    await adminMember(ctx, { email, organization: "Acme", role: "Owner" });
    await removeUser(ctx, "otto@example.com");
    await removeUser(ctx, email);
    assert.deepEqual((await adminUsers(ctx)).users, []);
  });

  it("and two Owners at once leave one", async () => {
    await adminMember(ctx, { email, organization: "Acme", role: "Owner" });
    await adminUser(ctx, { email: "vic@example.com", name: "Vic", organization: "Acme", role: "Viewer" });
    const ends = await Promise.allSettled([removeUser(ctx, email), removeUser(ctx, "otto@example.com")]);
    assert.deepEqual(ends.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  });
});

describe("the operator", () => {
  it("lists accounts and tokens, and ends a token of anyone", async () => {
    const [bea] = (await adminUsers(ctx)).users;
    assert.ok(bea);
    assert.deepEqual(
      bea.organizations.map(({ name, role }) => [name, role]),
      [["Acme", "Member"]],
    );
    assert.deepEqual([bea.tokens, bea.has_second_factor, bea.blocked_at], [1, false, null]);
    const { tokens } = await adminTokens(ctx, { email });
    assert.deepEqual(
      tokens.map((each) => [each.id, each.name, each.organization, token.token.startsWith(each.prefix)]),
      [[token.token_id, "laptop", "Acme", true]],
    );
    await revokeToken(ctx, token.token_id);
    assert.equal(await withToken(), 401);
    await assert.rejects(revokeToken(ctx, token.token_id), { code: "not_found" });
  });

  it("is notified when there is no such account", async () => {
    for (const verb of [blockUser, unblockUser, resetFactors, removeUser]) {
      await assert.rejects(verb(ctx, "unknown@example.com"), { code: "not_found" });
    }
  });
});
