import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import type { Context } from "../../../context.ts";
import { row, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { appOn, type Cast, call, contextOn, createCast, tokenOf } from "../../../http/tests/support.ts";
import { adminMember, adminToken, adminUser } from "../../accounts/admin.ts";
import { lockOrganization } from "../queries.ts";
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

type Name = "alice" | "adam" | "bob" | "victor" | "charlie";

const base = (id = cast.organizationId) => `/api/v1/organizations/${id}`;
const ask = (line: string, who: Name | { token: string }, body?: object, on = app) =>
  call(on, line, { token: typeof who === "string" ? cast[who] : who.token, ...(body && { body }) });
const change = (who: Name | { token: string }, whom: Name, body: object) =>
  ask(`PUT ${base()}/members/${cast.userIds[whom]}`, who, body);
const remove = (who: Name | { token: string }, whom: Name) =>
  ask(`DELETE ${base()}/members/${cast.userIds[whom]}`, who);

describe("an organization", () => {
  test("is listed to its members with their role, and to no one else", async () => {
    const { body } = await ask("GET /api/v1/organizations", "victor");
    assert.equal(body.total_items, 1);
    const { created_at, updated_at, ...acme } = body.data[0];
    assert.deepEqual(acme, {
      id: cast.organizationId,
      name: "Acme",
      plan: "business",
      role: "Viewer",
      is_current: true,
      members_count: 4,
    });
    for (const time of [created_at, updated_at]) assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.equal((await ask(`GET ${base()}`, "victor")).status, 200);
    assert.equal((await ask(`GET ${base()}`, "charlie")).status, 404);
    assert.equal((await ask("GET /api/v1/organizations/987654", "alice")).status, 404);
  });

  test("is made by anybody, who owns it, on the default plan", async () => {
    const made = await ask("POST /api/v1/organizations", "victor", { name: "Victor's" });
    assert.equal(made.status, 201);
    assert.equal(made.body.data.role, "Owner");
    assert.equal(made.body.data.plan, "business");
    assert.equal(made.body.data.is_current, false);
    const narrow = { token: await tokenOf(database.pool, "Victor", "organization:read,project:create") };
    assert.equal((await ask("POST /api/v1/organizations", narrow, { name: "No" })).status, 403);
  });

  test("is made by an account that is in none", async () => {
    await database.pool.query("delete from organizations where id = $1", [cast.charlieOrganizationId]);
    const made = await ask("POST /api/v1/organizations", "charlie", { name: "Another" });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.body.data.role, "Owner");
  });

  test("is renamed by those who manage it", async () => {
    assert.equal((await ask(`PUT ${base()}`, "bob", { name: "Bob's" })).status, 403);
    assert.equal((await ask(`PUT ${base()}`, "charlie", { name: "Charlie's" })).status, 404);
    assert.equal((await ask(`PUT ${base()}`, "adam", { name: "Acme Ltd" })).body.data.name, "Acme Ltd");
    assert.deepEqual(Object.keys((await ask(`PUT ${base()}`, "adam", { name: " " })).body.errors), ["name"]);
  });

  test("is the one in the path, with the role there, whatever the current one is", async () => {
    const { body } = await ask("POST /api/v1/organizations", "victor", { name: "Victor's" });
    const own = base(body.data.id);
    assert.equal((await ask(`PUT ${own}`, "victor", { name: "Mine" })).status, 200, "Owner there, Viewer in Acme");
    const contradicting = await call(app, `GET ${own}`, {
      token: cast.victor,
      headers: { "x-organization": String(cast.organizationId) },
    });
    assert.equal(contradicting.status, 404);
  });

  test("becomes the current one when the account switches, in every process", async () => {
    const { body } = await ask("POST /api/v1/organizations", "victor", { name: "Victor's" });
    const switched = await ask(`POST ${base(body.data.id)}/switch`, "victor");
    assert.equal(switched.body.data.is_current, true);
    const me = await ask("GET /api/v1/me", "victor", undefined, other);
    assert.equal(me.body.data.current_organization_id, body.data.id);
    assert.equal((await ask(`POST ${base()}/switch`, "charlie")).status, 404);
  });
});

