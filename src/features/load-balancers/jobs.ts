import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import type { PeriodicTask } from "../../engine/schedule/schedule.ts";
import { touchBalancerSite } from "../projects/site-targets.ts";
import { listOutdated } from "./queries.ts";

const lookedAtOnce = 200;

/** The deletion of a server also removes it from balanced projects, and does not touch their load balancers. */
export const loadBalancerSchedules = (ctx: Context): PeriodicTask[] => [
  {
    name: "reconcile-load-balancers",
    everyMs: 10_000,
    work: () =>
      transaction(ctx.pool, async (tx) => {
        for (const { id } of await listOutdated(tx, lookedAtOnce)) await touchBalancerSite(tx, ctx, id);
      }),
  },
];
