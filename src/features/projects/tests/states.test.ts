import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "../../../db/sql.ts";
import { call, tokenOf } from "../../../http/tests/support.ts";
import {
  addProject,
  addProvisioned,
  deploy,
  deployed,
  dispatch,
  finishRun,
  makeNode,
  openStage,
  type Stage,
} from "../../deployments/tests/support.ts";

// What the record of a project shows of its deployments, its server and its processes.

let stage: Stage;
let server: number;
let project: number;

before(async () => {
  stage = await openStage();
});
after(() => stage.close());

const read = async (id = project, token = stage.cast.alice) =>
  (await call(stage.app, `GET /api/v1/projects/${id}`, { token })).body;
const state = async () => (await read()).state;
const change = (line: string, body?: object) => call(stage.app, line, { token: stage.cast.alice, body });

/** A server that is connected, with a project that was never deployed. */
async function begin(): Promise<void> {
  server = await addProvisioned(stage);
  project = await addProject(stage.pool, server);
  await stage.pool.query(sql`update servers set connection_status = 1 where id = ${server}`);
  await stage.pool.query(sql`update projects set installation_status = 0 where id = ${project}`);
}

describe("the state of a project", () => {
  it("follows its deployments", async () => {
    await begin();
    assert.equal(await state(), "not_installed");
    const [first] = (await deploy(stage, project)) as [number];
    assert.equal(await state(), "waiting");
    await dispatch(stage, server);
    assert.equal(await state(), "deploying");
    const [second] = (await deploy(stage, project)) as [number];
    assert.equal(await state(), "deploying");
    await finishRun(stage, first, "failed");
    assert.notEqual(await state(), "failed");
    await dispatch(stage, server);
    await finishRun(stage, second, "failed");
    assert.equal(await state(), "failed");
    await deployed(stage, project, server);
    assert.equal(await state(), "live");
    await deployed(stage, project, server, "failed");
    assert.equal(await state(), "failed");
    await deployed(stage, project, server, "cancelled");
    assert.equal(await state(), "failed");
    await deployed(stage, project, server);
    assert.equal(await state(), "live");
  });

  it("is what matters most of what applies", async () => {
    await begin();
    await deployed(stage, project, server);
    await deployed(stage, project, server, "failed");
    await stage.pool.query(sql`update sites set maintenance_mode = true where project_id = ${project}`);
    assert.equal(await state(), "in_maintenance");
    await stage.pool.query(sql`
      insert into process_watches (project_id, server_id, checked_at, counts, recent, last_restart_at, looping_since, restarts, last_lines)
      values (${project}, ${server}, now(), '{}', '[]', now(), now(), 5, '{}')
    `);
    assert.equal(await state(), "crashing");
    const [id] = (await deploy(stage, project)) as [number];
    assert.equal(await state(), "waiting");
    await dispatch(stage, server);
    assert.equal(await state(), "deploying");
    await stage.pool.query(sql`update servers set connection_status = 0 where id = ${server}`);
    assert.equal(await state(), "unreachable");
    await finishRun(stage, id, "succeeded", { commit: "a".repeat(40) });
    assert.equal(await state(), "unreachable");
  });

  it("of an app follows its installation", async () => {
    await begin();
    const app = (status: number) =>
      stage.pool.query(sql`
        update projects set source_type = 'app', repository = null, repository_type = null, installation_status = ${status}
        where id = ${project}
      `);
    for (const [status, expected] of [
      [0, "deploying"],
      [2, "failed"],
      [1, "live"],
    ] as const) {
      await app(status);
      assert.equal(await state(), expected);
    }
  });
});

