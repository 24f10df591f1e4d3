import type { Context } from "../../context.ts";
import type { PeriodicTask } from "../../engine/schedule/schedule.ts";
import { deleteOldEvents } from "./queries.ts";

const atOnce = 5_000;

export const eventSchedules = (ctx: Context): PeriodicTask[] => [
  { name: "delete-old-events", everyMs: 600_000, work: (signal) => sweepEvents(ctx, signal) },
];

/** Deletes events that are too old to resume from, in parts, so that no statement takes long. */
export async function sweepEvents(ctx: Pick<Context, "pool" | "config">, signal: AbortSignal): Promise<void> {
  let deleted = atOnce;
  while (deleted === atOnce && !signal.aborted) {
    deleted = await deleteOldEvents(ctx.pool, ctx.config.eventRetentionDays, atOnce);
  }
}
