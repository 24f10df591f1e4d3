import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { sh } from "../../host/sh.ts";
import { fromTheStart, isPlanned, type Plan, plan, step, unplanned } from "../plan.ts";
import { findRun, insertRun, listRunSteps, startWithPlan } from "../queries.ts";
import { createServer, somePlan } from "./support.ts";

describe("a run that was created without a plan", () => {
  let database: TestDatabase;
  let serverId: number;

  before(async () => {
    database = await testDatabase();
    serverId = await createServer(database.pool);
  });

  after(() => database.drop());

  const create = () =>
    insertRun(database.pool, { serverId, kind: "test", subject: "server", subjectId: 1, plan: unplanned("test") });
  const other = plan("other", [step("other", "Other", sh`echo other`)], { pointOfNoReturn: fromTheStart });

  it("starts with one, and with it come its steps", async () => {
    const id = await create();
    assert.ok(!isPlanned((await findRun(database.pool, id))?.plan as Plan));
    assert.ok(await startWithPlan(database.pool, id, somePlan));
    const run = await findRun(database.pool, id);
    assert.deepEqual([run?.state, run?.plan], ["starting", somePlan]);
    assert.deepEqual(
      (await listRunSteps(database.pool, id)).map(({ position, key, label, phase }) => [position, key, label, phase]),
      somePlan.steps.map(({ key, label, phase }, position) => [position, key, label, phase]),
    );
  });

  it("keeps the first of two", async () => {
    const id = await create();
    const started = await Promise.all([
      startWithPlan(database.pool, id, somePlan),
      startWithPlan(database.pool, id, other),
    ]);
    assert.deepEqual(started.toSorted(), [false, true]);
    const kept = started[0] ? somePlan : other;
    assert.deepEqual((await findRun(database.pool, id))?.plan, kept);
    assert.equal((await listRunSteps(database.pool, id)).length, kept.steps.length);
  });

  it("takes none once it has ended", async () => {
    const id = await create();
    await database.pool.query("update runs set state = 'cancelled', ended_at = now() where id = $1", [id]);
    assert.ok(!(await startWithPlan(database.pool, id, somePlan)));
    assert.deepEqual(await listRunSteps(database.pool, id), []);
  });
});
