import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import type { Context } from "../../../context.ts";
import { changed, row, rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { appOn, type Cast, call, contextOn, createCast } from "../../../http/tests/support.ts";
import { isPassword } from "../../../lib/password.ts";
import { lockOrganization, saveInvitation } from "../queries.ts";
import { organizationRoutes } from "../routes.ts";
import { addServer, untilBlocked } from "./support.ts";

let database: TestDatabase;
let ctx: Context;
let cast: Cast;
let app: FastifyInstance;
/** Another process. */
let other: FastifyInstance;

before(async () => {
  database = await testDatabase();
  ctx = contextOn(database.pool);
});

after(() => database?.drop());

beforeEach(async () => {
  await database.pool.query("truncate organizations, users restart identity cascade");
  cast = await createCast(database.pool);
  app = appOn(ctx, organizationRoutes);
  other = appOn(ctx, organizationRoutes);
});

afterEach(async () => {
  await app.close();
  await other.close();
});

const path = () => `/api/v1/organizations/${cast.organizationId}/invitations`;
const invite = (body: object, token = cast.alice) => call(app, `POST ${path()}`, { token, body });
const list = async (token = cast.alice) => (await call(app, `GET ${path()}`, { token })).body.data;
const accept = (body: object, token?: string, on = app) =>
  call(on, "POST /api/v1/invitations/accept", { body, ...(token && { token }) });

const tokenFor = async (email: string, role = "Member") => (await invite({ email, role })).body.data.token as string;

const newcomer = { name: "Nora", password: "correct horse" };

const preview = (token: string) => call(app, `GET /api/v1/invitations/${token}`);

describe("the preview of an invitation", () => {
  test("shows a stranger who invites to what", async () => {
    const [first, second] = [
      await addServer(database.pool, cast.organizationId, "one"),
      await addServer(database.pool, cast.organizationId, "two"),
    ];
    await addServer(database.pool, cast.charlieOrganizationId, "foreign");
    const all = (await preview(await tokenFor("nora@example.com", "Admin"))).body.data;
    const { expires_at, ...rest } = all;
    assert.ok(Date.parse(expires_at) > Date.now());
    assert.deepEqual(rest, {
      ...{ organization: "Acme", inviter: "Alice", email: "nora@example.com", role: "Admin" },
      ...{ is_restricted: false, servers_count: 2, projects_count: 2, has_account: false },
    });
    const restriction = { server_ids: [first.serverId], project_ids: [second.projectId] };
    const { body } = await invite({ email: "charlie@example.com", role: "Viewer", restriction });
    const some = (await preview(body.data.token)).body.data;
    assert.deepEqual(
      [some.is_restricted, some.servers_count, some.projects_count, some.has_account],
      [true, 1, 2, true],
    );
  });

  test("is of open invitations only, and of no other token", async () => {
    const accepted = await tokenFor("nora@example.com");
    assert.equal((await accept({ token: accepted, ...newcomer })).status, 200);
    const replaced = await tokenFor("late@example.com");
    const expired = await tokenFor("late@example.com");
    await changed(database.pool, sql`update invitations set expires_at = now() where accepted_at is null`);
    const answers = await Promise.all([accepted, replaced, expired, `lsi_${"0".repeat(40)}`].map(preview));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404, 404, 404],
    );
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    for (const odd of ["lsi_", "x", "lsi_%00", cast.alice])
      assert.ok([404, 405].includes((await preview(odd)).status), odd);
  });
});

describe("an accepted invitation", () => {
  const setCookie = (headers: Record<string, unknown>) => String(headers["set-cookie"] ?? "");

  test("signs a new account in", async () => {
    const { status, headers } = await accept({ token: await tokenFor("nora@example.com"), ...newcomer });
    assert.equal(status, 200);
    const cookie = setCookie(headers).split(";", 1)[0] ?? "";
    const me = await call(app, "GET /api/v1/me", { headers: { cookie } });
    assert.equal(me.body.data.email, "nora@example.com");
  });

  test("gives a token of an account no session", async () => {
    const { status, headers } = await accept({ token: await tokenFor("charlie@example.com") }, cast.charlie);
    assert.deepEqual([status, setCookie(headers)], [200, ""]);
  });

  test("opens one session for one of two requests at once", async () => {
    const token = await tokenFor("nora@example.com");
    const both = await Promise.all([accept({ token, ...newcomer }), accept({ token, ...newcomer }, undefined, other)]);
    assert.equal(both.filter(({ headers }) => setCookie(headers) !== "").length, 1);
    assert.equal((await rows(database.pool, sql`select from auth_sessions`)).length, 1);
  });
});

