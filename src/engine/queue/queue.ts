import type { Pool } from "pg";
import { type Job, PgBoss } from "pg-boss";
import { changed, type Db, prepared, rows, sql } from "../../db/sql.ts";
import type { Logger } from "../../lib/log.ts";
import type { Counts } from "../../lib/metrics.ts";

/** The channel that notifies the workers of all processes of a job. The payload is the queue's name. */
export const jobsChannel = "longshore_jobs";

/** A queue's rules. A job that fails is retried after `retryDelaySeconds`, growing to a minute. */
export interface QueueDefinition {
  name: string;
  /** `keyed`: at most one waiting job for each key; a repeated request returns the same job. */
  policy?: "keyed";
  retryDelaySeconds?: number;
}

export type ClaimedJob = Pick<Job<Record<string, unknown>>, "id" | "name" | "data"> & { retryCount: number };

// pg-boss requires at least ten. A worker that dies silently is noticed after this long.
const heartbeatSeconds = 10;
export const heartbeatIntervalMs = 3_000;

const noJob = "00000000-0000-0000-0000-000000000000";

/** The durable queue: pg-boss in the same database, so that a record and its job are written in one transaction. */
export class Queue {
  private readonly boss: PgBoss;
  private readonly pool: Pool;

  constructor(pool: Pool, log: Logger) {
    this.pool = pool;
    this.boss = new PgBoss({
      // A text without values may hold several statements, which cannot be prepared.
      db: { executeSql: (text, values = []) => pool.query(values.length > 0 ? prepared(text, values) : text) },
      schema: "queue",
      schedule: false,
      superviseIntervalSeconds: 5,
      monitorIntervalSeconds: 5,
      maintenanceIntervalSeconds: 600,
      monitorVacuum: false,
      reindex: false,
    });
    this.boss.on("error", (error) => log.error({ err: error }, "queue"));
  }

  /** Creates or migrates the queue's tables and the queues themselves. `supervise` is for processes that work. */
  async start(queues: readonly QueueDefinition[]): Promise<void> {
    await this.boss.start();
    const known = new Set((await this.boss.getQueues()).map((queue) => queue.name));
    for (const { name, policy, retryDelaySeconds = 1 } of queues) {
      if (known.has(name)) continue;
      await this.boss.createQueue(name, {
        policy: policy === "keyed" ? "short" : "standard",
        retryLimit: 100_000,
        retryDelay: retryDelaySeconds,
        retryBackoff: true,
        retryDelayMax: 60,
        expireInSeconds: 24 * 3600 - 1,
        heartbeatSeconds,
        deleteAfterSeconds: 3600,
      });
      // A queue is looked up when it is first used, on its own connection: a lookup inside a transaction would wait for
      // a pool that waiting transactions hold.
      await this.boss.findJobs(name, { id: noJob });
    }
  }

  async stop(): Promise<void> {
    await this.boss.stop({ graceful: false });
  }

  async healthy(): Promise<boolean> {
    return (await this.boss.schemaVersion()) !== null;
  }

  /**
   * Adds a job in the caller's transaction; workers are notified at the commit. A key with a waiting job keeps that job, which
   * starts at the earlier of both times.
   */
  async enqueue(
    tx: Db,
    name: string,
    data: Record<string, unknown>,
    options: { key?: string; afterSeconds?: number } = {},
  ): Promise<void> {
    const { key, afterSeconds } = options;
    const id = await this.boss.send(name, data, {
      db: notifyingExecutor(tx, name),
      ...(key === undefined ? {} : { singletonKey: key }),
      ...(afterSeconds ? { startAfter: afterSeconds } : {}),
    });
    if (id === null && key !== undefined) await bringForward(tx, name, key, afterSeconds ?? 0);
  }

  /** Adds several jobs at once to a queue that is not keyed; otherwise as `enqueue`. */
  async enqueueAll(tx: Db, name: string, several: readonly Record<string, unknown>[]): Promise<void> {
    if (several.length === 0) return;
    const jobs = several.map((data) => ({ data }));
    await this.boss.insert(name, jobs, { db: notifyingExecutor(tx, name), returnId: true });
  }

  /** Adds a job for each key of a keyed queue at once; a key with a waiting job keeps that job. */
  async enqueueKeyed(
    tx: Db,
    name: string,
    jobs: readonly { key: string; data: Record<string, unknown> }[],
  ): Promise<void> {
    if (jobs.length === 0) return;
    const waiting = jobs.map(({ key, data }) => ({ data, singletonKey: key }));
    await this.boss.insert(name, waiting, { db: notifyingExecutor(tx, name), returnId: true });
  }

  /** Claims up to `limit` jobs: no other worker gets them while `touch` is called in time. */
  async claim(name: string, limit: number): Promise<ClaimedJob[]> {
    // pg-boss writes the limit into the statement: if it were prepared, each number would stay in the memory of each
    // connection.
    const db = { executeSql: (text: string, values: unknown[] = []) => this.pool.query(text, values) };
    return this.boss.fetch<Record<string, unknown>>(name, { batchSize: limit, includeMetadata: true, db });
  }

  /** Reports that the jobs are still in progress. */
  async touch(jobs: ClaimedJob[]): Promise<void> {
    for (const [name, attempts] of Map.groupBy(jobs, (job) => job.name)) await this.boss.touch(name, attempts);
  }

  async complete(job: ClaimedJob): Promise<void> {
    await this.boss.complete(job.name, job);
  }

  /** Returns a job to the queue for a retry; `reason` is kept with it. */
  async fail(job: ClaimedJob, reason: string): Promise<void> {
    await this.boss.fail(job.name, job, { message: reason });
  }

  /** For Prometheus: the jobs that wait or are in progress. */
  counts(): Counts[] {
    const select = sql`
      select name as queue, state, count(*)::integer from queue.job
      where state in ('created', 'retry', 'active') group by 1, 2`;
    return [
      {
        name: "longshore_queue_jobs",
        help: "Jobs that wait (created, retry) or are worked on (active), by queue.",
        labels: ["queue", "state"],
        read: () => rows(this.pool, select),
      },
    ];
  }

  /**
   * Returns every job that a process had when it died to its queue. Only for a process that is certainly the only one
   * (it holds the data directory): otherwise the heartbeats expire and the jobs come back automatically.
   */
  async takeBackAll(queues: readonly QueueDefinition[], db: Db): Promise<void> {
    for (const { name } of queues) {
      const result = await db.query("select id from queue.job where name = $1 and state = 'active'", [name]);
      const ids = (result.rows as { id: string }[]).map((job) => job.id);
      if (ids.length > 0) await this.boss.fail(name, ids, { message: "the process that worked on it is gone" });
    }
    await db.query("update queue.job set start_after = now() where state = 'retry'");
  }
}

async function bringForward(tx: Db, name: string, key: string, afterSeconds: number): Promise<void> {
  await changed(
    tx,
    sql`
      with brought as (
        update queue.job set start_after = now() + make_interval(secs => ${afterSeconds})
        where name = ${name} and singleton_key = ${key} and state = 'created'
          and start_after > now() + make_interval(secs => ${afterSeconds})
        returning name
      )
      select pg_notify(${jobsChannel}, name) from brought
    `,
  );
}

/** Notifies the workers of a queue of the jobs that a statement adds. For an existing job they have already been notified. */
const notifyingExecutor = (db: Db, name: string) => ({
  executeSql: (insert: string, values: unknown[] = []) =>
    db.query(prepared(`with job as (${insert}) select job.*, pg_notify('${jobsChannel}', '${name}') from job`, values)),
});
