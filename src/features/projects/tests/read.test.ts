import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { row, rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { Worker } from "../../../engine/queue/worker.ts";
import { targetRunKind } from "../../../engine/reconcile/apply.ts";
import { endRun, type Run } from "../../../engine/runs/queries.ts";
import { reconcileAll } from "../../../engine/tests/engines.ts";
import { call } from "../../../http/tests/support.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { deploymentJobs } from "../../deployments/jobs.ts";
import { removalKind, removalTarget } from "../removal.ts";
import { createProject, openStage, playServers, readProject, type Stage } from "./support.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
});

after(() => stage.close());

const get = (path: string, token = stage.cast.alice) => call(stage.app, `GET /api/v1/${path}`, { token });

describe("frameworks", () => {
  it("are ten, with the family, the defaults and the public directory of each", async () => {
    const { body } = await get("frameworks");
    assert.equal(body.status, "success");
    const families = body.data.map(({ id, name, runtime_family }: Record<string, unknown>) => [
      id,
      name,
      runtime_family,
    ]);
    const expected = ["php", "php", "php", "php", "node", "node", "node", "node", "static", "static"];
    assert.deepEqual(
      families,
      expected.map((family, at) => [at + 1, `fw_${at + 1}`, family]),
    );
    for (const { defaults, public_directory, zero_downtime, label } of body.data) {
      assert.deepEqual(Object.keys(defaults).toSorted(), ["build", "dev", "directory", "install"]);
      assert.deepEqual([typeof public_directory, typeof zero_downtime, typeof label], ["string", "boolean", "string"]);
    }
  });
});

describe("a project record", () => {
  it("has the types of the contract, odd ones included", async () => {
    const id = await createProject(stage, { custom_commands: { build: "make" } });
    const { status, ...project } = await readProject(stage, id);
    assert.equal(status, "success");
    assert.match(project.port, /^2\d{4}$/);
    assert.equal(project.maintenance_mode, false);
    assert.deepEqual([project.auto_deploy_is_active, project.ssl_is_enabled, project.www_redirect], [0, 0, 0]);
    assert.equal(project.installation_status, 0);
    assert.equal(project.custom_commands.build, "make");
    assert.deepEqual(Object.keys(project.custom_commands).toSorted(), [
      "build",
      "custom",
      "dev",
      "directory",
      "install",
    ]);
    assert.equal(project.primary_domain, project.domains[0].domain_name);
    assert.deepEqual([project.domains[0].is_primary, project.domains[0].is_active], [1, 1]);
    for (const time of [project.created_at, project.updated_at, project.domains[0].created_at]) {
      assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    }
  });
});

describe("the deployments of a project", () => {
  let id: number;

  before(async () => {
    id = await createProject(stage);
    await rows(
      stage.pool,
      sql`
        insert into deployments (organization_id, project_id, server_id, git_branch, description, status, started_at,
          ended_at)
        select organization_id, id, server_id, 'main', 'Number ' || n, 2, now(), now() + interval '61.9 seconds'
        from projects, generate_series(1, 20) n where id = ${id}
      `,
    );
  });

  it("come in pages of 15, the newest first", async () => {
    const { body } = await get(`projects/${id}/deployments`);
    const { data, ...envelope } = body;
    assert.deepEqual(envelope, { current_page: 1, per_page: 15, total_pages: 2, total_items: 21 });
    assert.equal(data.length, 15);
    assert.deepEqual(
      data.map((each: { id: number }) => each.id),
      data.map((each: { id: number }) => each.id).toSorted((one: number, other: number) => other - one),
    );
    assert.deepEqual(
      [data[0].description, data[0].duration, data[0].tenant_id],
      ["Number 20", 61, stage.cast.organizationId],
    );
  });

  it("are counted on a page past the end too", async () => {
    const { body } = await get(`projects/${id}/deployments?page=9`);
    assert.deepEqual([body.data, body.current_page, body.total_items], [[], 9, 21]);
  });

  it("do not exist for strangers", async () => {
    assert.equal((await get(`projects/${id}/deployments`, stage.cast.charlie)).status, 404);
    assert.equal((await get("projects/9007199254740991/deployments")).status, 404);
  });
});

describe("the list of projects", () => {
  it("is counted on a page past the end too, and counts for a stranger what is his", async () => {
    const first = (await get("projects")).body;
    const past = (await get("projects?page=50")).body;
    assert.deepEqual([past.data, past.total_items], [[], first.total_items]);
    assert.equal((await get("projects", stage.cast.charlie)).body.total_items, 0);
  });
});

describe("installation_status", () => {
  it("becomes 1 when the first deployment is live", async () => {
    const stopServers = await playServers(stage, () => ({}));
    const worker = new Worker(stage.ctx.queue, deploymentJobs(stage.ctx), stage.ctx.log);
    await worker.start(stage.ctx.listener);
    const id = await createProject(stage, { framework_id: 10 });
    const isInstalled = async () => ((await readProject(stage, id)).installation_status === 1 ? true : undefined);
    assert.ok(await pollUntil(isInstalled, { timeoutMs: 30_000, everyMs: 50 }));
    await worker.stop();
    await stopServers();
  });
});

describe("deleting a project", () => {
  it("deletes its deployments and domains, and orders what clears up the server", async () => {
    const id = await createProject(stage);
    const { status, body } = await call(stage.app, `DELETE /api/v1/project/${id}`, { token: stage.cast.alice });
    assert.deepEqual([status, body.status, body.project_id], [200, "success", id]);
    assert.equal((await get(`projects/${id}`)).status, 404);
    const left = await row<{ count: number }>(
      stage.pool,
      sql`select (select count(*) from deployments where project_id = ${id})
        + (select count(*) from domains where project_id = ${id}) as count`,
    );
    assert.equal(left?.count, 0);
    assert.equal((await removalsOf(id)).length, 1);
  });

  it("is removed from its server again until that succeeds, and of the removal nothing is left then", async () => {
    const id = await createProject(stage);
    await call(stage.app, `DELETE /api/v1/project/${id}`, { token: stage.cast.alice });
    for (const outcome of ["failed", "failed", "succeeded"] as const) {
      const last = (await removalsOf(id)).at(-1) ?? assert.fail();
      await transaction(stage.pool, async (tx) => {
        const error = outcome === "failed" ? "The disk is full." : null;
        const ended = await endRun(tx, last.id, { state: outcome, error });
        if (ended) await targetRunKind(stage.ctx, removalTarget).onEnded(tx, ended, outcome);
      });
    }
    assert.equal((await removalsOf(id)).length, 3);
    const left = await rows(
      stage.pool,
      sql`
        select 1 from targets where kind = ${removalKind.kind} and subject_id = ${id}
        union all select 1 from removals where project_id = ${id}
      `,
    );
    assert.deepEqual(left, []);
  });
});

/** The runs that remove a deleted project, after the engine has begun the due ones. */
async function removalsOf(id: number): Promise<Run[]> {
  await reconcileAll(stage.ctx, [removalTarget]);
  return rows<Run>(
    stage.pool,
    sql`select * from runs where kind = ${removalKind.kind} and subject_id = ${id} order by id`,
  );
}
