import type { Pool } from "pg";
import { messageOf } from "../../lib/errors.ts";
import type { Logger } from "../../lib/log.ts";
import type { DueRows, Runner } from "./schedule.ts";
import { Ticker } from "./ticker.ts";

/** Claims due rows and processes several at once. */
export class DueRowsRunner implements Runner {
  private readonly pool: Pool;
  private readonly log: Logger;
  private readonly schedule: DueRows;
  private readonly ticker: Ticker;
  private readonly active = new Set<Promise<void>>();

  constructor({ pool, log }: { pool: Pool; log: Logger }, schedule: DueRows) {
    this.pool = pool;
    this.log = log;
    this.schedule = schedule;
    const { name, everyMs } = schedule;
    this.ticker = new Ticker({ name, everyMs, log, work: (signal) => this.claimAll(signal) });
  }

  async start(): Promise<void> {
    this.ticker.start();
  }

  async stop(): Promise<void> {
    await this.ticker.stop();
    await Promise.all(this.active);
  }

  // Claims until fewer rows are due than there is room for.
  private async claimAll(signal: AbortSignal): Promise<void> {
    const { batch, concurrency, claim } = this.schedule;
    while (!signal.aborted) {
      if (this.active.size >= concurrency) await Promise.race(this.active);
      const limit = Math.min(batch, concurrency - this.active.size);
      const due = await claim(this.pool, limit);
      for (const row of due) this.begin(row, signal);
      if (due.length < limit) return;
    }
  }

  private begin(row: unknown, signal: AbortSignal): void {
    const { name, work } = this.schedule;
    const attempt = Promise.resolve()
      .then(() => work(row, signal))
      .catch((error: unknown) => {
        if (!signal.aborted) this.log.warn({ row }, `A row of ${name} failed: ${messageOf(error)}`);
      })
      .finally(() => this.active.delete(attempt));
    this.active.add(attempt);
  }
}
