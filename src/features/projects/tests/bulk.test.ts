import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { rows, sql } from "../../../db/sql.ts";
import { call, restrict } from "../../../http/tests/support.ts";
import { createProject, insertServer, openStage, readProject, type Stage } from "./support.ts";

let stage: Stage;
let group: number;
before(async () => {
  stage = await openStage();
  const body = { name: "Shops" };
  group = (await call(stage.app, "POST /api/v1/project-groups", { token: stage.cast.alice, body })).body.data.id;
});
after(() => stage.close());

const bulk = (body: object, token = stage.cast.alice) => call(stage.app, "PUT /api/v1/projects/bulk", { token, body });
const labels = async (id: number) => {
  const { project_group_id, environment } = await readProject(stage, id);
  return [project_group_id, environment];
};

describe("the group and the environment of many projects", () => {
  test("are set together or alone, and announced for each project", async () => {
    const ids = [await createProject(stage), await createProject(stage)] as const;
    await stage.pool.query("delete from events");
    const both = await bulk({ project_ids: [...ids, ids[0]], project_group_id: group, environment: "staging" });
    assert.deepEqual(both.body, { status: "success", updated_count: 2 });
    const events = await rows<{ project_id: number }>(
      stage.pool,
      sql`select project_id from events where name = 'project.updated' order by project_id`,
    );
    assert.deepEqual(
      events.map((event) => event.project_id),
      ids,
    );
    assert.deepEqual(await Promise.all(ids.map(labels)), [
      [group, "staging"],
      [group, "staging"],
    ]);
    await bulk({ project_ids: [ids[0]], environment: null });
    await bulk({ project_ids: [ids[1]], project_group_id: null });
    assert.deepEqual(await Promise.all(ids.map(labels)), [
      [group, null],
      [null, "staging"],
    ]);
  });

  test("are set in all or in none: what is out of reach does not exist", async () => {
    const { pool, cast } = stage;
    const elsewhere = { ...stage, serverId: await insertServer(pool, cast.organizationId) };
    const [ours, theirs] = [await createProject(stage), await createProject(elsewhere)];
    await restrict(pool, "Bob", cast.organizationId, { servers: [stage.serverId] });
    try {
      for (const other of [theirs, 987_654]) {
        const refused = await bulk({ project_ids: [ours, other], environment: "dev" }, cast.bob);
        assert.equal(refused.status, 404);
        assert.equal(refused.body.message, `Project ${other} was not found. Nothing was changed.`);
      }
      assert.deepEqual(await labels(ours), [null, null]);
      assert.deepEqual((await bulk({ project_ids: [ours], environment: "dev" }, cast.charlie)).status, 404);
    } finally {
      await pool.query("update memberships set restricted = false");
    }
  });

  test("are refused without anything to set, with a group that is not there, and by viewers", async () => {
    const id = await createProject(stage);
    const errors = async (body: object) => Object.keys((await bulk(body)).body.errors).sort();
    assert.deepEqual(await errors({ project_ids: [id] }), ["environment"]);
    assert.deepEqual(await errors({ project_ids: [id], project_group_id: 987_654 }), ["project_group_id"]);
    assert.deepEqual(await errors({ project_ids: [], environment: "test" }), ["environment", "project_ids"]);
    const many = Array.from({ length: 1_001 }, (_, at) => at + 1);
    assert.deepEqual(await errors({ project_ids: many, environment: "dev" }), ["project_ids"]);
    assert.equal((await bulk({ project_ids: [id], environment: "dev" }, stage.cast.victor)).status, 403);
    assert.deepEqual(await labels(id), [null, null]);
  });
});

