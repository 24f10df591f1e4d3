import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { FastifyInstance } from "fastify";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import { rows, sql } from "../../../db/sql.ts";
import { appOn, type Cast, call, contextOn, createCast } from "../../../http/tests/support.ts";
import { adminMember, adminToken } from "../../accounts/admin.ts";
import { organizationRoutes } from "../routes.ts";

let database: TestDatabase;
let cast: Cast;
let app: FastifyInstance;

before(async () => {
  database = await testDatabase();
  cast = await createCast(database.pool);
  app = appOn(contextOn(database.pool), organizationRoutes);
});
after(async () => {
  await app?.close();
  await database?.drop();
});

const path = () => `/api/v1/organizations/${cast.organizationId}/tokens`;
const makeToken = (person: string, name: string, organization?: number) =>
  adminToken(database, {
    email: `${person}@example.com`,
    name,
    permissions: "project:read",
    ...(organization && { organization: String(organization), bound: true }),
  });
const list = async (query = "", token = cast.alice) => {
  const { status, body, text } = await call(app, `GET ${path()}${query}`, { token });
  assert.equal(status, 200, text);
  return body.data.map(({ name, user }: { name: string; user: { name: string } }) => `${user.name}: ${name}`);
};

describe("the tokens of an organization", () => {
  before(async () => {
    await makeToken("bob", "deploys", cast.organizationId);
    await makeToken("adam", "Backups", cast.organizationId);
    await makeToken("charlie", "elsewhere", cast.charlieOrganizationId);
    await makeToken("bob", "his own");
  });

  it("are those for it, of all members, without their values", async () => {
    assert.deepEqual(await list(), ["Adam: Backups", "Bob: deploys"]);
    const { text } = await call(app, `GET ${path()}`, { token: cast.alice });
    const digests = await rows<{ digest: Buffer }>(database.pool, sql`select digest from tokens`);
    assert.ok(digests.every(({ digest }) => !text.includes(digest.toString("hex"))));
  });

  it("are found by text, account and order", async () => {
    assert.deepEqual(await list("?sort=-name"), ["Bob: deploys", "Adam: Backups"]);
    assert.deepEqual(await list("?q=BACK"), ["Adam: Backups"]);
    assert.deepEqual(await list("?q=bob%40"), ["Bob: deploys"]);
    assert.deepEqual(await list("?q="), ["Adam: Backups", "Bob: deploys"]);
    assert.deepEqual(await list("?q=%25"), []);
    assert.deepEqual(await list(`?user_id=${cast.userIds.adam}`), ["Adam: Backups"]);
    assert.equal((await call(app, `GET ${path()}?sort=digest`, { token: cast.alice })).status, 422);
  });

  it("are for Owners who reach everything", async () => {
    for (const token of [cast.adam, cast.bob, cast.victor]) {
      assert.equal((await call(app, `GET ${path()}`, { token })).status, 403);
    }
    assert.equal((await call(app, `GET ${path()}`, { token: cast.charlie })).status, 404);
    const organization = String(cast.organizationId);
    await adminMember(database, { email: "victor@example.com", organization, role: "Owner", servers: [] });
    assert.equal((await call(app, `GET ${path()}`, { token: cast.victor })).status, 403);
  });

  it("are revoked by Owners, and those of others are not found", async () => {
    const { token, token_id } = await makeToken("bob", "leaked", cast.organizationId);
    const own = await makeToken("bob", "for all");
    const foreign = await makeToken("charlie", "foreign", cast.charlieOrganizationId);
    const revoke = (id: number, by: string) => call(app, `DELETE ${path()}/${id}`, { token: by });
    assert.equal((await revoke(token_id, cast.adam)).status, 403);
    assert.equal((await revoke(own.token_id, cast.alice)).status, 404);
    assert.equal((await revoke(foreign.token_id, cast.alice)).status, 404);
    assert.equal((await call(app, "GET /api/v1/me", { token })).status, 200);
    assert.equal((await revoke(token_id, cast.alice)).status, 200);
    assert.equal((await call(app, "GET /api/v1/me", { token })).status, 401);
    assert.equal((await revoke(token_id, cast.alice)).status, 404);
    assert.equal((await call(app, "GET /api/v1/me", { token: foreign.token })).status, 200);
  });
});
