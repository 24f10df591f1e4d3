import type { Pool } from "pg";
import type { Logger } from "../../lib/log.ts";
import { DueRowsRunner } from "./due-rows.ts";
import { PeriodicTaskRunner } from "./periodic-task.ts";
import type { Runner, Schedule } from "./schedule.ts";
import { ShardedRunner } from "./sharded.ts";

/** Runs every schedule of the product in this process, in parallel with any number of other processes. */
export class Scheduler {
  private readonly runners: readonly Runner[];

  constructor(ctx: { pool: Pool; log: Logger }, schedules: readonly Schedule[]) {
    const names = new Set(schedules.map(({ name }) => name));
    if (names.size !== schedules.length) throw new Error("Two schedules have one name");
    this.runners = schedules.map((schedule) => {
      if ("hold" in schedule) return new ShardedRunner(ctx, schedule);
      if ("claim" in schedule) return new DueRowsRunner(ctx, schedule);
      return new PeriodicTaskRunner(ctx, schedule);
    });
  }

  async start(): Promise<void> {
    for (const runner of this.runners) await runner.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.runners.map((runner) => runner.stop()));
  }
}