describe("members", () => {
  test("see each other, and what a role change did, on the next request in every process", async () => {
    const { body } = await ask(`GET ${base()}/members`, "victor");
    assert.deepEqual(
      body.data.map((member: { name: string; role: string }) => [member.name, member.role]),
      [
        ["Adam", "Admin"],
        ["Alice", "Owner"],
        ["Bob", "Member"],
        ["Victor", "Viewer"],
      ],
    );
    assert.equal((await ask(`PUT ${base()}`, "victor", { name: "x" }, other)).status, 403);
    const changed = await change("alice", "victor", { role: "Admin" });
    assert.equal(changed.body.data.role, "Admin");
    assert.equal((await ask(`PUT ${base()}`, "victor", { name: "x" }, other)).status, 200);
    await change("alice", "victor", { role: "Viewer" });
    assert.equal((await ask(`PUT ${base()}`, "victor", { name: "x" }, other)).status, 403);
  });

  test("are changed by those who manage the organization, and by no one else", async () => {
    assert.equal((await change("bob", "victor", { role: "Admin" })).status, 403);
    assert.equal((await change("charlie", "victor", { role: "Admin" })).status, 404);
    const narrow = { token: await tokenOf(database.pool, "Alice", "organization:read") };
    assert.equal((await change(narrow, "victor", { role: "Admin" })).status, 403);
    assert.equal((await change("alice", "charlie", { role: "Admin" })).status, 404, "not a member");
    assert.deepEqual(Object.keys((await change("alice", "bob", { role: "King" })).body.errors), ["role"]);
  });

  test("are never made or unmade Owner by an Admin", async () => {
    assert.equal((await change("adam", "adam", { role: "Owner" })).status, 403);
    assert.equal((await change("adam", "bob", { role: "Owner" })).status, 403);
    assert.equal((await change("adam", "alice", { role: "Viewer" })).status, 403);
    assert.equal((await change("adam", "alice", { restriction: { server_ids: [] } })).status, 403);
    assert.equal((await remove("adam", "alice")).status, 403);
    assert.equal((await change("adam", "bob", { role: "Viewer" })).status, 200);
  });

  test("are removed at once, with their tokens for the organization", async () => {
    const order = { email: "bob@example.com", name: "x", permissions: "*", organization: "Acme" };
    const { token } = await adminToken({ pool: database.pool }, order);
    assert.equal((await ask("GET /api/v1/me", { token }, undefined, other)).status, 200);
    assert.equal((await remove("alice", "bob")).status, 200);
    assert.equal((await ask("GET /api/v1/me", { token }, undefined, other)).status, 401);
    assert.equal((await ask("GET /api/v1/me", "bob", undefined, other)).status, 200, "the account stays");
    assert.equal((await ask(`GET ${base()}/members`, "bob", undefined, other)).status, 404);
    assert.equal((await remove("alice", "bob")).status, 404);
  });

  test("leave by themselves", async () => {
    assert.equal((await ask(`POST ${base()}/leave`, "victor")).status, 200);
    assert.equal((await ask(`GET ${base()}`, "victor")).status, 404);
    assert.equal((await ask(`POST ${base()}/leave`, "charlie")).status, 404);
  });
});

describe("the last Owner", () => {
  const isUnchanged = async () =>
    assert.equal(
      (
        await row<{ role: string }>(
          database.pool,
          sql`select role from memberships where user_id = ${cast.userIds.alice} and not restricted`,
        )
      )?.role,
      "Owner",
    );

  test("cannot leave, be removed, step down or be restricted", async () => {
    const attempts = [
      await ask(`POST ${base()}/leave`, "alice"),
      await remove("alice", "alice"),
      await change("alice", "alice", { role: "Admin" }),
      await change("alice", "alice", { restriction: { server_ids: [] } }),
    ];
    for (const { status, body } of attempts) {
      assert.equal(status, 422);
      assert.match(body.message, /last Owner/);
      assert.equal(body.errors, undefined);
      await isUnchanged();
    }
  });

  test("can, once there is another who reaches everything", async () => {
    await change("alice", "adam", { role: "Owner", restriction: { server_ids: [] } });
    assert.equal((await ask(`POST ${base()}/leave`, "alice")).status, 422, "the other is restricted");
    await change("alice", "adam", { restriction: null });
    assert.equal((await ask(`POST ${base()}/leave`, "alice")).status, 200);
  });

  test("stays when two Owners leave at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      await adminMember(
        { pool: database.pool },
        { email: "alice@example.com", organization: String(cast.organizationId), role: "Owner" },
      );
      await adminMember(
        { pool: database.pool },
        { email: "adam@example.com", organization: String(cast.organizationId), role: "Owner" },
      );
      const statuses = await Promise.all([
        ask(`POST ${base()}/leave`, "alice"),
        ask(`POST ${base()}/leave`, "adam", undefined, other),
      ]);
      assert.deepEqual(statuses.map(({ status }) => status).sort(), [200, 422]);
    }
  });
});

