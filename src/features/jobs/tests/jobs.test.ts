import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { targetRunKind } from "../../../engine/reconcile/apply.ts";
import { findTarget } from "../../../engine/reconcile/queries.ts";
import { endRun, type Run } from "../../../engine/runs/queries.ts";
import { reconcileAll } from "../../../engine/tests/engines.ts";
import { completeSteps } from "../../../engine/tests/support.ts";
import { call, type Reply } from "../../../http/tests/support.ts";
import {
  addProject,
  addProvisioned,
  deploy,
  deployed,
  dispatch,
  findRow,
  finishRun,
  openStage,
  type Stage,
  startRuns,
} from "../../deployments/tests/support.ts";
import { jobTargets } from "../jobs.ts";
import { jobsKind } from "../schema.ts";

let stage: Stage;
let serverId: number;
/** Deployed, and its server has none of its jobs. */
let projectId: number;

before(async () => {
  stage = await openStage();
  serverId = await addProvisioned(stage);
});

beforeEach(async () => {
  projectId = await addProject(stage.pool, serverId);
  await deployed(stage, projectId, serverId);
  // As the run of that deployment would have reported about the preparation.
  await stage.pool.query("update placements set is_prepared = true where project_id = $1", [projectId]);
});

after(() => stage?.close());

const ask = (line: string, body?: object): Promise<Reply> =>
  call(stage.app, line, { token: stage.cast.alice, ...(body && { body }) });

const pathOf = (kind: string, id?: number) =>
  `/api/v1/projects/${projectId}/${kind}-jobs${id === undefined ? "" : `/${id}`}`;

const nightly = { name: "Nightly", cron_expression: "30 4 * * *", command: "make backup" };
const worker = { name: "Worker", command: "node work.js", processes: 2 };

async function add(kind: "scheduler" | "background", body: object): Promise<number> {
  const reply = await ask(`POST ${pathOf(kind)}`, body);
  assert.equal(reply.status, 201, reply.text);
  return reply.body.data.id;
}

const read = async (kind: string, id: number) => (await ask(`GET ${pathOf(kind, id)}`)).body.data;

const stateOf = async (kind: string, id: number): Promise<[string, string | null]> => {
  const { status, error } = await read(kind, id);
  return [status, error];
};

/** The runs of the project's jobs, once the engine has begun the one that is due. */
async function runsOf(): Promise<Run[]> {
  await reconcileAll(stage.ctx, jobTargets(stage.ctx));
  return rows(stage.pool, sql`select * from runs where kind = 'jobs' and subject_id = ${projectId} order by id`);
}

const scriptOf = (run: Run | undefined): string => run?.plan.steps[0]?.script ?? "";

/** Ends the newest run of the project's jobs, as its follower does. */
async function endNewest(
  outcome: "succeeded" | "failed" = "succeeded",
  { facts = {}, error = null }: { facts?: Record<string, string>; error?: string | null } = {},
): Promise<void> {
  const newest = (await runsOf()).at(-1);
  assert.ok(newest && newest.ended_at === null, "There is a run to end.");
  const [kind] = jobTargets(stage.ctx);
  await transaction(stage.pool, async (tx) => {
    await tx.query("update runs set facts = $2 where id = $1", [newest.id, JSON.stringify(facts)]);
    if (outcome === "succeeded") await completeSteps(tx, newest.id);
    else await tx.query("update run_steps set status = 'failed', started_at = now() where run_id = $1", [newest.id]);
    const run = await endRun(tx, newest.id, { state: outcome, error });
    if (run && kind) await targetRunKind(stage.ctx, kind).onEnded(tx, run, outcome);
  });
}

