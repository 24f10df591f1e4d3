import type { Context } from "../../context.ts";
import { inBatches } from "../../db/batches.ts";
import { deleteOldEvents } from "../../engine/events.ts";
import type { PeriodicTask } from "../../engine/schedule/schedule.ts";

export const eventSchedules = (ctx: Context): PeriodicTask[] => [
  { name: "delete-old-events", everyMs: 600_000, work: (signal) => sweepEvents(ctx, signal) },
];

/** Deletes events that are too old to resume from, in parts, so that no statement takes long. */
export const sweepEvents = (ctx: Pick<Context, "pool" | "config">, signal: AbortSignal): Promise<void> =>
  inBatches(signal, (limit) => deleteOldEvents(ctx.pool, ctx.config.eventRetentionDays, limit));
