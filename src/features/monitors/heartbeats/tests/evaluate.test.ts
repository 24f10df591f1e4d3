import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { digestOf } from "../../../accounts/tokens.ts";
import { eventsOf, intervalsOf } from "../../tests/support.ts";
import { intakeGapSeconds } from "../pings.ts";
import { recordIntake } from "../queries.ts";
import { writePings } from "../reports.ts";
import type { PingKind } from "../schema.ts";
import {
  addHeartbeat,
  age,
  evaluate,
  evaluateDue,
  type Heartbeat,
  liveProject,
  openStage,
  type Stage,
  stored,
} from "./support.ts";

let stage: Stage;
let projectId: number;
let heartbeat: Heartbeat;

before(async () => {
  stage = await openStage();
  projectId = await liveProject(stage);
});

beforeEach(async () => {
  await stage.pool.query("delete from heartbeat_gaps");
  await stage.pool.query("update heartbeat_intake set alive_at = now()");
  heartbeat = await addHeartbeat(stage, projectId);
});

after(() => stage?.close());

const report = async (kind: PingKind, exitStatus: number | null = null, body: string | null = null) => {
  const digest = digestOf(heartbeat.token).toString("hex");
  await writePings(stage.pool, [{ digest, kind, exitStatus, durationMs: 2_000, run: "", body }]);
};

/** As many evaluations in a row. */
const evaluateTimes = async (count: number): Promise<string> => {
  for (let at = 1; at < count; at++) await evaluate(stage, heartbeat.id);
  return evaluate(stage, heartbeat.id);
};

const messages = async () =>
  (await eventsOf(stage, heartbeat.id)).map(({ status, message }) => `${status}: ${message}`);

describe("a heartbeat", () => {
  test("is pending, without notices, until a report is due", async () => {
    assert.equal(await evaluate(stage, heartbeat.id), "pending");
    assert.deepEqual(await messages(), []);
  });

  test("is up at the first report of success, before it is due", async () => {
    await evaluate(stage, heartbeat.id);
    await report("success", 0);
    await evaluateDue(stage);
    assert.equal((await stored(stage, heartbeat.id)).current_status, "up");
    assert.deepEqual(await messages(), ["up: The job reported success."]);
  });

  test("is down after as many failed evaluations as its threshold", async () => {
    await report("success", 0);
    await evaluate(stage, heartbeat.id);
    await report("fail", 3, "disk full\n");
    assert.equal(await evaluateTimes(2), "up");
    assert.equal(await evaluate(stage, heartbeat.id), "down");
    assert.equal((await messages()).at(-1), "down: The job ended with exit status 3 after 2 s.");
    const [, outage] = await eventsOf(stage, heartbeat.id);
    assert.deepEqual([outage?.context.exit_status, outage?.context.output], [3, "disk full\n"]);
    assert.equal(await evaluateTimes(3), "down", "an outage is one event");
    assert.equal((await messages()).length, 2);
  });

  test("is up again when a report arrives, which ends the outage", async () => {
    await report("fail");
    await evaluateTimes(3);
    await report("success", 0);
    await evaluateDue(stage);
    assert.equal((await stored(stage, heartbeat.id)).current_status, "up");
    const [outage] = await eventsOf(stage, heartbeat.id);
    assert.ok(outage?.resolved_at);
    assert.deepEqual(
      (await intervalsOf(stage, heartbeat.id)).map(({ state }) => state),
      ["down", "up"],
    );
  });

  test("resets the failure count at a success", async () => {
    await report("fail");
    await evaluateTimes(2);
    await report("success");
    await evaluateDue(stage);
    await report("fail");
    assert.equal(await evaluateTimes(2), "up");
  });

  test("is down from the time when its report became late", async () => {
    await report("success");
    await evaluate(stage, heartbeat.id);
    await age(stage, heartbeat.id, 600);
    assert.equal(await evaluateTimes(3), "down");
    assert.match((await messages()).at(-1) ?? "", /^down: No report has arrived since .*; one was expected at /);
    const { expected_at, late_at, last_report_at } = (await eventsOf(stage, heartbeat.id)).at(-1)?.context ?? {};
    for (const time of [expected_at, late_at, last_report_at]) assert.match(String(time), /\.\d{6}Z$/);
  });

  test("is down when it never reported", async () => {
    await age(stage, heartbeat.id, 600);
    assert.equal(await evaluateTimes(3), "down");
    assert.match((await messages()).at(-1) ?? "", /^down: No report has arrived; one was expected at /);
  });

  test("names a run that has not ended", async () => {
    await report("success");
    await evaluate(stage, heartbeat.id);
    await report("start");
    await age(stage, heartbeat.id, 600);
    await stage.pool.query(
      "update monitors set last_started_at = last_started_at + interval '1 second' where id = $1",
      [heartbeat.id],
    );
    await evaluateTimes(3);
    assert.match((await messages()).at(-1) ?? "", /The run that started at .* has not ended\.$/);
  });

  test("shows no value of the project's environment", async () => {
    const { ctx } = stage;
    await stage.pool.query("update projects set environment_variables = $2 where id = $1", [
      projectId,
      ctx.secrets.encrypt("API_KEY=correct-horse-battery"),
    ]);
    await report("fail", 1, "cannot sign in with correct-horse-battery");
    await evaluateTimes(3);
    const [event] = await eventsOf(stage, heartbeat.id);
    assert.ok(!JSON.stringify(event).includes("correct-horse"), JSON.stringify(event));
    await stage.pool.query("update projects set environment_variables = null where id = $1", [projectId]);
  });
});

