import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { row, rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { targetRunKind } from "../../../engine/reconcile/apply.ts";
import { endRun, type Run } from "../../../engine/runs/queries.ts";
import { advanceAll, reconcileAll } from "../../../engine/tests/engines.ts";
import { workflowRunKinds } from "../../../engine/workflow/runs.ts";
import { dispatch } from "../../deployments/starting.ts";
import { moveTargets, moveWorkflows } from "../../moves/jobs.ts";
import { addServer, openStage, type Stage } from "./support.ts";

let stage: Stage;
let east: number;
let west: number;
let project: number;

before(async () => {
  stage = await openStage();
  west = await addServer(stage);
});
after(() => stage.close());

let names = 0;

async function install(slug: string): Promise<number> {
  names += 1;
  east = await addServer(stage);
  const body = { name: `App ${names}`, domain: `app-${names}.example.com`, server_id: east, app_slug: slug };
  const { id } = (await stage.ask("POST /api/v1/projects/install", body)).body.data;
  await stage.ctx.pool.query(sql`
    with placement as (update placements set is_prepared = true, live_release_id = 3 where project_id = ${id})
    update projects set installation_status = 1, app_version = '6.8.5'
    where id = ${id}`);
  return id;
}

// WordPress that was installed at the third attempt.
beforeEach(async () => {
  project = await install("app_cms");
  const { pool, secrets } = stage.ctx;
  await pool.query(sql`
    with made as (
      insert into databases (server_id, project_id, database_type, database_name, username, password, status)
      values (${east}, ${project}, 'mariadb', ${`cms_${project}`}, ${`cms_${project}`}, ${secrets.encrypt("anchors-aweigh")}, 1)
      returning id)
    update app_installations set database_id = (select id from made), last_release = 3 where project_id = ${project}`);
});

const requestMove = (serverId = west, id = project) =>
  stage.ask(`POST /api/v1/projects/${id}/move`, { server_id: serverId });

const workflows = () => moveWorkflows(stage.ctx);
const targets = () => moveTargets(stage.ctx);

const runKinds = () => [
  ...workflows().flatMap((kind) => workflowRunKinds(stage.ctx, kind)),
  ...targets().map((kind) => targetRunKind(stage.ctx, kind)),
];

/** Does what the jobs of moves do, until only servers are waited for. */
async function proceed(): Promise<void> {
  await advanceAll(stage.ctx, workflows());
  await reconcileAll(stage.ctx, targets());
}

const runsOf = (id: number) =>
  rows<Run>(stage.ctx.pool, sql`select * from runs where kind like 'move%' and subject_id = ${id} order by id`);

async function endIt(runId: number, outcome: "succeeded" | "failed"): Promise<void> {
  await transaction(stage.ctx.pool, async (tx) => {
    const run = await endRun(tx, runId, { state: outcome, error: outcome === "failed" ? "It went wrong." : null });
    if (run)
      await runKinds()
        .find(({ kind }) => kind === run.kind)
        ?.onEnded(tx, run, outcome);
  });
  await proceed();
}

/** Ends the runs of a move until the run of this plan is under way; returns that run. */
async function comesTo(id: number, plan: string): Promise<Run> {
  await dispatch(stage.ctx, [west]);
  await proceed();
  for (;;) {
    const run = (await runsOf(id)).find(({ ended_at: ended }) => ended === null);
    assert.ok(run, `${plan} comes`);
    if (run.plan.kind === plan) return run;
    await endIt(run.id, "succeeded");
  }
}

const projectRow = () =>
  row<object>(
    stage.ctx.pool,
    sql`
      select pl.server_id, live_release_id, live_deployment_id, app_version
      from projects join placements pl on pl.project_id = id and pl.role = 'own' where id = ${project}`,
  );

describe("a request to move an application", () => {
  it("is accepted, and queues a move without a commit that holds the database's name", async () => {
    const { status, body } = await requestMove();
    assert.equal(status, 202, JSON.stringify(body));
    const queued = await row(
      stage.ctx.pool,
      sql`select process_type, commit_id, git_branch from deployments where id = ${body.deployment_id}`,
    );
    assert.deepEqual(queued, { process_type: "move", commit_id: null, git_branch: "" });
    const held = await row(
      stage.ctx.pool,
      sql`select database_name from databases where server_id = ${west} and held_for = ${body.deployment_id}`,
    );
    assert.deepEqual(held, { database_name: `cms_${project}` });
  });

  it("is refused where the server cannot host it", async () => {
    const refusals: [server: Parameters<typeof addServer>[1], sentence: RegExp][] = [
      [{ engine: "none" }, /needs MariaDB; .* has no database engine/],
      [{ engine: "postgresql" }, /needs MariaDB; .* has PostgreSQL/],
      [{ type: 1 }, /is not an App server/],
      [{ status: 1 }, /setup of .* has not ended/],
    ];
    for (const [fields, sentence] of refusals) {
      const { status, body } = await requestMove(await addServer(stage, fields));
      assert.equal(status, 422);
      assert.match(body.errors.server_id, sentence);
    }
  });

  it("asks for an engine also where no database comes along", async () => {
    const adminer = await install("app_dbadmin");
    const { body } = await requestMove(await addServer(stage, { engine: "none" }), adminer);
    assert.match(body.errors.server_id, /Adminer needs MariaDB or PostgreSQL/);
    assert.equal((await requestMove(await addServer(stage, { engine: "postgresql" }), adminer)).status, 202);
  });

  it("asks for no engine where none is needed", async () => {
    const flows = await install("node-red");
    assert.equal((await requestMove(await addServer(stage, { engine: "none" }), flows)).status, 202);
  });

  it("is refused while it is installed or updated, and without its database", async () => {
    const change = async (statement: string, sentence: RegExp) => {
      await stage.ctx.pool.query(statement, [project]);
      const { status, body } = await requestMove();
      assert.equal(status, 422);
      assert.match(body.message, sentence);
    };
    await change("update projects set installation_status = 2 where id = $1", /not installed/);
    await change("update projects set installation_status = 0 where id = $1", /not installed/);
    await stage.ctx.pool.query(sql`update projects set installation_status = 1 where id = ${project}`);
    await change(
      "update app_installations set update_state = 'running', update_version = '7.0' where project_id = $1",
      /being updated/,
    );
    await stage.ctx.pool.query(sql`
      update app_installations set update_state = 'succeeded', update_ended_at = now() where project_id = ${project}`);
    await change("update databases set project_id = null where project_id = $1", /does not belong to the project/);
  });

  it("keeps updates away from when it is queued on", async () => {
    await requestMove();
    const { status, body } = await stage.ask(`POST /api/v1/projects/${project}/app/update`);
    assert.equal(status, 422);
    assert.match(body.message, /being moved/);
  });
});

describe("a recycle of an application", () => {
  it("is refused while it is updated, and is not run again when it failed", async () => {
    const ghost = await install("ghost");
    const { pool } = stage.ctx;
    const recycle = () => stage.ask(`POST /api/v1/projects/${ghost}/recycle`);
    await pool.query(sql`
      update app_installations set update_state = 'running', update_version = '6.70.0' where project_id = ${ghost}`);
    const refused = await recycle();
    assert.deepEqual(
      [refused.status, refused.body.message],
      [422, "Ghost is being updated. Wait for the end of that."],
    );
    await pool.query(sql`
      update app_installations set update_state = 'succeeded', update_ended_at = now() where project_id = ${ghost}`);
    const { status, body } = await recycle();
    assert.equal(status, 202, JSON.stringify(body));
    await pool.query(sql`
      update deployments set status = 2, started_at = now(), ended_at = now() where id = ${body.deployment_id}`);
    const again = await stage.ask(`POST /api/v1/deployments/${body.deployment_id}/rerun`);
    assert.equal(again.status, 422);
    assert.match(again.body.message, /not run again: recycle it again/);
  });
});

describe("a move of an application", () => {
  it("builds nothing: its release comes along and stays the one that is live", async () => {
    const id = (await requestMove()).body.deployment_id;
    const finishing = await comesTo(id, "move-finishing");
    const kinds = (await runsOf(id)).map(({ plan }) => plan.kind);
    assert.deepEqual(kinds, ["move-opening", "move-copying", "move-holding", "move-finishing"]);
    const keys = finishing.plan.steps.map(({ key }) => key);
    const order = ["copy-shared-files", "check-wordpress", "activate", "verify-served", "check-pages"];
    assert.deepEqual(
      keys.filter((key) => order.includes(key)),
      order,
    );
    await endIt(finishing.id, "succeeded");
    assert.deepEqual(await projectRow(), {
      server_id: west,
      live_release_id: 3,
      live_deployment_id: null,
      app_version: "6.8.5",
    });
    const { database } = (await stage.ask(`GET /api/v1/projects/${project}/app`)).body.data;
    assert.deepEqual([database.name, database.password], [`cms_${project}`, "anchors-aweigh"]);
  });

  it("has its secrets as files of the run that finishes it, and in no plan", async () => {
    const id = (await requestMove()).body.deployment_id;
    const finishing = await comesTo(id, "move-finishing");
    const kind = runKinds().find((each) => each.kind === finishing.kind);
    const secrets = await kind?.secrets?.(finishing);
    assert.match(String(secrets?.files["wp-config"]), /anchors-aweigh/);
    const plans = (await runsOf(id)).map(({ plan }) => JSON.stringify(plan)).join("\n");
    assert.doesNotMatch(plans, /anchors-aweigh/);
  });

  it("that fails leaves it where it was", async () => {
    const id = (await requestMove()).body.deployment_id;
    const before = await projectRow();
    await endIt((await comesTo(id, "move-finishing")).id, "failed");
    assert.deepEqual(await projectRow(), before);
    const under = (await runsOf(id)).filter(({ ended_at: ended }) => ended === null);
    assert.deepEqual(
      under.map(({ plan, server_id: server }) => [plan.kind, server]),
      [
        ["move-releasing", east],
        ["move-undoing", west],
      ],
    );
  });
});
