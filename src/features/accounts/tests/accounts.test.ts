import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import type { Context } from "../../../context.ts";
import { changed, row, rows, sql } from "../../../db/sql.ts";
import { type Actor, can, isInOrganization, type Permission, permissions } from "../../../http/actor.ts";
import { buildApp } from "../../../http/app.ts";
import { type Route, route } from "../../../http/route.ts";
import {
  appFor,
  appOn,
  type Cast,
  call,
  contextOn,
  createCast,
  restrict,
  tokenOf,
} from "../../../http/tests/support.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { digestPassword, isPassword } from "../../../lib/password.ts";
import { organizationRoutes } from "../../organizations/routes.ts";
import { preferenceRoutes } from "../../preferences/routes.ts";
import { adminMember, adminPlan, adminToken, adminUser } from "../admin.ts";
import { authenticator } from "../authenticator.ts";
import { findMembershipState } from "../queries.ts";
import { isWithinReach, projectReach, serverReach, serverVisible } from "../reach.ts";
import { accountRoutes } from "../routes.ts";
import { rolePermissions } from "../schema.ts";

let database: TestDatabase;
let ctx: Context;
let cast: Cast;
let app: FastifyInstance;

before(async () => {
  database = await testDatabase();
  ctx = contextOn(database.pool);
  cast = await createCast(database.pool);
  app = appOn(ctx, permissionRoutes);
});

after(async () => {
  await app?.close();
  await database?.drop();
});

/** One route for each permission. */
const permissionRoutes: Route[] = permissions.map((permission) =>
  route({
    method: "GET",
    path: `/api/v1/needs/${permission.replace(":", "-")}`,
    summary: `Needs ${permission}`,
    permission,
    reply: Type.Object({ organization_id: Type.Integer(), role: Type.String() }),
    handle: ({ actor }) => ({ organization_id: actor.organizationId, role: actor.role }),
  }),
);

const needing = (permission: Permission): string => `GET /api/v1/needs/${permission.replace(":", "-")}`;

describe("permissions", () => {
  const memberLacks = ["server:create", "server:delete", "server:transfer", "organization:manage"];
  const viewerHas = ["project:read", "server:read", "monitor:read", "organization:read"];
  const expected: Record<"alice" | "adam" | "bob" | "victor", (permission: Permission) => boolean> = {
    alice: () => true,
    adam: (permission) => permission !== "server:transfer",
    bob: (permission) => !memberLacks.includes(permission),
    victor: (permission) => viewerHas.includes(permission),
  };
  for (const [name, may] of Object.entries(expected)) {
    for (const permission of permissions) {
      test(`${name} ${may(permission) ? "may" : "may not"} ${permission}`, async () => {
        const answer = await call(app, needing(permission), { token: cast[name as keyof typeof expected] });
        assert.equal(answer.status, may(permission) ? 200 : 403);
      });
    }
  }

  test("a token narrows its holder, and never widens", async () => {
    const narrow = await tokenOf(database.pool, "Victor", "project:read,server:delete");
    assert.equal((await call(app, needing("project:read"), { token: narrow })).status, 200);
    assert.equal((await call(app, needing("server:read"), { token: narrow })).status, 403, "not in the token");
    assert.equal((await call(app, needing("server:delete"), { token: narrow })).status, 403, "not in the role");
    assert.equal((await call(app, "GET /api/v1/me", { token: narrow })).status, 200, "any valid token");
  });

  test("a changed role counts from the next request on", async (t) => {
    const who = await adminUser(
      { pool: database.pool },
      { email: "d@example.com", name: "Dora", organization: "Acme", role: "Viewer" },
    );
    const { token } = await adminToken(
      { pool: database.pool },
      { email: "d@example.com", name: "t", permissions: "*" },
    );
    const other = appFor(t, ctx, permissionRoutes);
    assert.equal((await call(other, needing("server:delete"), { token })).status, 403);
    await adminMember(
      { pool: database.pool },
      { email: "d@example.com", organization: String(who.organization_id), role: "Admin" },
    );
    assert.equal((await call(other, needing("server:delete"), { token })).status, 200);
  });

  test("role sets hold only permissions that there are", () => {
    for (const set of Object.values(rolePermissions)) {
      for (const permission of set) assert.ok(permissions.includes(permission));
    }
  });
});

