import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import type { Kind } from "../kind.ts";
import { retentionSchedules } from "../retention.ts";
import { step } from "../runs/plan.ts";
import { dropPlan, endRun, insertRun } from "../runs/queries.ts";
import { insertPhases, insertWorkflow } from "../workflow/queries.ts";
import { createServer, somePlan } from "./support.ts";

const passing: Kind = { kind: "passing", subject: "project" };
const kept: Kind = { kind: "kept", subject: "project" };

let database: TestDatabase;
let serverId: number;

before(async () => {
  database = await testDatabase();
  serverId = await createServer(database.pool);
});
after(() => database?.drop());
beforeEach(() => database.pool.query("truncate runs, workflows cascade"));

async function runTask(name: string): Promise<void> {
  const tasks = retentionSchedules(database.pool, 30, { runs: [kept], workflows: [kept] });
  await tasks.find((task) => task.name === name)?.work(new AbortController().signal);
}

async function endedRun(kind: Kind, subjectId: number, daysAgo: number): Promise<number> {
  const id = await insertRun(database.pool, { ...kind, serverId, subjectId, plan: somePlan });
  await database.pool.query(
    "update runs set state = 'succeeded', ended_at = now() - make_interval(days => $2) where id = $1",
    [id, daysAgo],
  );
  await database.pool.query("insert into run_output values ($1, 0, 0, 'system', 'printed')", [id]);
  return id;
}

async function newWorkflow(kind: Kind, subjectId: number): Promise<number> {
  const inserted = await insertWorkflow(database.pool, { ...kind, subjectId, data: {} });
  const { id } = inserted as { id: number };
  await insertPhases(database.pool, id, [{ name: "order", label: "Order" }]);
  return id;
}

async function endedWorkflow(kind: Kind, subjectId: number, daysAgo: number): Promise<number> {
  const id = await newWorkflow(kind, subjectId);
  await database.pool.query(
    "update workflows set state = 'succeeded', ended_at = now() - make_interval(days => $2) where id = $1",
    [id, daysAgo],
  );
  return id;
}

async function idsIn(table: string, column = "id"): Promise<number[]> {
  const { rows } = await database.pool.query(`select ${column} as id from ${table} order by 1`);
  return rows.map(({ id }) => id);
}

describe("old runs", () => {
  it("are deleted with their steps, except kept kinds and the newest of each kind for a record", async () => {
    await endedRun(passing, 1, 40);
    const newest = await endedRun(passing, 1, 35);
    const recent = [await endedRun(passing, 2, 29), await endedRun(passing, 2, 28)];
    const keptRuns = [await endedRun(kept, 1, 40), await endedRun(kept, 1, 35)];
    await runTask("delete-old-logs");
    assert.deepEqual(await idsIn("runs"), [newest, ...recent, ...keptRuns]);
    assert.deepEqual(await idsIn("run_output", "run_id"), recent);
    assert.deepEqual(new Set(await idsIn("run_steps", "run_id")), new Set([newest, ...recent, ...keptRuns]));
  });

  it("that have not ended stay with their output", async () => {
    const open = await insertRun(database.pool, { ...passing, serverId, subjectId: 1, plan: somePlan });
    await database.pool.query("update runs set created_at = now() - interval '1 year'");
    await database.pool.query("insert into run_output values ($1, 0, 0, 'system', 'printed')", [open]);
    await insertRun(database.pool, { ...passing, serverId, subjectId: 1, plan: somePlan });
    await runTask("delete-old-logs");
    assert.equal((await idsIn("runs")).length, 2);
    assert.deepEqual(await idsIn("run_output", "run_id"), [open]);
  });
});

describe("old workflows", () => {
  it("are deleted with their phases", async () => {
    await endedWorkflow(passing, 1, 40);
    const recent = await endedWorkflow(passing, 1, 29);
    await runTask("delete-old-workflows");
    assert.deepEqual(await idsIn("workflows"), [recent]);
    assert.deepEqual(await idsIn("workflow_phases", "workflow_id"), [recent]);
  });

  it("that have not ended stay", async () => {
    const open = await newWorkflow(passing, 1);
    await database.pool.query("update workflows set created_at = now() - interval '1 year'");
    await runTask("delete-old-workflows");
    assert.deepEqual(await idsIn("workflows"), [open]);
  });

  it("of a kept kind stay if they are the newest for their record", async () => {
    await endedWorkflow(kept, 1, 50);
    const newest = [await endedWorkflow(kept, 1, 40), await endedWorkflow(kept, 2, 50)];
    await endedWorkflow(passing, 1, 40);
    await runTask("delete-old-workflows");
    assert.deepEqual(await idsIn("workflows"), newest);
  });

  it("are deleted in batches until none is left", async () => {
    await database.pool.query(
      `insert into workflows (kind, subject, subject_id, state, ended_at)
       select 'passing', 'project', n, 'failed', now() - interval '31 days' from generate_series(1, 2500) n`,
    );
    await runTask("delete-old-workflows");
    assert.deepEqual(await idsIn("workflows"), []);
  });
});

describe("the plan of a run", () => {
  const planOf = async (id: number) =>
    (await database.pool.query("select plan, pg_column_size(plan) as size from runs where id = $1", [id])).rows[0];
  const large = { ...somePlan, version: "v1", steps: [step("build", "Build", { script: "# text\n".repeat(10_000) })] };

  const endedAnHourAgo = async (subjectId: number) => {
    const id = await insertRun(database.pool, { ...kept, serverId, subjectId, plan: large });
    await endRun(database.pool, id, { state: "succeeded", error: null });
    await database.pool.query("update runs set ended_at = now() - interval '61 minutes' where id = $1", [id]);
    return id;
  };

  it("loses its steps at once where they hold secrets", async () => {
    const id = await insertRun(database.pool, { ...kept, serverId, subjectId: 1, plan: large });
    await dropPlan(database.pool, id);
    assert.deepEqual((await planOf(id)).plan, large, "it has not ended");
    await endRun(database.pool, id, { state: "succeeded", error: null });
    await dropPlan(database.pool, id);
    const { plan, size } = await planOf(id);
    assert.deepEqual(plan, { kind: large.kind, steps: [], pointOfNoReturn: "start", version: "v1" });
    assert.ok(size < 200, String(size));
  });

  it("is kept until the workflow of its record has ended, and dropped in the background then", async () => {
    const workflow = await newWorkflow(passing, 3);
    const id = await endedAnHourAgo(3);
    await runTask("delete-old-logs");
    assert.deepEqual((await planOf(id)).plan, large);
    await database.pool.query("update workflows set state = 'succeeded', ended_at = now() where id = $1", [workflow]);
    await runTask("delete-old-logs");
    assert.deepEqual((await planOf(id)).plan.steps, []);
  });

  it("is dropped in the background some time after the end of its run", async () => {
    const [old, running] = [
      await endedRun(kept, 1, 1),
      await insertRun(database.pool, { ...kept, serverId, subjectId: 2, plan: large }),
    ];
    await runTask("delete-old-logs");
    assert.deepEqual((await planOf(old)).plan.steps, []);
    assert.deepEqual((await planOf(running)).plan, large);
  });
});
