import type { Context } from "../../context.ts";
import { inBatches } from "../../db/batches.ts";
import { transaction } from "../../db/transaction.ts";
import type { JobHandler } from "../../engine/queue/worker.ts";
import type { PeriodicTask } from "../../engine/schedule/schedule.ts";
import { deliveryQueue, wakeChannel } from "./actions.ts";
import { deliverDue } from "./delivery/deliver.ts";
import { deleteOldAnnouncements, endOverdue, listDueChannels } from "./delivery/queries.ts";
import { giveUpAfterMs } from "./delivery/retries.ts";

/** Channels that one process serves concurrently: they mostly wait for receivers. */
const concurrency = 200;
const channelsAtOnce = 500;
const keptDays = 30;

export const notificationJobs = (ctx: Context): JobHandler[] => [
  {
    name: deliveryQueue,
    policy: "keyed",
    concurrency,
    work: (data, signal) => deliverDue(ctx, Number(data.channelId), signal),
  },
];

export const notificationSchedules = (ctx: Context): PeriodicTask[] => [
  {
    name: "deliver-due-notifications",
    everyMs: 5_000,
    // Retries that became due, and deliveries of a dead worker.
    work: async () => {
      const due = await listDueChannels(ctx.pool, channelsAtOnce);
      if (due.length === 0) return;
      await transaction(ctx.pool, async (tx) => {
        for (const { channel_id: channelId } of due) await wakeChannel(tx, ctx.queue, channelId);
      });
    },
  },
  {
    name: "abandon-old-notifications",
    everyMs: 600_000,
    work: async () => void (await endOverdue(ctx.pool, giveUpAfterMs, "It could not be delivered within a day.")),
  },
  // Including deliveries without further retries, for example on a channel that was switched off during an attempt.
  {
    name: "delete-old-notifications",
    everyMs: 3_600_000,
    work: (signal) => inBatches(signal, (limit) => deleteOldAnnouncements(ctx.pool, keptDays, limit)),
  },
];
