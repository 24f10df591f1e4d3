import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import { changed, sql } from "../../../db/sql.ts";
import { appOn, type Cast, call, contextOn, createCast } from "../../../http/tests/support.ts";
import { adminMember } from "../../accounts/admin.ts";
import { organizationRoutes } from "../../organizations/routes.ts";
import { auditLogRoutes } from "../routes.ts";

let database: TestDatabase;
let cast: Cast;
let app: FastifyInstance;

const createsToken = "POST /api/v1/me/tokens";

before(async () => {
  database = await testDatabase();
  cast = await createCast(database.pool);
  app = appOn(contextOn(database.pool), [...organizationRoutes, ...auditLogRoutes]);
  await call(app, createsToken, { token: cast.bob, body: { name: "Bob's secret name", permissions: ["*"] } });
  await call(app, `PUT ${organization()}`, { token: cast.alice, body: { name: "Acme" } });
  await call(app, `PUT ${organization()}/members/${cast.userIds.bob}`, { token: cast.alice, body: { role: "Viewer" } });
  await call(app, "POST /api/v1/organizations", { token: cast.charlie, body: { name: "Elsewhere" } });
});

after(async () => {
  await app?.close();
  await database?.drop();
});

const organization = () => `/api/v1/organizations/${cast.organizationId}`;
const read = (query = "", token = cast.alice) => call(app, `GET ${organization()}/audit-log${query}`, { token });
const actions = async (query = "") =>
  (await read(query)).body.data.map(({ action }: { action: string }) => action) as string[];

const renames = "PUT /api/v1/organizations/:id";
const changesMember = "PUT /api/v1/organizations/:id/members/:userId";

