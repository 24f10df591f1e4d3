import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import type { PoolClient } from "pg";
import { rows, sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Kind } from "../kind.ts";
import { lockRecord } from "../locks.ts";
import { reconcileJobs } from "../reconcile/apply.ts";
import { findTarget } from "../reconcile/queries.ts";
import { reconcileQueue, touch } from "../reconcile/reconcile.ts";
import type { TargetKind } from "../reconcile/target.ts";
import { readJournal } from "../runs/journal.ts";
import type { Run } from "../runs/queries.ts";
import { type RunKind, requestCancel } from "../runs/runs.ts";
import { applyUpdate, parseUpdate, settleEnd } from "../runs/store.ts";
import { workflowJobs } from "../workflow/advance.ts";
import { cancelWorkflow, startWorkflow, workflowQueue } from "../workflow/start.ts";
import type { WorkflowKind } from "../workflow/workflow.ts";
import { type Engines, eventually, openEngines } from "./engines.ts";
import { createRunningRun, createServer } from "./support.ts";

// A request locks the record and then what works for it; the engine must lock them in the same order. Each test lets the engine
// begin while a request holds the record: with another order, PostgreSQL would find a deadlock and one of them would be repeated.

let engines: Engines;
let record: number;
let settled: number;
const later = new AbortController().signal;

before(async () => {
  engines = await openEngines([
    { name: reconcileQueue, policy: "keyed" },
    { name: workflowQueue, policy: "keyed" },
  ]);
});
after(() => engines.close());
beforeEach(async () => {
  record = await createServer(engines.pool);
  settled = 0;
});

/** What a feature does to its record when work for it ends. */
async function settle(tx: PoolClient): Promise<void> {
  settled++;
  await tx.query("update servers set notes = 'settled' where id = $1", [record]);
}

/** Runs `work` while a request holds the record; then the request does `rest`. Both may be done only once. */
async function meanwhile(work: () => Promise<unknown>, rest: (tx: PoolClient) => Promise<unknown>): Promise<void> {
  let requests = 0;
  let begun: Promise<unknown> | undefined;
  await transaction(engines.pool, async (tx) => {
    requests++;
    await tx.query("select 1 from servers where id = $1 for update", [record]);
    begun ??= work();
    await eventually(() => isWaitedFor(tx));
    await rest(tx);
  });
  await begun;
  assert.deepEqual([requests, settled], [1, 1]);
}

const isWaitedFor = async (tx: PoolClient): Promise<boolean> =>
  (await rows(tx, sql`select 1 from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))`)).length > 0;

const runKind: RunKind = { kind: "test", subject: "server", onEnded: settle };
const kinds = new Map([[runKind.kind, runKind]]);

async function runOfRecord(): Promise<Run> {
  const run = await createRunningRun(engines.pool, record);
  await engines.pool.query("update runs set subject_id = $2 where id = $1", [run.id, record]);
  return { ...run, subject_id: record };
}

it("locks the record before a run whose journal ends", async () => {
  const run = await runOfRecord();
  const journal = Buffer.from(`\n\x1e${run.nonce} end succeeded 1000\n`);
  const update = parseUpdate(run, { ...readJournal(journal, 0, run.nonce), offset: 0 }, null, (bytes) => bytes);
  // Counted before the end: the second change of the run's row makes PostgreSQL check its foreign key, which locks the server.
  let attempts = 0;
  const kind: RunKind = { ...runKind, onProgress: async () => void attempts++ };
  await meanwhile(
    () => applyUpdate({ pool: engines.pool, kinds: new Map([[kind.kind, kind]]) }, update),
    (tx) => requestCancel(tx, engines.queue, run.id),
  );
  assert.equal(attempts, 1);
});

it("locks the record before a run that is given up", async () => {
  const run = await runOfRecord();
  await meanwhile(
    () => settleEnd({ pool: engines.pool, kinds }, run, { state: "stalled", error: "It was lost." }),
    (tx) => requestCancel(tx, engines.queue, run.id),
  );
});

it("keeps the server of a run from being deleted before it locks the run", async () => {
  const run = await runOfRecord();
  const project = { ...run, subject: "project" as const, subject_id: 1 };
  await meanwhile(
    () => settleEnd({ pool: engines.pool, kinds }, project, { state: "failed", error: "It was lost." }),
    (tx) => tx.query("delete from servers where id = $1", [record]),
  );
});

it("locks the record before a target", async () => {
  const thing: Kind = { kind: "thing", subject: "server" };
  const target: TargetKind = { ...thing, desired: async () => undefined, onApplied: settle };
  const ref = { ...thing, subjectId: record, serverId: record };
  await transaction(engines.pool, (tx) => touch(tx, engines.queue, ref));
  const targetId = (await findTarget(engines.pool, ref))?.id;
  await meanwhile(
    async () => reconcileJobs(engines, [target])[0]?.work({ targetId }, later),
    (tx) => touch(tx, engines.queue, ref),
  );
});

it("locks the record before a workflow", async () => {
  const order: Kind = { kind: "order", subject: "server" };
  const workflow: WorkflowKind = {
    ...order,
    phases: [{ name: "order", label: "Order", call: async () => ({}) }],
    onEnded: settle,
  };
  const workflowId = await transaction(engines.pool, (tx) =>
    startWorkflow(tx, engines.queue, { ...order, subjectId: record, data: {} }),
  );
  await meanwhile(
    async () => workflowJobs(engines, [workflow])[0]?.work({ workflowId }, later),
    (tx) => cancelWorkflow(tx, engines.queue, workflowId),
  );
});

it("finds the rows of each kind of record, and those that are locked before them", async () => {
  for (const subject of [
    "certificate_order",
    "database",
    "database_import",
    "deployment",
    "project",
    "removal",
    "server",
    "server_order",
    "server_snapshot",
  ] as const) {
    await transaction(engines.pool, (tx) => lockRecord(tx, { subject, subjectId: 1 }, record));
  }
});