describe("an invitation", () => {
  test("shows its token once, and is stored as a digest", async () => {
    const { status, body } = await invite({ email: "Nora@Example.com", role: "Viewer" });
    assert.equal(status, 201);
    assert.match(body.data.token, /^lsi_[0-9A-Za-z]{40}$/);
    assert.equal(body.data.email, "nora@example.com");
    assert.equal(body.data.status, "pending");
    assert.equal(body.data.invited_by, cast.userIds.alice);
    const stored = await row<{ all: string }>(database.pool, sql`select invitations::text as all from invitations`);
    assert.ok(!stored?.all.includes(body.data.token.slice(4)));
    const listed = await list();
    assert.equal(listed.length, 1);
    assert.equal(listed[0].token, undefined);
  });

  test("lasts seven days by default", async () => {
    const days = ({ body }: { body: { data: { expires_at: string; created_at: string } } }) =>
      Math.round((Date.parse(body.data.expires_at) - Date.parse(body.data.created_at)) / 86_400_000);
    assert.equal(days(await invite({ email: "a@example.com", role: "Viewer" })), 7);
    assert.equal(days(await invite({ email: "b@example.com", role: "Viewer", expires_in_days: 30 })), 30);
    assert.equal((await invite({ email: "c@example.com", role: "Viewer", expires_in_days: 31 })).status, 422);
  });

  test("is refused with every bad field at once", async () => {
    const answer = await invite({ email: "no-address", role: "King", expires_in_days: 0 });
    assert.deepEqual(Object.keys(answer.body.errors).sort(), ["email", "expires_in_days", "role"]);
    const member = await invite({ email: "BOB@example.com", role: "Admin" });
    assert.deepEqual(Object.keys(member.body.errors), ["email"]);
    const foreign = await addServer(database.pool, cast.charlieOrganizationId, "foreign");
    const restriction = { server_ids: [foreign.serverId] };
    const reaching = await invite({ email: "nora@example.com", role: "Member", restriction });
    assert.deepEqual(Object.keys(reaching.body.errors), ["restriction.server_ids"]);
  });

  test("comes from those who manage the organization; to be Owner, from an Owner", async () => {
    const to = (role: string) => ({ email: "nora@example.com", role });
    assert.equal((await invite(to("Viewer"), cast.bob)).status, 403);
    assert.equal((await invite(to("Viewer"), cast.victor)).status, 403);
    assert.equal((await invite(to("Viewer"), cast.charlie)).status, 404);
    assert.equal((await invite(to("Owner"), cast.adam)).status, 403);
    assert.equal((await invite(to("Admin"), cast.adam)).status, 201);
    assert.equal((await invite(to("Owner"), cast.alice)).status, 201);
  });

  test("replaces the open one of the same email, whose token ends", async () => {
    const first = await tokenFor("nora@example.com", "Admin");
    const second = await tokenFor("nora@example.com", "Viewer");
    assert.equal((await list()).length, 1);
    assert.equal((await accept({ token: first, ...newcomer })).status, 404);
    assert.equal((await accept({ token: second, ...newcomer })).body.data.role, "Viewer");
  });

  test("of an Owner is replaced and revoked by Owners alone, also when it has expired", async () => {
    const token = await tokenFor("nora@example.com", "Owner");
    const to = (role: string) => ({ email: "nora@example.com", role });
    const [open] = await list();
    for (const age of ["new", "expired"]) {
      if (age === "expired") await changed(database.pool, sql`update invitations set expires_at = now()`);
      const replaced = await invite(to("Viewer"), cast.adam);
      assert.deepEqual(
        [replaced.status, replaced.body.message],
        [403, "Only an Owner can decide who is an Owner."],
        age,
      );
      assert.equal((await call(app, `DELETE ${path()}/${open.id}`, { token: cast.adam })).status, 403, age);
      assert.equal((await list())[0].role, "Owner", age);
    }
    await changed(database.pool, sql`update invitations set expires_at = now() + interval '1 day'`);
    assert.equal((await accept({ token, ...newcomer })).body.data.role, "Owner");
    assert.equal((await invite({ email: "late@example.com", role: "Owner" })).status, 201);
    assert.equal((await invite({ email: "late@example.com", role: "Viewer" })).body.data.role, "Viewer");
  });

  test("of an Owner is not replaced by an Admin who asks at the same time", async () => {
    let late: ReturnType<typeof invite> | undefined;
    await transaction(database.pool, async (tx) => {
      await lockOrganization(tx, cast.organizationId);
      late = invite({ email: "nora@example.com", role: "Viewer" }, cast.adam);
      await untilBlocked(database.pool);
      await saveInvitation(tx, {
        organizationId: cast.organizationId,
        email: "nora@example.com",
        role: "Owner",
        restriction: null,
        digest: Buffer.from("a digest of tests"),
        invitedBy: cast.userIds.alice,
        days: 7,
      });
    });
    assert.equal((await late)?.status, 403);
    assert.equal((await list())[0].role, "Owner");
  });

  test("that was revoked, or has expired, cannot be accepted in any process", async () => {
    const { body } = await invite({ email: "nora@example.com", role: "Viewer" });
    const revoke = (token: string) => call(app, `DELETE ${path()}/${body.data.id}`, { token });
    assert.equal((await revoke(cast.charlie)).status, 404);
    assert.equal((await revoke(cast.bob)).status, 403);
    assert.equal((await revoke(cast.adam)).status, 200);
    assert.equal((await revoke(cast.adam)).status, 404);
    assert.equal((await accept({ token: body.data.token, ...newcomer }, undefined, other)).status, 404);
    const late = await tokenFor("late@example.com");
    await changed(database.pool, sql`update invitations set expires_at = now()`);
    assert.equal((await list())[0].status, "expired");
    assert.equal((await accept({ token: late, ...newcomer })).status, 404);
    assert.equal((await accept({ token: "lsi_never", ...newcomer })).status, 404);
  });
});