describe("the audit log", () => {
  test("shows the newest change of the organization first, and none of another", async () => {
    assert.deepEqual(await actions(), [changesMember, renames, createsToken]);
    const [entry] = (await read()).body.data;
    assert.equal(entry.user_email, "alice@example.com");
    assert.equal(entry.ip, "127.0.0.1");
    assert.deepEqual(entry.subjects, [`organization:${cast.organizationId}`, `user:${cast.userIds.bob}`]);
    assert.deepEqual(entry.fields, ["role"]);
    assert.match(entry.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  test("names what was created, and holds no value and no secret", async () => {
    const { body } = await read(`?action=${encodeURIComponent(createsToken)}`);
    // What it is called now is not a part of the entry.
    const { subject_names, ...entry } = body.data[0];
    assert.deepEqual(subject_names, { [entry.subjects[0]]: "Bob's secret name" });
    assert.match(entry.subjects.join(), /^token:\d+$/);
    assert.doesNotMatch(JSON.stringify(entry), /secret name|lsh_/);
  });

  test("names the program as it named itself, in words that cannot be anything else", async () => {
    const client = async (header: string) => {
      const headers = { "x-longshore-client": header };
      await call(app, `PUT ${organization()}`, { token: cast.alice, body: { name: "Acme" }, headers });
      return (await read()).body.data[0].client;
    };
    assert.deepEqual(await client("cli/longshore/0.3.0"), { kind: "cli", name: "longshore", version: "0.3.0" });
    assert.deepEqual(await client("console/longshore/0.3.0"), { kind: "api", name: "longshore", version: "0.3.0" });
    assert.deepEqual(await client(`cli/${"x".repeat(5_000)}`), { kind: "api", name: null, version: null });
    await changed(database.pool, sql`update audit_log set client = null where action = ${renames}`);
    assert.equal((await read(`?action=${encodeURIComponent(renames)}`)).body.data[0].client, null);
    await changed(
      database.pool,
      sql`delete from audit_log where id in (
      select id from audit_log where action = ${renames} order by id desc limit 3)`,
    );
  });

  test("is filtered by action, user, subject and time", async () => {
    assert.deepEqual(await actions(`?action=${encodeURIComponent(renames)}`), [renames]);
    assert.deepEqual(await actions(`?user_id=${cast.userIds.bob}`), [createsToken]);
    assert.deepEqual(await actions(`?subject=user:${cast.userIds.bob}`), [changesMember]);
    await changed(
      database.pool,
      sql`update audit_log set created_at = '2026-03-01T10:00:00Z' where action = ${renames}`,
    );
    assert.deepEqual(await actions("?from=2026-03-01T10:00:00Z&to=2026-03-01T10:00:01Z"), [renames]);
    assert.deepEqual(await actions("?to=2026-03-01T10:00:00Z"), []);
    assert.deepEqual(await actions(`?from=2026-03-01&user_id=${cast.userIds.bob}`), [createsToken]);
  });

  test("refuses filters that cannot be", async () => {
    for (const [query, field] of [
      ["?from=tomorrow", "from"],
      ["?to=2026-99-99", "to"],
      ["?user_id=bob", "user_id"],
    ]) {
      const { status, body } = await read(query);
      assert.deepEqual([status, Object.keys(body.errors)], [422, [field]], query);
    }
  });

  test("comes in pages", async () => {
    const { body } = await read("?per_page=2&page=2");
    assert.deepEqual(
      [body.current_page, body.per_page, body.total_pages, body.total_items, body.data.length],
      [2, 2, 2, 3, 1],
    );
  });

  test("is read on from an entry, also while others are added", async () => {
    const first = (await read("?per_page=2")).body;
    assert.deepEqual([first.data.length, first.total_items], [2, 3]);
    const second = (await read(`?per_page=2&page=7&before=${first.next_before}`)).body;
    assert.deepEqual([second.data.length, second.total_items, second.next_before], [1, 3, null]);
    assert.equal((await read("?before=0")).status, 422);
  });

  test("is searched for a text, in any case", async () => {
    assert.deepEqual(await actions("?q=MEMBERS"), [changesMember]);
    assert.deepEqual(await actions("?q=bob@"), [createsToken]);
    assert.deepEqual(await actions(`?q=user:${cast.userIds.bob}`), [changesMember]);
    assert.deepEqual(await actions("?q=%25"), []);
    assert.equal((await actions("?q=")).length, 3);
    const { body } = await read("?q=organizations&per_page=1");
    assert.deepEqual([body.total_items, body.data.length], [2, 1]);
    assert.equal((await read(`?q=organizations&before=${body.next_before}`)).body.data.length, 1);
  });

  test("names subjects and tokens as they are called now", async () => {
    const [entry] = (await read(`?action=${encodeURIComponent(changesMember)}`)).body.data;
    assert.deepEqual(entry.subject_names, {
      [`organization:${cast.organizationId}`]: "Acme",
      [`user:${cast.userIds.bob}`]: "Bob",
    });
    assert.equal(entry.token_name, "Alice's token");
  });

  test("is downloaded as a whole, as lines of JSON or as CSV without formulas", async () => {
    await database.pool.query(
      sql`insert into audit_log (organization_id, user_email, action, summary, fields, request_id)
        select ${cast.organizationId}, '=cmd|/C calc!A0', 'POST /api/v1/deployments', 'Deploy "it", now', '{a,b}', 'r'
        from generate_series(1, 2500)`,
    );
    const ndjson = await read("?format=ndjson");
    assert.match(String(ndjson.headers["content-type"]), /ndjson/);
    const entries = ndjson.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual([entries.length, new Set(entries.map(({ id }) => id)).size], [2503, 2503]);
    assert.deepEqual(Object.keys(entries[0]), Object.keys((await read("?per_page=1")).body.data[0]));
    const csv = await read("?format=csv");
    assert.match(String(csv.headers["content-disposition"]), /audit-log\.csv/);
    const [header, line, ...others] = csv.text.trimEnd().split("\r\n");
    assert.match(header ?? "", /^"id","user_id","user_email"/);
    assert.match(line ?? "", /,"'=cmd\|\/C calc!A0",.*"Deploy ""it"", now",.*"a b"/);
    assert.equal(others.length, 2502);
    assert.equal((await read("?format=csv&q=members")).text.trimEnd().split("\r\n").length, 2);
    assert.equal((await read("?format=pdf")).status, 422);
    assert.equal((await read("?format=csv", cast.bob)).status, 403);
    await database.pool.query("delete from audit_log where request_id = 'r'");
  });

  test("is for those who manage the organization and reach everything in it", async () => {
    assert.equal((await read("", cast.adam)).status, 200);
    assert.equal((await read("", cast.bob)).status, 403);
    assert.equal((await read("", cast.victor)).status, 403);
    assert.equal((await read("", cast.charlie)).status, 404);
    await adminMember(
      { pool: database.pool },
      { email: "adam@example.com", organization: String(cast.organizationId), role: "Admin", servers: [] },
    );
    assert.equal((await read("", cast.adam)).status, 403);
  });
});