describe("X-Organization", () => {
  const asked = (organization: string | number) => ({ "x-organization": String(organization) });

  test("selects the organization, with the role in it, for that request only", async () => {
    await adminMember(
      { pool: database.pool },
      { email: "bob@example.com", organization: String(cast.charlieOrganizationId), role: "Viewer" },
    );
    const line = needing("project:read");
    const there = await call(app, line, { token: cast.bob, headers: asked(cast.charlieOrganizationId) });
    assert.deepEqual(there.body, { organization_id: cast.charlieOrganizationId, role: "Viewer" });
    const here = await call(app, line, { token: cast.bob });
    assert.deepEqual(here.body, { organization_id: cast.organizationId, role: "Member" });
    const refused = await call(app, needing("project:create"), {
      token: cast.bob,
      headers: asked(cast.charlieOrganizationId),
    });
    assert.equal(refused.status, 403);
  });

  for (const organization of [
    "foreign",
    "999999",
    "0",
    "-1",
    "abc",
    "1.5",
    "9007199254740993",
    "99999999999999999999",
  ]) {
    test(`naming ${organization} is refused with 403`, async () => {
      const id = organization === "foreign" ? cast.charlieOrganizationId : organization;
      const answer = await call(app, "GET /api/v1/me", { token: cast.alice, headers: asked(id) });
      assert.equal(answer.status, 403, answer.text);
      assert.deepEqual(Object.keys(answer.body), ["status", "message"]);
    });
  }

  test("is the same as the parameter `organization` of a GET, which must not contradict it", async () => {
    const line = (organization: unknown) => `GET /api/v1/me?organization=${organization}`;
    const there = await call(app, line(cast.charlieOrganizationId), { token: cast.bob });
    assert.equal(there.body.data.organization.id, cast.charlieOrganizationId);
    const headers = asked(cast.charlieOrganizationId);
    assert.equal((await call(app, line(cast.charlieOrganizationId), { token: cast.bob, headers })).status, 200);
    const refused = [
      await call(app, line(cast.organizationId), { token: cast.bob, headers }),
      await call(app, line(cast.charlieOrganizationId), { token: cast.alice }),
      await call(app, line("abc"), { token: cast.bob }),
      await call(app, line(`${cast.organizationId}&organization=${cast.organizationId}`), { token: cast.bob }),
    ];
    for (const { status, text } of refused) assert.equal(status, 403, text);
  });

  test("absent, a token made for an organization works in it", async () => {
    const { token } = await adminToken(
      { pool: database.pool },
      { email: "bob@example.com", name: "there", permissions: "*", organization: String(cast.charlieOrganizationId) },
    );
    const answer = await call(app, needing("project:read"), { token });
    assert.equal(answer.body.organization_id, cast.charlieOrganizationId);
  });

  test("absent, an account that left its current organization works in another of its own", async () => {
    const { organization_id } = await adminUser(
      { pool: database.pool },
      { email: "erin@example.com", name: "Erin", organization: "Erin's first" },
    );
    await adminUser(
      { pool: database.pool },
      { email: "erin@example.com", name: "Erin", organization: "Erin's second" },
    );
    const token = await tokenOf(database.pool, "Erin");
    await changed(database.pool, sql`delete from memberships where organization_id = ${organization_id}`);
    const answer = await call(app, needing("project:read"), { token });
    assert.equal(answer.status, 200);
    assert.notEqual(answer.body.organization_id, organization_id);
  });
});

describe("an account that exists", () => {
  const email = "hugo@example.com";
  const installation = () => ({ pool: database.pool });

  test("keeps what the command line does not name", async () => {
    const first = await adminUser(installation(), { email, name: "Hugo", organization: "Hugo & Co" });
    const again = await adminUser(installation(), { email, name: "Hugo Weber" });
    assert.deepEqual(again, first, "no organization is made");
    assert.deepEqual(await adminUser(installation(), { email, password: "correct horse battery" }), first);
    const user = await row(database.pool, sql`select name from users where email = ${email}`);
    assert.deepEqual(user, { name: "Hugo Weber" });
  });

  test("needs a name when it is new", async () => {
    await assert.rejects(adminUser(installation(), { email: "new@example.com" }), { code: "invalid" });
  });
});