describe("no report is expected", () => {
  const isHeld = async () => {
    await age(stage, heartbeat.id, 600);
    assert.equal(await evaluateTimes(4), "up");
    assert.equal((await intervalsOf(stage, heartbeat.id)).at(-1)?.state, "unobserved");
  };

  beforeEach(async () => {
    await report("success");
    await evaluate(stage, heartbeat.id);
  });

  test("while the job is switched off", async () => {
    await stage.pool.query("update project_jobs set is_active = false where id = $1", [heartbeat.jobId]);
    await isHeld();
    await stage.pool.query("update project_jobs set is_active = true where id = $1", [heartbeat.jobId]);
    assert.equal(await evaluateTimes(3), "up", "a report is expected from now on");
    assert.equal((await intervalsOf(stage, heartbeat.id)).at(-1)?.state, "up");
  });

  test("before the server has the job", async () => {
    await stage.pool.query("update project_jobs set status = 'pending' where id = $1", [heartbeat.jobId]);
    await isHeld();
  });

  test("in maintenance mode", async () => {
    await stage.pool.query("update sites set maintenance_mode = true where project_id = $1", [projectId]);
    await isHeld();
    await stage.pool.query("update sites set maintenance_mode = false where project_id = $1", [projectId]);
  });
});

describe("the first report, while none is expected yet", () => {
  const hold = (status: string) =>
    stage.pool.query("update project_jobs set status = $2 where id = $1", [heartbeat.jobId, status]);
  const pass = (seconds: number) => age(stage, heartbeat.id, seconds);

  beforeEach(async () => {
    heartbeat = await addHeartbeat(stage, projectId, { schedule: "0 0 1 1 *" });
    await hold("pending");
    assert.equal(await evaluate(stage, heartbeat.id), "pending");
  });

  test("of a success counts as soon as the server has the job", async () => {
    await report("success", 0);
    assert.equal(await evaluate(stage, heartbeat.id), "pending");
    const { due_at: dueAt } = await stored(stage, heartbeat.id);
    assert.ok(Date.parse(dueAt ?? "") < Date.now() + 10_000, "it is evaluated again soon");
    await pass(3_600);
    assert.equal(await evaluate(stage, heartbeat.id), "pending");
    await hold("active");
    assert.equal(await evaluate(stage, heartbeat.id), "up");
    assert.deepEqual(await messages(), ["up: The job reported success."]);
  });

  test("of a failure counts, too", async () => {
    await report("fail", 4);
    await evaluate(stage, heartbeat.id);
    await pass(120);
    await hold("active");
    assert.equal(await evaluateTimes(3), "down");
    assert.deepEqual(await messages(), ["down: The job ended with exit status 4 after 2 s."]);
  });

  test("makes no later report due at once", async () => {
    heartbeat = await addHeartbeat(stage, projectId);
    await hold("pending");
    await report("success", 0);
    await pass(86_400);
    await evaluate(stage, heartbeat.id);
    await hold("active");
    assert.equal(await evaluateTimes(4), "up", "the time in which none was expected does not count");
  });

  test("does not count if it arrived before the heartbeat was switched off", async () => {
    await report("success", 0);
    await pass(600);
    const { pool } = stage;
    const settings = await stored(stage, heartbeat.id);
    const { updateMonitorRow } = await import("../../queries.ts");
    const kept = { url: null, method: null, expectedStatus: null, intervalSeconds: null, timeoutSeconds: null };
    const own = { name: "Nightly", isActive: true, threshold: 3, expectedPeriodSeconds: null, graceSeconds: null };
    await updateMonitorRow(pool, heartbeat.id, { ...kept, ...own }, { isReset: true, isOtherCheck: false });
    await hold("active");
    assert.equal(await evaluate(stage, heartbeat.id), "pending", JSON.stringify(settings));
  });
});

describe("while no process receives reports", () => {
  const away = (seconds: number) =>
    stage.pool.query("update heartbeat_intake set alive_at = now() - $1 * interval '1 second'", [seconds]);

  test("nothing is evaluated", async () => {
    await age(stage, heartbeat.id, 600);
    await away(60);
    const { claimDueHeartbeats } = await import("../queries.ts");
    assert.deepEqual(await claimDueHeartbeats(stage.pool, 10, { leaseSeconds: 60, gapSeconds: intakeGapSeconds }), []);
  });

  test("a report that was due is not missed: the heartbeat stays up", async () => {
    await report("success");
    await evaluate(stage, heartbeat.id);
    await age(stage, heartbeat.id, 3_600);
    await away(3_590);
    assert.equal(await evaluateTimes(5), "up");
    assert.equal((await messages()).length, 1);
    const { due_at: dueAt } = await stored(stage, heartbeat.id);
    assert.ok(Date.parse(dueAt ?? "") > Date.now() + 30_000, "the next report has its whole time");
  });

  test("reports that were missed before and after still count", async () => {
    await report("success");
    await evaluate(stage, heartbeat.id);
    await age(stage, heartbeat.id, 7_200);
    await away(3_600);
    await recordIntake(stage.pool, intakeGapSeconds);
    assert.equal(await evaluateTimes(3), "down");
  });
});
