import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { messageOf } from "../../lib/errors.ts";
import type { Logger } from "../../lib/log.ts";
import {
  claimPeriodicTask,
  insertPeriodicTask,
  leaseSeconds,
  releasePeriodicTask,
  renewPeriodicTask,
} from "./queries.ts";
import type { PeriodicTask } from "./schedule.ts";
import type { Runner } from "./scheduler.ts";
import { Ticker } from "./ticker.ts";

const renewMs = (leaseSeconds * 1_000) / 3;

/** Carries out a periodic task whenever it is due and no other process is at it. */
export class PeriodicTaskRunner implements Runner {
  private readonly pool: Pool;
  private readonly log: Logger;
  private readonly task: PeriodicTask;
  private readonly ticker: Ticker;

  constructor({ pool, log }: { pool: Pool; log: Logger }, task: PeriodicTask) {
    this.pool = pool;
    this.log = log;
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
    const lost = new AbortController();
    const renewal = setInterval(() => void this.renew(token, lost), renewMs);
    try {
      await work(AbortSignal.any([signal, lost.signal]));
    } finally {
      clearInterval(renewal);
      // A tenth earlier than the next look, which comes at about the interval.
      await releasePeriodicTask(this.pool, name, token, (everyMs / 1_000) * 0.85);
    }
  }

  // Without the lease another process begins. While the database is away this is repeated: no other process can get the lease
  // either.
  private async renew(token: string, lost: AbortController): Promise<void> {
    try {
      if (!(await renewPeriodicTask(this.pool, this.task.name, token))) lost.abort();
    } catch (error) {
      this.log.debug(`The lease of ${this.task.name} could not be renewed: ${messageOf(error)}`);
    }
  }
}