describe("accepting", () => {
  test("makes the account of a new email, which can sign in", async () => {
    const token = await tokenFor("nora@example.com", "Admin");
    const { status, body } = await accept({ token, ...newcomer });
    assert.equal(status, 200);
    assert.deepEqual([body.data.organization_id, body.data.role], [cast.organizationId, "Admin"]);
    const account = await row<{ name: string; email: string; password: string }>(
      database.pool,
      sql`select u.name, u.email, a.password from users u join auth_accounts a on a.user_id = u.id
        where u.id = ${body.data.user_id} and a.provider_id = 'credential'`,
    );
    assert.equal(account?.name, "Nora");
    assert.equal(account.email, "nora@example.com");
    assert.ok(await isPassword(newcomer.password, account.password));
    assert.equal((await list())[0].status, "accepted");
  });

  test("of a new email needs name and password", async () => {
    const token = await tokenFor("nora@example.com");
    const answer = await accept({ token });
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ["name", "password"]]);
    assert.equal((await accept({ token, name: "Nora", password: "short" })).status, 422);
    assert.equal((await accept({ token, ...newcomer })).status, 200);
  });

  test("of an email that has an account needs that account", async () => {
    const token = await tokenFor("charlie@example.com", "Viewer");
    assert.equal((await accept({ token, ...newcomer })).status, 401, "a name and password change no account");
    assert.equal((await accept({ token }, cast.bob)).status, 403, "another person's account");
    assert.equal((await accept({ token }, "lsh_wrong")).status, 401);
    const { status, body } = await accept({ token }, cast.charlie);
    assert.deepEqual([status, body.data.user_id], [200, cast.userIds.charlie]);
    const seen = await call(app, `GET /api/v1/organizations/${cast.organizationId}`, { token: cast.charlie });
    assert.equal(seen.body.data.role, "Viewer");
  });

  test("brings the restriction along", async () => {
    const { serverId, projectId } = await addServer(database.pool, cast.organizationId, "listed");
    const restriction = { server_ids: [serverId], project_ids: [projectId] };
    const { body } = await invite({ email: "charlie@example.com", role: "Member", restriction });
    await accept({ token: body.data.token }, cast.charlie);
    const members = await call(app, `GET /api/v1/organizations/${cast.organizationId}/members`, { token: cast.alice });
    const charlie = members.body.data.find(({ name }: { name: string }) => name === "Charlie");
    assert.deepEqual(charlie.restriction, restriction);
  });

  test("works once", async () => {
    const token = await tokenFor("charlie@example.com");
    assert.equal((await accept({ token }, cast.charlie)).status, 200);
    assert.equal((await accept({ token }, cast.charlie)).status, 404);
    await call(app, `POST /api/v1/organizations/${cast.organizationId}/leave`, { token: cast.charlie });
    assert.equal((await accept({ token }, cast.charlie)).status, 404, "also after leaving again");
  });

  const manyTimes = (body: object, token?: string) =>
    Promise.all(Array.from({ length: 8 }, (_, n) => accept(body, token, n % 2 === 0 ? app : other)));

  test("works once when it is used many times at the same time", async () => {
    const token = await tokenFor("nora@example.com");
    const answers = await manyTimes({ token, ...newcomer });
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.ok(answers.every(({ status }) => [200, 401, 404].includes(status)));
    assert.equal((await rows(database.pool, sql`select 1 from users where email = 'nora@example.com'`)).length, 1);
  });

  test("works once for an account that tries many times at the same time", async () => {
    const token = await tokenFor("charlie@example.com");
    const statuses = (await manyTimes({ token }, cast.charlie)).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [200, ...Array(7).fill(404)]);
  });

  test("is in the audit log of the organization", async () => {
    const token = await tokenFor("charlie@example.com");
    await accept({ token }, cast.charlie);
    const entry = await row<{ user_id: number; organization_id: number }>(
      database.pool,
      sql`select user_id, organization_id from audit_log where action = 'POST /api/v1/invitations/accept'`,
    );
    assert.deepEqual(entry, { user_id: cast.userIds.charlie, organization_id: cast.organizationId });
  });
});
