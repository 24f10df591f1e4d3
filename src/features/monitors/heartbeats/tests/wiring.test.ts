import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { rows, sql } from "../../../../db/sql.ts";
import { transaction } from "../../../../db/transaction.ts";
import { targetRunKind } from "../../../../engine/reconcile/apply.ts";
import { endRun, type Run } from "../../../../engine/runs/queries.ts";
import { reconcileAll } from "../../../../engine/tests/engines.ts";
import { call, type Reply } from "../../../../http/tests/support.ts";
import { jobTargets } from "../../../jobs/jobs.ts";
import { insertJob } from "../../../jobs/queries.ts";
import { rewireJobs } from "../wiring.ts";
import { liveProject, openStage, type Stage } from "./support.ts";

let stage: Stage;
let projectId: number;
let jobId: number;

before(async () => {
  stage = await openStage({ publicUrl: "https://panel.example.com/" });
});

beforeEach(async () => {
  projectId = await liveProject(stage);
  const job = { name: "Nightly", command: "true", cron_expression: "30 4 * * *", processes: null, is_active: true };
  jobId = await insertJob(stage.pool, projectId, "scheduled", job);
});

after(() => stage?.close());

const ask = (line: string, body?: object): Promise<Reply> =>
  call(stage.app, line, { token: stage.cast.alice, ...(body && { body }) });

const addHeartbeat = (): Promise<Reply> =>
  ask("POST /api/v1/monitors", {
    type: "heartbeat",
    name: "Nightly",
    monitorable_type: "App\\Models\\SchedulerJob",
    monitorable_id: jobId,
  });

/** The runs of the project's jobs, once the engine has begun the one that is due. */
async function runs(): Promise<Run[]> {
  await reconcileAll(stage.ctx, jobTargets(stage.ctx));
  return rows(stage.pool, sql`select * from runs where kind = 'jobs' and subject_id = ${projectId} order by id`);
}

const newestRun = async (): Promise<Run | undefined> => (await runs()).at(-1);

/** What the server gets: the steps, which are visible in the run's record, and the secrets. */
async function givenToServer(): Promise<{ script: string; files: Record<string, string> }> {
  const run = await newestRun();
  assert.ok(run, "There is a run.");
  const [kind] = jobTargets(stage.ctx);
  const secrets = kind && (await targetRunKind(stage.ctx, kind).secrets?.(run));
  return {
    script: run.plan.steps[0]?.script ?? "",
    files: Object.fromEntries(Object.entries(secrets?.files ?? {}).map(([name, text]) => [name, String(text)])),
  };
}

/** Does the work of the server. */
async function obey(): Promise<void> {
  const newest = await newestRun();
  const [kind] = jobTargets(stage.ctx);
  assert.ok(newest && kind, "There is a run.");
  await transaction(stage.pool, async (tx) => {
    const run = await endRun(tx, newest.id, { state: "succeeded", error: null });
    if (run) await targetRunKind(stage.ctx, kind).onEnded(tx, run, "succeeded");
  });
}

describe("a heartbeat of a job", () => {
  test("gives its server the address as a secret, not in a script", async () => {
    const made = await addHeartbeat();
    assert.equal(made.status, 201, made.text);
    const url: string = made.body.data.ping_url;
    assert.match(url, /^https:\/\/panel\.example\.com\/ping\/[0-9A-Za-z]{40}$/);
    const { script, files } = await givenToServer();
    assert.deepEqual(files, { [`report-${jobId}`]: url });
    assert.ok(script.includes(`report-job started ${projectId}-${jobId}`));
    assert.ok(!JSON.stringify(await newestRun()).includes(url.slice(-40)));
    const job = await ask(`GET /api/v1/projects/${projectId}/scheduler-jobs/${jobId}`);
    assert.equal(job.body.data.status, "pending", "the server has to be changed");
    assert.ok(!job.text.includes(url.slice(-40)));
  });

  test("is the only one of its job", async () => {
    await addHeartbeat();
    const second = await addHeartbeat();
    assert.deepEqual([second.status, Object.keys(second.body.errors)], [422, ["monitorable_id"]]);
  });

  test("removes its address and its events when it is deleted", async () => {
    const { id } = (await addHeartbeat()).body.data;
    await stage.pool.query("insert into monitor_events (monitor_id, status, message) values ($1, 'down', 'x')", [id]);
    await obey();
    assert.equal((await ask(`DELETE /api/v1/monitors/${id}`)).status, 200);
    const { script, files } = await givenToServer();
    assert.deepEqual(files, {});
    assert.ok(!script.includes("report-job started"));
    assert.equal((await rows(stage.pool, sql`select 1 from monitor_events where monitor_id = ${id}`)).length, 0);
  });

  test("gets a new address with the installation", async () => {
    await addHeartbeat();
    await obey();
    const { signal } = new AbortController();
    await rewireJobs(stage.ctx, signal);
    assert.equal((await runs()).length, 1, "nothing has changed");
    const moved = { ...stage.ctx, config: { ...stage.ctx.config, publicUrl: "https://new.example.com" } };
    await rewireJobs(moved, signal);
    assert.equal((await runs()).length, 2);
    assert.match((await givenToServer()).files[`report-${jobId}`] ?? "", /^https:\/\/new\.example\.com\/ping\//);
  });

  test("shows the last report, without values of the project's environment", async () => {
    const { id } = (await addHeartbeat()).body.data;
    await stage.pool.query("update projects set environment_variables = $2 where id = $1", [
      projectId,
      stage.ctx.secrets.encrypt("API_KEY=correct-horse-battery"),
    ]);
    assert.equal((await ask(`GET /api/v1/monitors/${id}`)).body.data.last_ping, null);
    await stage.pool.query(
      `update monitors set last_ping_at = now(), last_ping_kind = 'fail', last_ping_exit_status = 2,
         last_ping_body = 'no access with correct-horse-battery' where id = $1`,
      [id],
    );
    const { last_ping: ping } = (await ask(`GET /api/v1/monitors/${id}`)).body.data;
    assert.deepEqual([ping.kind, ping.exit_status], ["fail", 2]);
    assert.match(ping.body, /^no access with (?!correct)/);
  });
});