describe("a deletion that is tried out", () => {
  test("deletes nothing, and lists what would be lost", async () => {
    const { cast, pool, app } = stage;
    const id = await createProject(stage);
    const { primary_domain: domain } = await readProject(stage, id);
    await pool.query(sql`
      insert into databases (server_id, project_id, database_type, database_name, username, password, status)
      values (${stage.serverId}, ${id}, 'mariadb', 'shop', 'shop', '', 1)
    `);
    await pool.query(sql`
      insert into monitors (organization_id, project_id, type, target, name, url, method, interval_seconds, timeout_seconds)
      select ${cast.organizationId}, ${id}, 'http', 'project', 'watch ' || n, 'https://a.example/', 'GET', 60, 10
      from generate_series(1, 30) n
    `);
    const entries = () => rows(pool, sql`select id from audit_log`);
    const before = (await entries()).length;
    const { status, body } = await call(app, `DELETE /api/v1/project/${id}?dry_run=1`, { token: cast.alice });
    assert.equal(status, 200);
    const losses = new Map(body.plan.lost.map((each: { noun: string }) => [each.noun, each]));
    assert.deepEqual(losses.get("domain"), { noun: "domain", count: 1, names: [domain], bytes: null });
    assert.deepEqual(losses.get("database"), { noun: "database", count: 1, names: ["shop"], bytes: null });
    assert.deepEqual(losses.get("deployment"), { noun: "deployment", count: 1, names: [], bytes: null });
    const monitors = losses.get("monitor") as { count: number; names: string[] };
    assert.deepEqual([monitors.count, monitors.names.length, monitors.names[0]], [30, 10, "watch 1"]);
    assert.ok(!losses.has("scheduler_job") && !losses.has("certificate"));
    assert.equal((await readProject(stage, id)).id, id);
    assert.equal((await entries()).length, before);
    assert.equal((await call(app, `DELETE /api/v1/project/${id}?dry_run=1`, { token: cast.charlie })).status, 404);
    assert.equal((await call(app, `DELETE /api/v1/project/${id}?dry_run=1`, { token: cast.victor })).status, 403);
    assert.equal((await call(app, `DELETE /api/v1/project/${id}?dry_run=yes`, { token: cast.alice })).status, 422);
    const deleted = await call(app, `DELETE /api/v1/project/${id}?dry_run=0`, { token: cast.alice });
    assert.deepEqual([deleted.status, deleted.body.plan], [200, undefined]);
    assert.equal((await readProject(stage, id)).status, "error");
    assert.equal((await entries()).length, before + 1);
  });
});

describe("availability", () => {
  const ask = async (query: string, token = stage.cast.alice) =>
    (await call(stage.app, `GET /api/v1/projects/availability?${query}`, { token })).body;

  test("of a name and of a domain", async () => {
    const id = await createProject(stage, { name: "Taken" });
    const { primary_domain: domain } = await readProject(stage, id);
    const free = await ask("name=Free&domain=FREE.example.com");
    assert.deepEqual(free.data.name, { value: "Free", is_available: true, reason: null });
    assert.deepEqual(free.data.domain, { value: "free.example.com", is_available: true, reason: null });
    const taken = await ask(`name=Taken&domain=${domain}`, stage.cast.charlie);
    assert.equal(taken.data.name.is_available, true, "Names are the organization's.");
    assert.match(taken.data.domain.reason, /belongs to another project/);
    assert.equal((await ask("name=Taken")).data.name.is_available, false);
    assert.equal((await ask("name=Taken")).data.domain, null);
  });

  test("of what no project can have", async () => {
    for (const domain of ["localhost", "*.example.com", "https://example.com", "192.0.2.1"]) {
      const { is_available: isAvailable, reason } = (await ask(`domain=${encodeURIComponent(domain)}`)).data.domain;
      assert.deepEqual([isAvailable, typeof reason], [false, "string"], domain);
    }
    for (const name of ["%20", "a%0Ab", "x".repeat(101)])
      assert.equal((await ask(`name=${name}`)).data.name.is_available, false);
    assert.deepEqual((await ask("")).data, { name: null, domain: null });
  });
});