describe("the record of a project", () => {
  it("names server, framework, address and deployments", async () => {
    await begin();
    const before = await read();
    assert.deepEqual([before.live_deployment, before.last_deployment, before.certificate], [null, null, null]);
    assert.deepEqual(before.monitors, { up: 0, down: 0 });
    const live = await deployed(stage, project, server, "succeeded", "b".repeat(40));
    const failed = await deployed(stage, project, server, "failed");
    const record = await read();
    assert.deepEqual([record.live_deployment.id, record.live_deployment.commit_id], [live, "b".repeat(40)]);
    assert.deepEqual([record.last_deployment.id, record.last_deployment.status], [failed, 2]);
    assert.equal(record.server.id, server);
    assert.equal(record.framework.id, record.framework_id);
    assert.equal(typeof record.framework.label, "string");
    assert.equal(record.url, `http://${record.primary_domain}`);
    const { data } = (await change("GET /api/v1/projects?per_page=100")).body;
    const listed = data.find((each: { id: number }) => each.id === project);
    assert.deepEqual(listed, Object.fromEntries(Object.entries(record).filter(([name]) => name !== "status")));
  });

  it("has https once a certificate is served", async () => {
    await begin();
    await stage.pool.query(sql`update sites set ssl_is_enabled = true where project_id = ${project}`);
    assert.match((await read()).url, /^http:/);
    await stage.pool.query(sql`insert into certificates (project_id) values (${project})`);
    const pending = await read();
    assert.deepEqual(pending.certificate, { status: 0, expires_at: null });
    assert.match(pending.url, /^http:/);
    await stage.pool.query(sql`
      update certificates set status = 1, version = 1, server_id = ${server}, not_before = now(), not_after = '2031-05-06'
      where project_id = ${project}
    `);
    const active = await read();
    assert.deepEqual(active.certificate, { status: 1, expires_at: "2031-05-06" });
    assert.match(active.url, /^https:/);
    await stage.pool.query(sql`update sites set ssl_is_enabled = false where project_id = ${project}`);
    assert.match((await read()).url, /^http:/);
  });

  it("counts monitors for those who may read them", async () => {
    await begin();
    await stage.pool.query(sql`
      insert into monitors (organization_id, project_id, type, target, name, url, method, interval_seconds, timeout_seconds,
        current_status, last_status_changed_at, is_active)
      select ${stage.cast.organizationId}, ${project}, 'http', 'project', 'watch', 'https://shop.example.com/', 'GET', 60, 10,
        status, now(), is_active
      from (values ('up', true), ('up', true), ('down', true), ('pending', true), ('pending', false)) watched(status, is_active)
    `);
    assert.deepEqual((await read()).monitors, { up: 2, down: 1 });
    assert.equal((await read(project, await tokenOf(stage.pool, "Alice", "project:read"))).monitors, null);
  });

  it("tells whether the next deployment has changes to apply", async () => {
    await begin();
    await makeNode(stage, project);
    const pending = async () => (await read()).has_pending_changes;
    await change(`PUT /api/v1/projects/${project}`, { custom_commands: { build: "make" } });
    assert.equal(await pending(), false);
    await deployed(stage, project, server);
    assert.equal(await pending(), false);
    await change(`PUT /api/v1/projects/${project}`, {
      notes: "x",
      environment: "dev",
      custom_commands: { build: "make" },
    });
    assert.equal(await pending(), false);
    await change(`PUT /api/v1/projects/${project}`, { custom_commands: { build: "make all" } });
    assert.equal(await pending(), true);
    await deployed(stage, project, server, "failed");
    assert.equal(await pending(), true);
    await deployed(stage, project, server);
    assert.equal(await pending(), false);
    const environment = (text: string) =>
      change(`PUT /api/v1/projects/${project}/environment-variables`, { environment_variables: text });
    await environment("A=1\n");
    assert.equal(await pending(), true);
    await deployed(stage, project, server);
    assert.equal(await pending(), false);
    await environment("A=1\n");
    assert.equal(await pending(), false);
    await change(`DELETE /api/v1/projects/${project}/environment-variables/A`);
    assert.equal(await pending(), true);
  });

  it("is pinned for the account alone", async () => {
    await begin();
    const pin = async (method: string, token: string) =>
      (await call(stage.app, `${method} /api/v1/projects/${project}/pin`, { token })).body.is_pinned;
    assert.equal(await pin("POST", stage.cast.victor), true);
    assert.equal(await pin("POST", stage.cast.victor), true);
    assert.deepEqual([(await read(project, stage.cast.victor)).is_pinned, (await read()).is_pinned], [true, false]);
    assert.equal(await pin("DELETE", stage.cast.alice), false);
    assert.equal((await read(project, stage.cast.victor)).is_pinned, true);
    assert.equal(await pin("DELETE", stage.cast.victor), false);
    assert.equal((await read(project, stage.cast.victor)).is_pinned, false);
    const stranger = await call(stage.app, `POST /api/v1/projects/${project}/pin`, { token: stage.cast.charlie });
    assert.equal(stranger.status, 404);
  });
});