describe("GET /me", () => {
  test("shows the account and its organizations", async () => {
    const { status, body } = await call(app, "GET /api/v1/me", { token: cast.alice });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      status: "success",
      data: {
        id: cast.userIds.alice,
        name: "Alice",
        email: "alice@example.com",
        current_organization_id: cast.organizationId,
        organizations: [{ id: cast.organizationId, name: "Acme", role: "Owner", plan: "business" }],
        organization: {
          id: cast.organizationId,
          name: "Acme",
          role: "Owner",
          permissions: [...permissions],
          restriction: null,
          limits: { servers: null, monitors_of_type: null, monitor_interval_seconds: 60 },
        },
        two_factor: false,
        passkeys: 0,
        sends_mail: false,
      },
    });
  });

  test("shows what role, token and restriction allow in the organization of the request", async () => {
    await adminUser(
      { pool: database.pool },
      { email: "ida@example.com", name: "Ida", organization: "Acme", role: "Member" },
    );
    await restrict(database.pool, "Ida", cast.organizationId, { servers: [] });
    const token = await tokenOf(database.pool, "Ida", "project:read,server:delete");
    const { body } = await call(app, "GET /api/v1/me", { token });
    const { role, permissions: allowed, restriction } = body.data.organization;
    assert.deepEqual([role, allowed], ["Member", ["project:read"]]);
    assert.deepEqual(restriction, { server_ids: [], project_ids: [] });
  });
});

describe("PUT /me", () => {
  const rename = (token: string, name: unknown) => call(app, "PUT /api/v1/me", { token, body: { name } });

  test("renames the account, in all its organizations", async () => {
    const renamed = await rename(cast.victor, "Victor Example");
    assert.deepEqual([renamed.status, renamed.body.data.name], [200, "Victor Example"]);
    assert.equal((await rename(cast.victor, "Victor")).status, 200);
  });

  test("refuses a token that does not stand for the account, and names that are none", async () => {
    const narrow = await tokenOf(database.pool, "Victor", "project:read");
    assert.equal((await rename(narrow, "Other")).status, 403);
    for (const name of ["", " ", 5, "x".repeat(101)]) assert.equal((await rename(cast.victor, name)).status, 422);
  });
});

describe("an account in no organization", () => {
  const whole = [...accountRoutes, ...preferenceRoutes, ...organizationRoutes, ...permissionRoutes];

  test("still reads and changes itself, and nothing else", async (t) => {
    const alone = buildApp(ctx, whole, authenticator(ctx));
    t.after(() => alone.close());
    const email = "frank@example.com";
    const { organization_id } = await adminUser({ pool: database.pool }, { email, name: "Frank" });
    const token = await tokenOf(database.pool, "Frank");
    await changed(database.pool, sql`delete from memberships where organization_id = ${organization_id}`);
    const me = await call(alone, "GET /api/v1/me", { token });
    assert.deepEqual([me.body.data.organizations, me.body.data.current_organization_id], [[], null]);
    assert.deepEqual((await call(alone, "GET /api/v1/organizations", { token })).body.data, []);
    assert.equal((await call(alone, "GET /api/v1/me/preferences", { token })).status, 200);
    const body = { preferences: { console: { a: 1 } } };
    assert.equal((await call(alone, "PATCH /api/v1/me/preferences", { token, body })).status, 200);
    const made = await call(alone, "POST /api/v1/me/tokens", { token, body: { name: "x", permissions: ["*"] } });
    assert.equal(made.status, 201, made.text);
    assert.equal((await call(alone, "GET /api/v1/me/tokens", { token })).body.data.length, 2);
    assert.equal((await call(alone, `DELETE /api/v1/me/tokens/${made.body.data.id}`, { token })).status, 200);
    assert.equal((await call(alone, needing("project:read"), { token })).status, 403);
    const headers = { "x-organization": String(cast.organizationId) };
    assert.equal((await call(alone, "GET /api/v1/me", { token, headers })).status, 403, "a foreign organization");
  });

  test("has no more permissions than its token", async (t) => {
    const alone = buildApp(ctx, whole, authenticator(ctx));
    t.after(() => alone.close());
    await adminUser({ pool: database.pool }, { email: "grace@example.com", name: "Grace", organization: "Grace's" });
    const token = await tokenOf(database.pool, "Grace", "project:read");
    await changed(
      database.pool,
      sql`delete from memberships where user_id = (select user_id from tokens
      where digest = ${createHash("sha256").update(token).digest()})`,
    );
    assert.equal((await call(alone, "GET /api/v1/me", { token })).status, 200);
    assert.equal((await call(alone, "GET /api/v1/organizations", { token })).status, 403);
    const wide = await call(alone, "POST /api/v1/me/tokens", { token, body: { name: "x", permissions: ["*"] } });
    assert.equal(wide.status, 403);
  });
});

