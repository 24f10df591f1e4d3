import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import type { PeriodicTask } from "../../engine/schedule/schedule.ts";
import type { JobHandler } from "../../engine/worker.ts";
import { deleteOldDeliveries, dropDeletedProviders } from "./queries.ts";
import { dropLeftKeys, listDue, listOutdated } from "./registrations/queries.ts";
import { syncSource } from "./registrations/registration.ts";
import { followSources, sourceQueue } from "./source.ts";

/** Hosts send again what is at most a month old; a person who recorded a delivery may replay it later. */
const rememberedDays = 365;
const lookedAtOnce = 200;

export const sourceJobs = (ctx: Context): JobHandler[] => [
  {
    name: sourceQueue,
    policy: "keyed",
    concurrency: 20,
    work: (data, signal) => syncSource(ctx, Number(data.projectId), signal),
  },
];

export const sourceSchedules = (ctx: Context): PeriodicTask[] => [
  { name: "reconcile-git-host-registrations", everyMs: 10_000, work: () => reconcileRegistrations(ctx) },
  { name: "delete-old-deliveries", everyMs: 3_600_000, work: () => deleteOldDeliveries(ctx.pool, rememberedDays) },
];

// Also changes without a notification: a server that takes its projects to another organization, or along when it is deleted.
async function reconcileRegistrations(ctx: Context): Promise<void> {
  await dropDeletedProviders(ctx.pool);
  await transaction(ctx.pool, async (tx) => {
    const found = [
      ...(await dropLeftKeys(tx)),
      ...(await listDue(tx, lookedAtOnce)),
      ...(await listOutdated(tx, lookedAtOnce)),
    ];
    await followSources(
      tx,
      ctx,
      found.map((each) => each.project_id),
    );
  });
}
