import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { row, rows, sql } from "../../db/sql.ts";
import { pollUntil } from "../../lib/clock.ts";
import { type Logger, openLog } from "../../lib/log.ts";
import { Listener } from "../listener.ts";
import { Queue, type QueueDefinition } from "../queue/queue.ts";
import { type JobHandler, Worker } from "../queue/worker.ts";
import { type ReconcileContext, reconcileJobs } from "../reconcile/apply.ts";
import type { AnyTargetKind } from "../reconcile/target.ts";
import type { Outcome } from "../runs/journal.ts";
import type { Run } from "../runs/queries.ts";
import type { RunKind } from "../runs/runs.ts";
import { settleEnd } from "../runs/store.ts";
import { type WorkflowContext, workflowJobs } from "../workflow/advance.ts";
import type { WorkflowKind } from "../workflow/workflow.ts";
import { createServer } from "./support.ts";

/** The context of an engine, with real queues and workers; the test ends runs in place of a server. */
export interface Engines {
  database: TestDatabase;
  pool: TestDatabase["pool"];
  queue: Queue;
  listener: Listener;
  log: Logger;
  serverId: number;
  /** Starts a worker of the given jobs; stopped by `close`. */
  work: (jobs: JobHandler[]) => Promise<Worker>;
  /** Waits for a run in progress, and returns the only one. */
  currentRun: () => Promise<Run>;
  /** Ends a run as a server would, with all its records. */
  end: (kind: RunKind, run: Run, state: Outcome, error?: string | null) => Promise<void>;
  close: () => Promise<void>;
}

export async function openEngines(queues: readonly QueueDefinition[]): Promise<Engines> {
  const log = openLog("silent");
  const database = await testDatabase();
  const { pool } = database;
  const queue = new Queue(pool, log);
  await queue.start([...queues, { name: "run" }, { name: "cancel-run" }]);
  const listener = new Listener(database.url, log);
  await listener.start();
  const workers: Worker[] = [];
  return {
    database,
    pool,
    queue,
    listener,
    log,
    serverId: await createServer(pool),
    work: async (jobs) => {
      const worker = new Worker(queue, jobs, log);
      workers.push(worker);
      await worker.start(listener);
      return worker;
    },
    currentRun: () => eventually(() => row<Run>(pool, sql`select * from runs where ended_at is null`)),
    end: (kind, run, state, error = null) =>
      settleEnd({ pool, kinds: new Map([[run.kind, kind]]) }, run, { state, error }),
    close: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
      await listener.stop();
      await queue.stop();
      await database.drop();
    },
  };
}

/** The first value that is not undefined or false. Throws after 30 seconds. */
export async function eventually<Value>(look: () => Promise<Value | undefined | false>): Promise<Value> {
  const found = await pollUntil(look, { timeoutMs: 30_000, everyMs: 10 });
  if (!found) throw new Error("Waited in vain");
  return found as Value;
}

export const countRuns = async ({ pool }: Engines): Promise<number> =>
  (await rows(pool, sql`select id from runs`)).length;

/** Makes the engine check every target of these kinds once, as its jobs do. */
export async function reconcileAll(ctx: ReconcileContext, kinds: readonly AnyTargetKind[]): Promise<void> {
  const [job] = reconcileJobs(ctx, kinds);
  const behind = await rows<{ id: number }>(
    ctx.pool,
    sql`
      select id from targets
      where applied_version < wanted_version and kind = any(${kinds.map(({ kind }) => kind)}::text[])
      order by id
    `,
  );
  for (const { id } of behind) await job?.work({ targetId: id }, new AbortController().signal);
}

/** Moves every workflow of these kinds on until it waits, as its jobs do. */
export async function advanceAll(ctx: WorkflowContext, kinds: readonly WorkflowKind[]): Promise<void> {
  const [job] = workflowJobs(ctx, kinds);
  const open = await rows<{ id: number }>(
    ctx.pool,
    sql`select id from workflows where ended_at is null and kind = any(${kinds.map(({ kind }) => kind)}::text[])`,
  );
  for (const { id } of open) await job?.work({ workflowId: id }, new AbortController().signal);
}