describe("an Owner made while the former one goes", () => {
  for (const [verb, line] of [
    ["leave", () => `POST ${base()}/leave`],
    ["be removed", () => `DELETE ${base()}/members/${cast.userIds.bob}`],
  ] as const) {
    test(`cannot ${verb}: the role counts that the membership has when it ends`, async () => {
      // The request begins before the change, and ends after it.
      let late: ReturnType<typeof ask> | undefined;
      await transaction(database.pool, async (tx) => {
        await lockOrganization(tx, cast.organizationId);
        late = ask(line(), verb === "leave" ? "bob" : "alice");
        await untilBlocked(database.pool);
        await tx.query("update memberships set role = 'Owner' where user_id = $1", [cast.userIds.bob]);
        await tx.query("update memberships set role = 'Admin' where user_id = $1", [cast.userIds.alice]);
      });
      assert.equal((await late)?.status, 422);
      assert.equal((await ask(`GET ${base()}`, "bob")).body.data.role, "Owner");
    });
  }
});

describe("a restriction", () => {
  test("takes only ids of the organization, and names those that are not", async () => {
    const ours = await addServer(database.pool, cast.organizationId, "ours");
    const foreign = await addServer(database.pool, cast.charlieOrganizationId, "foreign");
    const refused = await change("alice", "bob", {
      restriction: { server_ids: [ours.serverId, foreign.serverId], project_ids: [foreign.projectId] },
    });
    assert.equal(refused.status, 422);
    assert.deepEqual(Object.keys(refused.body.errors), ["restriction.server_ids", "restriction.project_ids"]);
    const restriction = { server_ids: [ours.serverId], project_ids: [] };
    assert.deepEqual((await change("alice", "bob", { restriction })).body.data.restriction, restriction);
    assert.deepEqual(
      (await change("alice", "bob", { role: "Viewer" })).body.data.restriction,
      restriction,
      "kept when it is not sent",
    );
    assert.equal((await change("alice", "bob", { restriction: null })).body.data.restriction, null);
  });

  test("shows of others' restrictions only what is in the reader's own reach", async () => {
    const one = await addServer(database.pool, cast.organizationId, "one");
    const two = await addServer(database.pool, cast.organizationId, "two");
    const all = { server_ids: [one.serverId, two.serverId], project_ids: [one.projectId, two.projectId] };
    await change("alice", "bob", { restriction: all });
    await change("alice", "victor", { restriction: { server_ids: [one.serverId] } });
    const seenBy = async (who: Name) =>
      (await ask(`GET ${base()}/members`, who)).body.data.find(({ name }: { name: string }) => name === "Bob")
        .restriction;
    assert.deepEqual(await seenBy("alice"), all);
    assert.deepEqual(await seenBy("victor"), { server_ids: [one.serverId], project_ids: [one.projectId] });
  });

  test("keeps an Admin from deciding about members, the own membership first of all", async () => {
    await change("alice", "adam", { restriction: { server_ids: [] } });
    assert.equal((await change("adam", "adam", { restriction: null })).status, 403);
    assert.equal((await change("adam", "bob", { role: "Admin" })).status, 403);
    assert.equal((await remove("adam", "bob")).status, 403);
    const invited = await ask(`POST ${base()}/invitations`, "adam", { email: "x@example.com", role: "Admin" });
    assert.equal(invited.status, 403);
  });
});

describe("a new account", () => {
  test("in two organizations has its own role in each", async () => {
    const who = { email: "bob@example.com", name: "Bob", organization: "Charlie's", role: "Admin" };
    const { organization_id } = await adminUser({ pool: database.pool }, who);
    const { body } = await ask("GET /api/v1/organizations", "bob");
    assert.deepEqual(
      body.data.map(({ id, role }: { id: number; role: string }) => [id, role]),
      [
        [cast.organizationId, "Member"],
        [organization_id, "Admin"],
      ],
    );
  });
});
