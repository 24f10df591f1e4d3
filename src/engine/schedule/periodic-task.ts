import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Logger } from "../../lib/log.ts";
import { underLease } from "../queue/lease.ts";
import {
  claimPeriodicTask,
  insertPeriodicTask,
  leaseSeconds,
  releasePeriodicTask,
  renewPeriodicTask,
} from "./queries.ts";
import type { PeriodicTask, Runner } from "./schedule.ts";
import { Ticker } from "./ticker.ts";

/** Runs a periodic task when it is due and no other process is running it. */
export class PeriodicTaskRunner implements Runner {
  private readonly pool: Pool;
  private readonly task: PeriodicTask;
  private readonly ticker: Ticker;

  constructor({ pool, log }: { pool: Pool; log: Logger }, task: PeriodicTask) {
    this.pool = pool;
    this.task = task;
    const { name, everyMs } = task;
    this.ticker = new Ticker({ name, everyMs, log, work: (signal) => this.tick(signal) });
  }

  async start(): Promise<void> {
    await insertPeriodicTask(this.pool, this.task.name);
    this.ticker.start();
  }

  stop(): Promise<void> {
    return this.ticker.stop();
  }

  private async tick(signal: AbortSignal): Promise<void> {
    const { name, everyMs, work } = this.task;
    const token = randomUUID();
    if (!(await claimPeriodicTask(this.pool, name, token))) return;
    const renew = () => renewPeriodicTask(this.pool, name, token);
    try {
      await underLease({ seconds: leaseSeconds, renew, stopping: signal }, work);
    } finally {
      // A tenth earlier than the next check, which comes at about the interval.
      await releasePeriodicTask(this.pool, name, token, (everyMs / 1_000) * 0.85);
    }
  }
}
