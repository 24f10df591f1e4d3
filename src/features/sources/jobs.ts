import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import type { OutsideTargetKind } from "../../engine/reconcile/target.ts";
import type { PeriodicTask } from "../../engine/schedule/schedule.ts";
import { deleteOldDeliveries, dropDeletedProviders } from "./queries.ts";
import { listOutdated } from "./registrations/queries.ts";
import { sourceTarget } from "./registrations/registration.ts";
import { dropLeftKeys, syncGitHosts } from "./source.ts";

/** Hosts resend deliveries that are at most a month old; an attacker with a recorded delivery may replay it later. */
const rememberedDays = 365;
const lookedAtOnce = 200;

export const sourceTargets = (ctx: Context): OutsideTargetKind[] => [sourceTarget(ctx)];

export const sourceSchedules = (ctx: Context): PeriodicTask[] => [
  {
    name: "reconcile-git-host-registrations",
    everyMs: 10_000,
    // Changes without a notification: a server was transferred with its projects to another organization, or deleted with
    // them.
    work: async () => {
      await dropDeletedProviders(ctx.pool);
      await transaction(ctx.pool, async (tx) => {
        const left = await dropLeftKeys(tx, ctx);
        const outdated = await listOutdated(tx, lookedAtOnce);
        await syncGitHosts(tx, ctx, [...left, ...outdated.map(({ project_id: id }) => id)]);
      });
    },
  },
  { name: "delete-old-deliveries", everyMs: 3_600_000, work: () => deleteOldDeliveries(ctx.pool, rememberedDays) },
];