describe("the five endpoints", () => {
  test("take every expression that cron takes, with the next time at which cron runs it", async () => {
    const next = async (cron_expression: string) => {
      const { status, body, text } = await ask(`POST ${pathOf("scheduler")}`, { ...nightly, cron_expression });
      assert.equal(status, 201, text);
      await ask(`DELETE ${pathOf("scheduler", body.data.id)}`);
      return new Date(body.data.next_run_at);
    };
    assert.equal((await next("7-12/70 * * * *")).getUTCMinutes(), 7);
    const hours = await next("5 */25 * * *");
    assert.deepEqual([hours.getUTCHours(), hours.getUTCMinutes()], [0, 5]);
    assert.equal((await next("0 0 */33 * *")).getUTCDate(), 1);
    assert.equal((await next("0 0 1 */14 *")).getUTCMonth(), 0);
    assert.equal((await next("0 0 * * */10")).getUTCDay(), 0);
    const third = await next("0 6 15-21 * */7");
    assert.ok(third.getUTCDay() === 0 && third.getUTCDate() >= 15 && third.getUTCDate() <= 21, third.toISOString());
  });

  test("create, list, read, change and delete scheduled jobs", async () => {
    const reply = await ask(`POST ${pathOf("scheduler")}`, { ...nightly, cron_expression: " 30 4 * *  MON " });
    assert.equal(reply.status, 201, reply.text);
    const { id, created_at, updated_at, next_run_at, sync, ...rest } = reply.body.data;
    assert.equal(sync.state, "pending");
    assert.deepEqual(rest, {
      project_id: projectId,
      name: "Nightly",
      cron_expression: "30 4 * * mon",
      command: "make backup",
      user: `project-${projectId}`,
      is_active: true,
      status: "pending",
      error: null,
    });
    assert.match(next_run_at, /T04:30:00\.000000Z$/);
    assert.ok(created_at && updated_at);
    const page = await ask(`GET ${pathOf("scheduler")}?per_page=1`);
    assert.deepEqual([page.body.total_items, page.body.per_page, page.body.data[0].id], [1, 1, id]);
    const changed = await ask(`PUT ${pathOf("scheduler", id)}`, { is_active: 0 });
    assert.deepEqual([changed.status, changed.body.data.is_active, changed.body.data.next_run_at], [200, false, null]);
    assert.equal(changed.body.data.command, "make backup", "what is omitted stays");
    assert.equal((await ask(`DELETE ${pathOf("scheduler", id)}`)).status, 200);
    assert.equal((await ask(`GET ${pathOf("scheduler", id)}`)).status, 404);
    assert.equal((await ask(`GET ${pathOf("scheduler")}?page=9`)).body.total_items, 0);
  });

  test("create, list, read, change and delete background jobs", async () => {
    const id = await add("background", { name: "Worker", command: "node work.js" });
    const { cron_expression, processes, user } = await read("background", id);
    assert.deepEqual([cron_expression, processes, user], [undefined, 1, `project-${projectId}`]);
    const changed = await ask(`PUT ${pathOf("background", id)}`, { processes: 32, name: "Queue" });
    assert.deepEqual([changed.body.data.processes, changed.body.data.name], [32, "Queue"]);
    assert.equal((await ask(`GET ${pathOf("background")}`)).body.data.length, 1);
    assert.equal((await ask(`DELETE ${pathOf("background", id)}`)).status, 200);
    assert.equal((await ask(`GET ${pathOf("background", id)}`)).status, 404);
  });

  test("know jobs of their own kind and project only", async () => {
    const id = await add("background", worker);
    for (const line of ["GET", "PUT", "DELETE"]) {
      assert.equal((await ask(`${line} ${pathOf("scheduler", id)}`, line === "PUT" ? {} : undefined)).status, 404);
    }
    const other = await addProject(stage.pool, serverId);
    assert.equal((await ask(`GET /api/v1/projects/${other}/background-jobs/${id}`)).status, 404);
  });

  test("name everything that is wrong", async () => {
    const bad = { name: "", command: " ", cron_expression: "61 * * * *", user: "root", is_active: "maybe" };
    const scheduled = await ask(`POST ${pathOf("scheduler")}`, bad);
    assert.equal(scheduled.status, 422);
    assert.deepEqual(Object.keys(scheduled.body.errors).sort(), [
      "command",
      "cron_expression",
      "is_active",
      "name",
      "user",
    ]);
    assert.match(scheduled.body.errors.user, new RegExp(`own user, project-${projectId}`));
    for (const processes of [0, 33, 1.5, "2"]) {
      const reply = await ask(`POST ${pathOf("background")}`, { ...worker, processes });
      assert.deepEqual([reply.status, Object.keys(reply.body.errors)], [422, ["processes"]]);
    }
    const long = await ask(`POST ${pathOf("background")}`, { ...worker, command: "x".repeat(10_001) });
    assert.deepEqual(Object.keys(long.body.errors), ["command"]);
    const own = await ask(`POST ${pathOf("background")}`, { ...worker, user: `project-${projectId}` });
    assert.equal(own.status, 201, "the project's own user may be named");
    assert.equal((await runsOf()).length, 1);
  });

  test("end at 50 of a kind", async () => {
    for (let n = 0; n < 50; n++) await add("scheduler", nightly);
    const reply = await ask(`POST ${pathOf("scheduler")}`, nightly);
    assert.deepEqual([reply.status, Object.keys(reply.body)], [422, ["status", "message"]]);
    await add("background", worker);
  });

  test("notify listeners", async () => {
    const id = await add("background", worker);
    await endNewest();
    const events = await rows<{ data: { id: number } }>(
      stage.pool,
      sql`select data from events where project_id = ${projectId} and name = 'job.updated'`,
    );
    assert.deepEqual(
      events.map(({ data }) => data.id),
      [id, id],
    );
  });
});

