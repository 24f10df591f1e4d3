import type { PoolClient } from "pg";
import type { Context } from "../../../context.ts";
import { transaction } from "../../../db/transaction.ts";
import type { DueRows } from "../../../engine/schedule/schedule.ts";
import { AppError, messageOf } from "../../../lib/errors.ts";
import type { TaggedResource } from "../../../providers/cloud/driver.ts";
import { announce } from "../../notifications/actions.ts";
import { type Cloud, cloudForWork } from "../providers/connection.ts";
import { getOwner } from "../providers/queries.ts";
import { claimSweeps, listOwnedKeys, noteSweep, replaceOrphans } from "./queries.ts";

/**
 * Compares each connection's account with the orders every hour. A resource with our tag that belongs to no order is reported to
 * people and never deleted: it may contain data.
 */
export const sweepSchedule = (ctx: Context): DueRows<{ id: number }> => ({
  name: "sweep-clouds",
  everyMs: 60_000,
  batch: 20,
  concurrency: 4,
  claim: claimSweeps,
  work: async ({ id }, signal) => {
    const cloud = await cloudForWork(ctx, id, signal);
    try {
      const tagged = await cloud.driver.listTagged(cloud.access, { owner: await getOwner(ctx.pool) });
      await transaction(ctx.pool, (tx) => report(tx, ctx, cloud, tagged));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await noteSweep(ctx.pool, id, messageOf(error));
    }
  },
});

// How many a notification lists.
const listed = 20;

async function report(
  tx: PoolClient,
  ctx: Context,
  { provider, driver }: Cloud,
  tagged: readonly TaggedResource[],
): Promise<void> {
  const keys = tagged.flatMap(({ orderKey }) => (orderKey === null ? [] : [orderKey]));
  const owned = new Set((await listOwnedKeys(tx, keys)).map(({ key }) => key));
  // Shared resources of several orders have no key, and cost nothing.
  const orphans = tagged.filter(({ orderKey }) => orderKey !== null && !owned.has(orderKey));
  const added = await replaceOrphans(tx, provider.id, orphans);
  await noteSweep(tx, provider.id, null);
  const found = orphans.filter(({ kind, id }) => added.some((each) => each.kind === kind && each.id === id));
  if (found.length === 0) return;
  const resources = found.length === 1 ? "1 resource that belongs" : `${found.length} resources that belong`;
  await announce(tx, ctx, {
    organizationId: provider.organization_id,
    topic: "server.orphan_found",
    title: `${driver.label} has ${resources} to no server of Longshore`,
    text:
      `This installation ordered them with ${provider.name}, but they belong to none of its servers. Nothing was deleted: check ` +
      `them, and delete those that you do not need.\n${found.slice(0, listed).map(lineOf).join("\n")}`,
    data: {
      provider_id: provider.id,
      orphans: found
        .slice(0, listed)
        .map(({ kind, id, location, monthlyPrice }) => ({ kind, id, location, monthlyPrice })),
    },
  });
}

function lineOf({ kind, id, name, location, monthlyPrice }: TaggedResource): string {
  const price = monthlyPrice ? `${monthlyPrice.net} ${monthlyPrice.currency} a month without VAT` : "price unknown";
  return `${kind} ${name ?? id} (${id}, ${location}): ${price}`;
}
