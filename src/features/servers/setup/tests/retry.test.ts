import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { transaction } from "../../../../db/transaction.ts";
import { endRun, findRunOf, insertRun, type StepChange, storePieces } from "../../../../engine/runs/queries.ts";
import { call } from "../../../../http/tests/support.ts";
import { claimFirstConnections } from "../../connecting/queries.ts";
import { setupKind } from "../../queries.ts";
import { rebootPlan } from "../../reboot.ts";
import { addServer, jobsIn, openStage, type Stage } from "../../tests/support.ts";

let stage: Stage;
let id: number;

before(async () => {
  stage = await openStage({ abandonAfterHours: "2" });
});
after(() => stage?.close());
beforeEach(async () => {
  id = await addServer(stage);
  await stage.pool.query("update servers set connect_at = null");
});

const retry = (token = stage.cast.alice) => call(stage.app, `POST /api/v1/servers/${id}/setup/retry`, { token });
const record = async (query = "") =>
  (await call(stage.app, `GET /api/v1/servers/${id}/setup-steps${query}`, { token: stage.cast.alice })).body.data;

const serverStatus = async () =>
  (await call(stage.app, `GET /api/v1/servers/${id}`, { token: stage.cast.alice })).body.data.server_status;

/** A setup of two steps, one of which failed; it ended as `state`, or is still running. */
async function addSetup(state?: "failed" | "succeeded" | "stalled"): Promise<number> {
  await stage.pool.query("update servers set server_status = 1 where id = $1", [id]);
  const runId = await insertRun(stage.pool, { serverId: id, ...setupKind, subjectId: id, plan: rebootPlan });
  const steps: StepChange[] = [
    { position: 0, status: "completed", exitCode: 0, durationMs: 40, startedAt: 1_000, finishedAt: 1_040 },
    {
      position: 1,
      status: "failed",
      exitCode: 1,
      detail: "No packages.",
      durationMs: 5,
      startedAt: 1_040,
      finishedAt: 1_045,
    },
  ];
  await transaction(stage.pool, async (tx) => {
    await storePieces(tx, [{ runId, from: 0, to: 1, facts: {}, output: [], steps }], { waits: true });
    if (state) await endRun(tx, runId, { state, error: state === "succeeded" ? null : "It gave up." });
  });
  return runId;
}

describe("the setup record", () => {
  it("is not recorded before the setup began, and reports why the server is not connected", async () => {
    await stage.pool.query("update servers set connection_error = 'No route.' where id = $1", [id]);
    const data = await record();
    assert.deepEqual(
      [data.recorded, data.state, data.error, data.summary.total],
      [false, "not_recorded", "No route.", 0],
    );
  });

  it("has its steps only when they are asked for", async () => {
    await addSetup("succeeded");
    const data = await record();
    assert.equal(data.state, "completed_with_failures");
    assert.equal("steps" in data, false);
    assert.deepEqual(data.summary, {
      total: 2,
      pending: 0,
      running: 0,
      completed: 1,
      failed: 1,
      skipped: 0,
      unreported: 0,
    });
    assert.equal(data.attention[0].detail, "No packages.");
    assert.deepEqual(
      data.slowest.map((step: { duration_ms: number }) => step.duration_ms),
      [40, 5],
    );
    for (const yes of ["true", "1"]) {
      const { steps } = await record(`?include_steps=${yes}`);
      assert.deepEqual(Object.keys(steps[0]).sort(), [
        "detail",
        "duration_ms",
        "finished_at",
        "key",
        "label",
        "phase",
        "started_at",
        "status",
        "status_label",
      ]);
    }
    assert.equal("steps" in (await record("?include_steps=false")), false);
  });
});

describe("a setup that reached its end", () => {
  it("completed with failures when a step failed, also when another one never reported", async () => {
    const runId = await addSetup("succeeded");
    await stage.pool.query("update run_steps set status = 'unreported' where run_id = $1 and position = 0", [runId]);
    assert.equal((await record()).state, "completed_with_failures");
    await stage.pool.query("update run_steps set status = 'completed' where run_id = $1 and position = 1", [runId]);
    assert.equal((await record()).state, "completed_with_gaps");
  });
});

describe("a retry of the setup", () => {
  it("runs the setup again that gave up or left failed steps", async () => {
    for (const [state, shown] of [
      ["failed", "failed"],
      ["stalled", "stalled"],
      ["succeeded", "completed_with_failures"],
    ] as const) {
      const former = await addSetup(state);
      if (state === "succeeded") await stage.pool.query("update servers set server_status = 10 where id = $1", [id]);
      assert.equal((await record()).state, shown);
      const reply = await retry();
      assert.equal(reply.status, 202);
      assert.equal(reply.body.server_id, id);
      const run = await findRunOf(stage.pool, setupKind, id);
      assert.ok(run && run.id > former);
      // Its plan is made when it starts, with the configuration at that time.
      assert.equal(run.plan.steps.length, 0);
      assert.ok((await jobsIn(stage.pool, "run")).some((job) => job.runId === run.id));
      assert.equal(await serverStatus(), 1);
      assert.deepEqual([(await record()).state, (await record()).error], ["running", null]);
      await transaction(stage.pool, (tx) => endRun(tx, run.id, { state: "failed", error: "Again." }));
    }
  });

  it("asked for twice at once is one", async () => {
    await addSetup("failed");
    const replies = await Promise.all([retry(), retry()]);
    assert.deepEqual(replies.map((reply) => reply.status).sort(), [202, 422]);
  });

  it("is refused while it runs, and once all of it has succeeded", async () => {
    const runId = await addSetup();
    assert.match((await retry()).body.message, /is still running/);
    await stage.pool.query("update run_steps set status = 'completed' where run_id = $1", [runId]);
    await transaction(stage.pool, (tx) => endRun(tx, runId, { state: "succeeded", error: null }));
    await stage.pool.query("update servers set server_status = 10 where id = $1", [id]);
    const reply = await retry();
    assert.equal(reply.status, 422);
    assert.match(reply.body.message, /has completed: there is nothing to retry/);
    assert.equal(await serverStatus(), 10);
  });

  it("resumes the attempts to connect, once they were given up", async () => {
    assert.equal((await retry()).status, 422);
    await stage.pool.query("update servers set connecting_since = now() - interval '121 minutes' where id = $1", [id]);
    assert.equal((await retry()).status, 202);
    const due = await claimFirstConnections(stage.pool, 100);
    assert.deepEqual(
      due.map((each) => each.id),
      [id],
    );
    assert.equal((await retry()).status, 422);
  });

  it("is for members, not for viewers or strangers", async () => {
    await addSetup("failed");
    assert.equal((await retry(stage.cast.victor)).status, 403);
    assert.equal((await retry(stage.cast.charlie)).status, 404);
    assert.equal((await retry(stage.cast.bob)).status, 202);
  });
});