describe("the server follows the rows", () => {
  test("by one run, whose end reports that a job is active", async () => {
    const scheduled = await add("scheduler", nightly);
    await endNewest();
    assert.deepEqual(await stateOf("scheduler", scheduled), ["active", null]);
    const target = await findTarget(stage.pool, { ...jobsKind, subjectId: projectId, serverId });
    assert.ok(target?.appliedMark, "the server's state is known");
  });

  test("with another run when they changed while one was under way", async () => {
    const first = await add("scheduler", nightly);
    await runsOf();
    const second = await add("background", worker);
    assert.equal((await runsOf()).length, 1, "one at a time");
    await endNewest();
    assert.deepEqual(await stateOf("scheduler", first), ["pending", null], "it was about other rows");
    const [, following] = await runsOf();
    assert.match(scriptOf(following), /node work\.js/);
    await endNewest();
    assert.deepEqual(await stateOf("scheduler", first), ["active", null]);
    assert.deepEqual(await stateOf("background", second), ["active", null]);
    assert.equal((await runsOf()).length, 2);
  });

  test("reports why a process does not run", async () => {
    const id = await add("background", worker);
    const sentence = "The process ended right after its start with exit code 1; the job's log says why.";
    await endNewest("succeeded", { facts: { [`job_${id}`]: sentence } });
    assert.deepEqual(await stateOf("background", id), ["failed", sentence]);
  });

  test("reports why it could not and when that is retried, and does so", async () => {
    const old = await add("scheduler", nightly);
    await endNewest();
    const id = await add("background", worker);
    await endNewest("failed", { error: "The server's disk is full." });
    assert.deepEqual(await stateOf("background", id), ["failed", "The server's disk is full."]);
    assert.deepEqual(await stateOf("scheduler", old), ["active", null], "what it had runs on");
    const { sync } = await read("background", id);
    assert.deepEqual([sync.state, sync.error], ["failing", "The server's disk is full."]);
    assert.ok(Date.parse(sync.retry_at) > Date.now());
    await endNewest();
    assert.deepEqual(await stateOf("background", id), ["active", null]);
    assert.deepEqual((await read("background", id)).sync.state, "applied");
    assert.equal((await runsOf()).length, 3);
  });

  test("does at once what failed when it is requested again", async () => {
    const id = await add("background", worker);
    await endNewest("failed", { error: "The server's disk is full." });
    await ask(`PUT ${pathOf("background", id)}`, {});
    assert.deepEqual(await stateOf("background", id), ["pending", null]);
    const { sync } = await read("background", id);
    assert.deepEqual([sync.state, sync.retry_at], ["pending", null]);
  });

  test("gets what changed during an attempt that failed, and no failure about it", async () => {
    const id = await add("scheduler", nightly);
    await runsOf();
    const later = await add("background", worker);
    await endNewest("failed", { error: "The server's disk is full." });
    assert.deepEqual(await stateOf("scheduler", id), ["pending", null]);
    assert.match(scriptOf((await runsOf()).at(-1)), /node work\.js/);
    await endNewest();
    assert.deepEqual(await stateOf("background", later), ["active", null]);
  });

  test("of a project that left it is not changed any more", async () => {
    await add("background", worker);
    await runsOf();
    const elsewhere = await addProvisioned(stage);
    await stage.pool.query(
      `with placement as (update placements set server_id = $2 where project_id = $1)
       update projects set server_id = $2 where id = $1`,
      [projectId, elsewhere],
    );
    await endNewest("failed", { error: "It is busy." });
    assert.equal((await runsOf()).length, 1);
    assert.equal((await rows(stage.pool, sql`select 1 from targets where subject_id = ${projectId}`)).length, 0);
  });

  test("receives nothing about a new name", async () => {
    const id = await add("scheduler", nightly);
    await endNewest();
    await ask(`PUT ${pathOf("scheduler", id)}`, { name: "Another" });
    assert.deepEqual(await stateOf("scheduler", id), ["active", null]);
    assert.equal((await runsOf()).length, 1);
  });

  test("loses what is switched off or deleted", async () => {
    const id = await add("background", worker);
    await endNewest();
    await ask(`PUT ${pathOf("background", id)}`, { is_active: false });
    await endNewest();
    assert.deepEqual(await stateOf("background", id), ["inactive", null]);
    await ask(`DELETE ${pathOf("background", id)}`);
    const script = scriptOf((await runsOf()).at(-1));
    assert.ok(!script.includes("node work.js"));
    await endNewest();
    assert.equal((await runsOf()).length, 3);
  });

  test("is not updated any more for a project that is gone", async () => {
    await add("background", worker);
    await runsOf();
    assert.equal((await ask(`DELETE /api/v1/project/${projectId}`)).status, 200);
    assert.ok((await runsOf())[0]?.cancel_requested_at);
    await endNewest();
    assert.equal((await runsOf()).length, 1);
  });
});

