import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import { sh } from "../../../host/sh.ts";
import { listMarks } from "../../reconcile/marks.ts";
import { createRunningRun, createServer, recordingKind, report } from "../../tests/support.ts";
import { applying, applyingAll, plan, step } from "../plan.ts";
import type { Run } from "../queries.ts";
import { settleEnd } from "../store.ts";

const site = { kind: "site", subject: "project", subjectId: 7 } as const;
const unit = { ...site, kind: "unit" };
const pair = [step("site", "Site", sh`echo site`), step("check", "Check", sh`echo check`)];
const steps = [
  applying(unit, step("unit", "Unit", sh`echo unit`, { undo: sh`echo undo` }), "u1"),
  ...applyingAll(site, pair, "s1"),
];
const publication = plan("test", steps, { pointOfNoReturn: "check" });

let database: TestDatabase;
let serverId: number;
let run: Run;
const kinds = new Map([["test", recordingKind()]]);
const marks = async () => Object.fromEntries(await listMarks(database.pool, site, serverId));
const store = (...records: string[]) => report({ pool: database.pool, kinds }, run, ...records);
const begin = async () => {
  run = await createRunningRun(database.pool, serverId, publication);
};
const allDone = [0, 1, 2].flatMap((at) => [`step ${at} 1000`, `done ${at} 0 1 1001`]);

before(async () => {
  database = await testDatabase();
});
after(() => database.drop());
beforeEach(async () => {
  serverId = await createServer(database.pool);
  await begin();
});

describe("the state that a step brings", () => {
  it("is recorded with the report of its success, and for several steps with that of the last", async () => {
    await store("step 0 1000", "done 0 0 1 1001", "step 1 1002", "done 1 0 1 1003");
    assert.deepEqual(await marks(), { unit: "u1" });
    await store("step 2 1004");
    assert.deepEqual(await marks(), { unit: "u1" });
    await store("done 2 0 1 1005");
    assert.deepEqual(await marks(), { unit: "u1", site: "s1" });
  });

  it("is recorded only if the report is", async () => {
    const failing = { ...recordingKind(), onEnded: () => Promise.reject(new Error("no room")) };
    const storing = report(
      { pool: database.pool, kinds: new Map([["test", failing]]) },
      run,
      ...allDone,
      "end succeeded 1",
    );
    await assert.rejects(storing, /no room/);
    assert.deepEqual(await marks(), {});
  });

  describe("when another run changes it", () => {
    beforeEach(async () => {
      await store(...allDone, "end succeeded 1002");
      await begin();
    });

    it("is unknown from the beginning of the step to its success", async () => {
      await store("step 0 1000", "done 0 0 1 1001", "step 1 1002");
      assert.deepEqual(await marks(), { unit: "u1" });
      await store("done 1 1 1 1003");
      assert.deepEqual(await marks(), { unit: "u1" });
    });

    it("is unknown after the step was undone", async () => {
      await store("step 0 1000", "done 0 0 1 1001", "undo 0 1002", "undone 0 0 1003", "end failed 1004");
      assert.deepEqual(await marks(), { site: "s1" });
    });

    it("stays when its step was skipped", async () => {
      await store("step 0 1000", "done 0 1 1 1001", "end failed 1002");
      assert.deepEqual(await marks(), { site: "s1" });
    });

    it("is unknown when the run ended without its report", async () => {
      await store("step 0 1000", "done 0 0 1 1001");
      await settleEnd({ pool: database.pool, kinds }, run, { state: "stalled", error: "It is gone." });
      assert.deepEqual(await marks(), { unit: "u1" });
    });

    it("is unknown when the run was cancelled before the report", async () => {
      await database.pool.query("update runs set cancel_requested_at = now() where id = $1", [run.id]);
      await store(...allDone);
      assert.deepEqual(await marks(), {});
    });
  });
});