describe("tokens", () => {
  const create = (token: string, body: object) => call(app, "POST /api/v1/me/tokens", { token, body });

  test("are shown once, and stored as a digest and 8 characters", async () => {
    const made = await create(cast.alice, { name: "CI", permissions: ["project:read", "project:read"] });
    assert.equal(made.status, 201);
    const { token, id } = made.body.data;
    assert.match(token, /^lsh_[0-9A-Za-z]{40}$/);
    const stored = await row<{ digest: Buffer; all: string }>(
      database.pool,
      sql`select digest, tokens::text as all from tokens where id = ${id}`,
    );
    assert.deepEqual(stored?.digest, createHash("sha256").update(token).digest());
    assert.ok(!stored?.all.includes(token.slice(8)));
    const listed = await call(app, "GET /api/v1/me/tokens", { token: cast.alice });
    const entry = listed.body.data.find((each: { id: number }) => each.id === id);
    assert.equal(entry.prefix, token.slice(0, 8));
    assert.deepEqual(entry.permissions, ["project:read"]);
    assert.ok(!listed.text.includes(token));
    assert.equal((await call(app, needing("project:read"), { token })).status, 200);
  });

  test("are revoked from the next request on, in every process", async (t) => {
    const { body } = await create(cast.alice, { name: "short", permissions: ["*"] });
    const other = appFor(t, ctx);
    assert.equal((await call(other, "GET /api/v1/me", { token: body.data.token })).status, 200);
    const revoked = await call(app, `DELETE /api/v1/me/tokens/${body.data.id}`, { token: cast.alice });
    assert.deepEqual([revoked.status, revoked.body.status], [200, "success"]);
    assert.equal((await call(other, "GET /api/v1/me", { token: body.data.token })).status, 401);
    assert.equal((await call(app, `DELETE /api/v1/me/tokens/${body.data.id}`, { token: cast.alice })).status, 404);
  });

  test("of others do not exist", async () => {
    const { body } = await create(cast.alice, { name: "mine", permissions: ["*"] });
    assert.equal((await call(app, `DELETE /api/v1/me/tokens/${body.data.id}`, { token: cast.charlie })).status, 404);
    const listed = await call(app, "GET /api/v1/me/tokens", { token: cast.charlie });
    assert.ok(!listed.body.data.some((each: { id: number }) => each.id === body.data.id));
  });

  test("expire", async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const { body } = await create(cast.alice, { name: "expiring", permissions: ["*"], expires_at: soon });
    assert.equal(new Date(body.data.expires_at).toISOString(), soon);
    assert.match(body.data.expires_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.equal((await call(app, "GET /api/v1/me", { token: body.data.token })).status, 200);
    await changed(database.pool, sql`update tokens set expires_at = now() where id = ${body.data.id}`);
    assert.equal((await call(app, "GET /api/v1/me", { token: body.data.token })).status, 401);
  });

  test("are refused with every bad field at once", async () => {
    const answer = await create(cast.alice, { permissions: ["project:read", "fly"], expires_at: 5 });
    assert.equal(answer.status, 422);
    assert.deepEqual(Object.keys(answer.body.errors).sort(), ["expires_at", "name", "permissions.1"]);
    for (const expires_at of ["2001-01-01T00:00:00Z", "tomorrow", "2026-99-99"]) {
      const bad = await create(cast.alice, { name: "x", permissions: ["*"], expires_at });
      assert.deepEqual([bad.status, Object.keys(bad.body.errors)], [422, ["expires_at"]], expires_at);
    }
    const all = { name: "", permissions: ["bogus"], expires_at: "soon", organization_id: cast.charlieOrganizationId };
    assert.deepEqual(Object.keys((await create(cast.alice, all)).body.errors).sort(), [
      "expires_at",
      "name",
      "organization_id",
      "permissions.0",
    ]);
    const foreign = await create(cast.alice, {
      name: "x",
      permissions: ["*"],
      organization_id: cast.charlieOrganizationId,
    });
    assert.deepEqual([foreign.status, Object.keys(foreign.body.errors)], [422, ["organization_id"]]);
  });

  test("cannot make or revoke tokens that hold more than themselves", async () => {
    const narrow = (await create(cast.alice, { name: "narrow", permissions: ["project:read"] })).body.data;
    assert.equal((await create(narrow.token, { name: "wide", permissions: ["*"] })).status, 403);
    assert.equal((await create(narrow.token, { name: "other", permissions: ["server:read"] })).status, 403);
    assert.equal((await create(narrow.token, { name: "equal", permissions: ["project:read"] })).status, 201);
    const wide = (await create(cast.alice, { name: "wide", permissions: ["*"] })).body.data;
    assert.equal((await call(app, `DELETE /api/v1/me/tokens/${wide.id}`, { token: narrow.token })).status, 403);
    assert.equal((await call(app, `DELETE /api/v1/me/tokens/${narrow.id}`, { token: narrow.token })).status, 200);
  });

  test("remember when they were last used, at most once a minute", async (t) => {
    const { body } = await create(cast.alice, { name: "used", permissions: ["*"] });
    const lastUse = async () =>
      (
        await row<{ at: string | null }>(
          database.pool,
          sql`select last_used_at as at from tokens where id = ${body.data.id}`,
        )
      )?.at;
    assert.equal(await lastUse(), null);
    const other = appFor(t, ctx);
    await call(other, "GET /api/v1/me", { token: body.data.token });
    const first = await pollUntil(async () => (await lastUse()) ?? undefined, { timeoutMs: 30_000 });
    assert.ok(first);
    await call(other, "GET /api/v1/me", { token: body.data.token });
    assert.equal(await lastUse(), first);
    await changed(
      database.pool,
      sql`update tokens set last_used_at = now() - interval '2 minutes' where id = ${body.data.id}`,
    );
    const stale = await lastUse();
    await call(other, "GET /api/v1/me", { token: body.data.token });
    assert.ok(await pollUntil(async () => (await lastUse()) !== stale, { timeoutMs: 30_000 }));
  });
});