describe("deployments", () => {
  test("bring the jobs that came before the first of them", async () => {
    projectId = await addProject(stage.pool, serverId);
    const id = await add("background", worker);
    assert.equal((await runsOf()).length, 0);
    const run = await ask(`POST ${pathOf("background", id)}/restart`);
    assert.match(run.body.message, /not installed on its server yet/);
    await deployed(stage, projectId, serverId, "failed");
    assert.equal((await runsOf()).length, 0, "there is no release that they could run");
    await stage.pool.query("update placements set is_prepared = true where project_id = $1", [projectId]);
    await deployed(stage, projectId, serverId);
    assert.match(scriptOf((await runsOf())[0]), /node work\.js/);
  });

  const keysOf = async (deploymentId: number): Promise<string[]> => {
    const { run_id: runId } = await findRow(stage, deploymentId);
    const query = sql`select key from run_steps where run_id = ${runId} order by position`;
    return (await rows<{ key: string }>(stage.pool, query)).map(({ key }) => key);
  };

  /** Begins a deployment and records how far its steps came. */
  async function begun(done: readonly string[]): Promise<number> {
    const [id] = (await deploy(stage, projectId)) as [number];
    await dispatch(stage, serverId);
    await startRuns(stage);
    const { run_id: runId } = await findRow(stage, id);
    await stage.pool.query(
      "update run_steps set status = 'completed', started_at = now() where run_id = $1 and key = any($2)",
      [runId, done],
    );
    return id;
  }

  test("restart background jobs once the release was seen to be served", async () => {
    assert.ok(!(await keysOf(await deployedId())).includes("restart-jobs"), "none are there");
    await add("background", worker);
    await endNewest();
    const id = await begun(["activate", "restart-jobs"]);
    const keys = await keysOf(id);
    assert.ok(keys.indexOf("restart-jobs") > keys.indexOf("verify-served"));
    await finishRun(stage, id, "succeeded");
    assert.equal((await runsOf()).length, 1, "there is nothing left to be done");
  });

  const deployedId = () => deployed(stage, projectId, serverId);

  test("leave alone what is switched off, and scheduled jobs, which look for the live release themselves", async () => {
    await add("scheduler", nightly);
    await add("background", { ...worker, is_active: false });
    await endNewest("failed", { error: "away" });
    const id = await begun([]);
    assert.ok(!(await keysOf(id)).includes("restart-jobs"));
    await finishRun(stage, id, "failed");
  });

  test("record what became of a job that they restarted", async () => {
    const jobId = await add("background", worker);
    await endNewest();
    const id = await begun(["activate", "restart-jobs"]);
    await finishRun(stage, id, "succeeded", { [`job_${jobId}`]: "The process ended right after its start." });
    assert.deepEqual(await stateOf("background", jobId), ["failed", "The process ended right after its start."]);
  });

  test("are followed by a look at the processes when jobs came meanwhile, or the release was put back", async () => {
    const meanwhile = await begun(["activate"]);
    await add("background", worker);
    await endNewest();
    await finishRun(stage, meanwhile, "succeeded");
    assert.equal((await runsOf()).length, 2);
    await endNewest();
    const putBack = await begun(["activate"]);
    await finishRun(stage, putBack, "failed");
    assert.equal((await runsOf()).length, 3);
    await endNewest();
    const early = await begun(["fetch-source"]);
    await finishRun(stage, early, "failed");
    assert.equal((await runsOf()).length, 3, "it had changed nothing that runs");
  });
});
