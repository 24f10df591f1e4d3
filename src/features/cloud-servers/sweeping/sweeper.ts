import type { PoolClient } from "pg";
import type { Context } from "../../../context.ts";
import { transaction } from "../../../db/transaction.ts";
import type { DueRows } from "../../../engine/schedule/schedule.ts";
import { AppError, messageOf } from "../../../lib/errors.ts";
import type { CloudAccess, SkippedItem, TaggedResource } from "../../../providers/cloud/driver.ts";
import { recordSkipped } from "../../../providers/cloud/skipped.ts";
import { announce } from "../../notifications/actions.ts";
import { type Cloud, cloudForWork } from "../providers/connection.ts";
import { getOwner } from "../providers/queries.ts";
import { claimSweeps, listLostAddresses, listOwners, noteSweep, type OwnerRow, replaceOrphans } from "./queries.ts";

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
      const { access, skipped } = recordSkipped(cloud.access);
      const orphans = await findOrphans(ctx, { ...cloud, access });
      await transaction(ctx.pool, (tx) => report(tx, ctx, cloud, { orphans, skipped }));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await noteSweep(ctx.pool, id, messageOf(error));
    }
  },
});

/** What is billed in the account and in no record: without an order, or besides what its order knows. */
async function findOrphans(ctx: Context, { provider, driver, access }: Cloud): Promise<TaggedResource[]> {
  const owner = await getOwner(ctx.pool);
  const tagged = await driver.listTagged(access, { owner });
  const owners = await listOwners(
    ctx.pool,
    tagged.flatMap(({ orderKey }) => orderKey ?? []),
  );
  const loose = tagged.filter(({ isLoose }) => isLoose);
  const lost = await listLostAddresses(
    ctx.pool,
    provider.id,
    loose.map(({ id, location }) => ({ id, location })),
  );
  const orphans = tagged.filter((resource) =>
    resource.isLoose ? lost.some(({ id }) => id === resource.id) : isOrphan(resource, owners),
  );
  return driver.hasSeparatePrices ? withPrices({ driver, access }, owner, orphans) : orphans;
}

// Shared resources of several orders have no key, and cost nothing.
function isOrphan({ kind, id, orderKey }: TaggedResource, owners: readonly OwnerRow[]): boolean {
  if (orderKey === null) return false;
  const owner = owners.find(({ key }) => key === orderKey);
  if (!owner) return true;
  // A second one of its kind: the answer to the first order of it was lost, and it was listed too late.
  const known = owner.resources.filter((each) => each.kind === kind);
  return owner.is_settled && known.length > 0 && !known.some((each) => each.id === id);
}

/** Price lists are long: only those of locations with orphans are read. */
async function withPrices(
  { driver, access }: { driver: Cloud["driver"]; access: CloudAccess },
  owner: string,
  orphans: TaggedResource[],
): Promise<TaggedResource[]> {
  const locations = [...new Set(orphans.map(({ location }) => location))];
  if (locations.length === 0) return orphans;
  const lists = await Promise.all(locations.map((location) => driver.listPrices(access, location)));
  const prices = Object.fromEntries(lists.map((list) => [list.location, list]));
  const priced = await driver.listTagged(access, { owner, locations, prices });
  return orphans.map((orphan) => priced.find(({ kind, id }) => kind === orphan.kind && id === orphan.id) ?? orphan);
}

// How many a notification lists.
const listed = 20;

async function report(
  tx: PoolClient,
  ctx: Context,
  { provider, driver }: Cloud,
  { orphans, skipped }: { orphans: readonly TaggedResource[]; skipped: readonly SkippedItem[] },
): Promise<void> {
  const added = await replaceOrphans(tx, provider.id, orphans);
  await noteSweep(tx, provider.id, problemOf(skipped));
  const found = orphans.filter(({ kind, id }) => added.some((each) => each.kind === kind && each.id === id));
  if (found.length === 0) return;
  const resources = found.length === 1 ? "1 resource that belongs" : `${found.length} resources that belong`;
  await announce(tx, ctx, {
    organizationId: provider.organization_id,
    topic: "server.orphan_found",
    title: `${driver.label} has ${resources} to no server of Longshore`,
    text:
      `This installation ordered them with ${provider.name}, but they belong to none of its servers. Nothing was deleted: check ` +
      `them, and delete those that you do not need.${nameless(found)}\n${found.slice(0, listed).map(lineOf).join("\n")}`,
    data: {
      provider_id: provider.id,
      orphans: found
        .slice(0, listed)
        .map(({ kind, id, location, monthlyPrice }) => ({ kind, id, location, monthlyPrice })),
    },
  });
}

/** Records only show that what has no tag may be ours. */
const nameless = (found: readonly TaggedResource[]): string =>
  found.some(({ isLoose }) => isLoose)
    ? " An address without a server has no tag: other people of the account may have made it."
    : "";

/** Entries that could not be read may be ours. */
function problemOf(skipped: readonly SkippedItem[]): string | null {
  if (skipped.length === 0) return null;
  const named = skipped.slice(0, listed).map(({ list, item }) => `${item ?? "one"} of ${list}`);
  return `Some entries of the provider's lists could not be read, and were left out: ${named.join(", ")}.`;
}

function lineOf({ kind, id, name, location, monthlyPrice }: TaggedResource): string {
  const price = monthlyPrice ? `${monthlyPrice.net} ${monthlyPrice.currency} a month without VAT` : "price unknown";
  return `${kind} ${name ?? id} (${id}, ${location}): ${price}`;
}