describe("reach", () => {
  const ids = { listed: 0, other: 0, foreign: 0 };
  const projects = { onListed: 0, listed: 0, other: 0, foreign: 0 };

  before(async () => {
    ids.listed = await addServer(cast.organizationId, "listed");
    ids.other = await addServer(cast.organizationId, "other");
    ids.foreign = await addServer(cast.charlieOrganizationId, "foreign");
    projects.onListed = await addProject(cast.organizationId, ids.listed, "on listed");
    projects.listed = await addProject(cast.organizationId, ids.other, "listed");
    projects.other = await addProject(cast.organizationId, ids.other, "other");
    projects.foreign = await addProject(cast.charlieOrganizationId, ids.foreign, "foreign");
  });

  const addServer = async (organizationId: number, name: string): Promise<number> =>
    (
      await row<{ id: number }>(
        database.pool,
        sql`insert into servers (organization_id, name, server_os, ssh_public_key, ssh_private_key)
          values (${organizationId}, ${name}, 'debian_12', 'ssh-ed25519 A', '\\x00') returning id`,
      )
    )?.id ?? 0;

  const addProject = async (organizationId: number, serverId: number, name: string): Promise<number> =>
    (
      await row<{ id: number }>(
        database.pool,
        sql`with project as (
            insert into projects (organization_id, server_id, name, framework_id, repository, repository_type, repository_branch)
            values (${organizationId}, ${serverId}, ${name}, 10, 'https://git.example/x', 'git', 'main')
            returning id, server_id
          ), site as (
            insert into sites (project_id) select id from project
          )
          insert into placements (project_id, server_id, role) select id, server_id, 'own' from project
          returning project_id as id`,
      )
    )?.id ?? 0;

  async function actorOf(token: string): Promise<Actor> {
    const caller = await authenticator(ctx)(token, undefined);
    assert.ok(caller && isInOrganization(caller));
    return caller;
  }

  async function reached(token: string) {
    const actor = await actorOf(token);
    const namesOf = async (query: ReturnType<typeof sql>) =>
      (await rows<{ name: string }>(database.pool, query)).map(({ name }) => name).sort();
    return {
      servers: await namesOf(sql`select s.name from servers s where ${serverReach(actor)}`),
      visible: await namesOf(sql`select s.name from servers s where ${serverVisible(actor)}`),
      projects: await namesOf(sql`select p.name from projects p where ${projectReach(actor)}`),
    };
  }

  test("of an unrestricted membership is the organization, and nothing of another", async () => {
    assert.deepEqual(await reached(cast.victor), {
      servers: ["listed", "other"],
      visible: ["listed", "other"],
      projects: ["listed", "on listed", "other"],
    });
    assert.deepEqual(await reached(cast.charlie), {
      servers: ["foreign"],
      visible: ["foreign"],
      projects: ["foreign"],
    });
  });

  test("of listed servers is these with all of their projects", async () => {
    await restrict(database.pool, "Bob", cast.organizationId, { servers: [ids.listed] });
    assert.deepEqual(await reached(cast.bob), { servers: ["listed"], visible: ["listed"], projects: ["on listed"] });
  });

  test("of a listed server is also what it serves as a further server, but not what only passes through in a move", async () => {
    await restrict(database.pool, "Bob", cast.organizationId, { servers: [ids.listed] });
    const before = await findMembershipState(database.pool, cast.userIds.bob, cast.organizationId);
    const place = (role: string) =>
      changed(
        database.pool,
        sql`insert into placements (project_id, server_id, role) values (${projects.other}, ${ids.listed}, ${role})
          on conflict (project_id, server_id) do update set role = excluded.role`,
      );
    for (const role of ["arriving", "leaving"]) {
      await place(role);
      assert.deepEqual((await reached(cast.bob)).projects, ["on listed"], role);
    }
    await place("replica");
    assert.deepEqual(await reached(cast.bob), {
      servers: ["listed"],
      visible: ["listed", "other"],
      projects: ["on listed", "other"],
    });
    assert.ok(
      isWithinReach(await actorOf(cast.bob), {
        organizationId: cast.organizationId,
        serverId: ids.other,
        projectId: projects.other,
      }),
    );
    // A stream that was begun before or after ends when it changes.
    assert.notEqual(await findMembershipState(database.pool, cast.userIds.bob, cast.organizationId), before);
    await changed(database.pool, sql`delete from placements where role <> 'own'`);
    assert.deepEqual((await reached(cast.bob)).projects, ["on listed"]);
    assert.equal(await findMembershipState(database.pool, cast.userIds.bob, cast.organizationId), before);
  });

  test("of a listed project makes all of its servers visible", async () => {
    await restrict(database.pool, "Bob", cast.organizationId, { projects: [projects.onListed] });
    await changed(
      database.pool,
      sql`insert into placements (project_id, server_id, role) values (${projects.onListed}, ${ids.other}, 'replica')`,
    );
    assert.deepEqual(await reached(cast.bob), { servers: [], visible: ["listed", "other"], projects: ["on listed"] });
    await changed(database.pool, sql`delete from placements where role <> 'own'`);
  });

  test("of listed projects is these; their server is visible, not reached", async () => {
    await restrict(database.pool, "Bob", cast.organizationId, { projects: [projects.listed] });
    assert.deepEqual(await reached(cast.bob), { servers: [], visible: ["other"], projects: ["listed"] });
  });

  test("of both is their sum", async () => {
    await restrict(database.pool, "Bob", cast.organizationId, { servers: [ids.listed], projects: [projects.listed] });
    assert.deepEqual(await reached(cast.bob), {
      servers: ["listed"],
      visible: ["listed", "other"],
      projects: ["listed", "on listed"],
    });
  });

  test("of empty lists is nothing", async () => {
    await restrict(database.pool, "Bob", cast.organizationId, { servers: [] });
    assert.deepEqual(await reached(cast.bob), { servers: [], visible: [], projects: [] });
  });

  test("never leaves the organization, whatever ids the membership lists", async () => {
    await changed(
      database.pool,
      sql`update memberships set restricted = true, server_ids = array[${ids.foreign}]::bigint[],
        project_ids = array[${projects.foreign}]::bigint[]
        where user_id = ${cast.userIds.bob} and organization_id = ${cast.organizationId}`,
    );
    assert.deepEqual(await reached(cast.bob), { servers: [], visible: [], projects: [] });
  });

  test("also decides on events", async () => {
    await restrict(database.pool, "Bob", cast.organizationId, { servers: [ids.listed], projects: [projects.listed] });
    const bob = await actorOf(cast.bob);
    const alice = await actorOf(cast.alice);
    const of = (serverId: number | null, projectId: number | null) => ({
      organizationId: cast.organizationId,
      serverId,
      projectId,
    });
    assert.ok(isWithinReach(bob, of(ids.listed, null)));
    assert.ok(isWithinReach(bob, of(ids.other, projects.listed)));
    assert.ok(!isWithinReach(bob, of(ids.other, null)));
    assert.ok(!isWithinReach(bob, of(ids.other, projects.other)));
    assert.ok(!isWithinReach(bob, of(null, null)));
    assert.ok(isWithinReach(alice, of(null, null)));
    assert.ok(!isWithinReach(alice, { ...of(null, null), organizationId: cast.charlieOrganizationId }));
  });

  test("a wrong id in a restriction is refused by name", async () => {
    await assert.rejects(
      restrict(database.pool, "Bob", cast.organizationId, { servers: [ids.foreign] }),
      /not of the organization/,
    );
    await assert.rejects(restrict(database.pool, "Bob", cast.organizationId, { projects: [987_654] }), /987654/);
  });

  test("can() asks the intersection", async () => {
    const alice = await actorOf(await tokenOf(database.pool, "Alice", "server:read"));
    assert.ok(can(alice, "server:read"));
    assert.ok(!can(alice, "server:update"));
  });
});

describe("admin", () => {
  test("gives the first organization of an installation the plan business, and later ones the default", async (t) => {
    const fresh = await testDatabase();
    t.after(() => fresh.drop());
    const first = await adminUser({ pool: fresh.pool }, { email: "A@Example.com", name: "A" });
    const second = await adminUser({ pool: fresh.pool }, { email: "b@example.com", name: "B", defaultPlan: "starter" });
    const third = await adminUser(
      { pool: fresh.pool },
      { email: "c@example.com", name: "C", organization: "C", plan: "pro" },
    );
    const planOf = async (id: number) =>
      (await row<{ plan: string }>(fresh.pool, sql`select plan from organizations where id = ${id}`))?.plan;
    assert.deepEqual(await Promise.all([first, second, third].map((each) => planOf(each.organization_id))), [
      "business",
      "starter",
      "pro",
    ]);
    await adminPlan({ pool: fresh.pool }, { organization: String(second.organization_id), plan: "business" });
    assert.equal(await planOf(second.organization_id), "business");
    const again = await adminUser(
      { pool: fresh.pool },
      { email: "a@example.com", name: "A", organization: "C", role: "viewer" },
    );
    assert.equal(again.user_id, first.user_id);
    assert.equal(again.organization_id, third.organization_id);
    const byId = await adminUser(
      { pool: fresh.pool },
      { email: "d@example.com", name: "D", organization: String(first.organization_id) },
    );
    assert.equal(byId.organization_id, first.organization_id);
  });

  test("refuses what does not exist, in sentences", async () => {
    const { pool } = database;
    await assert.rejects(
      adminToken({ pool }, { email: "stranger@example.com", name: "x", permissions: "*" }),
      /stranger@example.com/,
    );
    await assert.rejects(
      adminToken({ pool }, { email: "alice@example.com", name: "x", permissions: "fly" }),
      /no permission fly/,
    );
    await assert.rejects(
      adminToken({ pool }, { email: "alice@example.com", name: "x", permissions: "*", organization: "Charlie's" }),
      /not a member/,
    );
    await assert.rejects(
      adminMember({ pool }, { email: "alice@example.com", organization: "Acme", role: "King" }),
      /one of Owner/,
    );
    await assert.rejects(adminPlan({ pool }, { organization: "987654", plan: "pro" }), /987654/);
    await assert.rejects(adminUser({ pool }, { email: "not an email", name: "x" }), /email/);
  });
});

describe("passwords", () => {
  test("are kept as a salted scrypt digest", async () => {
    const [one, two] = await Promise.all([digestPassword("correct horse"), digestPassword("correct horse")]);
    assert.notEqual(one, two);
    assert.match(one, /^scrypt\$/);
    assert.ok(await isPassword("correct horse", one));
    assert.ok(!(await isPassword("wrong horse", one)));
    assert.ok(!(await isPassword("correct horse", "nonsense")));
  });
});
