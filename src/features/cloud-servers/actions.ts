import type { PoolClient } from "pg";
import { transaction } from "../../db/transaction.ts";
import { pageOf, paginated, totalOf } from "../../http/pagination.ts";
import type { RequestContext } from "../../http/route.ts";
import { notFound } from "../../lib/errors.ts";
import { refuseRestricted } from "../organizations/actions.ts";
import { emitServer } from "../servers/events.ts";
import { makeCustom } from "../servers/ordered/queries.ts";
import { connectionCapabilities } from "./capabilities.ts";
import { orderRecord, priceOf } from "./presentation.ts";
import { connections, getProvider } from "./providers/actions.ts";
import { deleteProvider, lockProvider } from "./providers/queries.ts";
import {
  countNeeding,
  countVisibleOrders,
  deleteSnapshotsOf,
  findVisibleOrder,
  giveUpRemovals,
  hasOpenOrders,
  listCosts,
  listServersOf,
  listVisibleOrders,
  releaseOrders,
  sumCosts,
} from "./queries.ts";
import { findSweep, listOrphans } from "./sweeping/queries.ts";

const ordersPerPage = 25;

// Reading ----------------------------------------------------------------------------------------------------------------

/** Orders, the newest first, including those whose server was deleted: the outcome of everything that was ordered. */
export async function showOrders(ctx: RequestContext, query: { page?: unknown; per_page?: unknown }) {
  const page = pageOf(query, ordersPerPage);
  const orders = await listVisibleOrders(ctx.pool, ctx.actor, page);
  const total = await totalOf(page, orders, () => countVisibleOrders(ctx.pool, ctx.actor));
  return paginated(page, total, orders.map(orderRecord));
}

export async function showOrder(ctx: RequestContext, id: number) {
  const order = await findVisibleOrder(ctx.pool, ctx.actor, id);
  if (!order) throw notFound("The order");
  return orderRecord(order);
}

/** The monthly costs of the servers in reach. */
export async function showCosts(ctx: RequestContext) {
  const servers = await listCosts(ctx.pool, ctx.actor);
  return {
    totals: await sumCosts(ctx.pool, ctx.actor),
    unpriced_servers_count: servers.filter((server) => server.monthly_price_net === null).length,
    servers: servers.map(({ id, name, provider_type, price_problem, ...price }) => ({
      id,
      name,
      provider_type,
      ...priceOf(price),
      price_problem: price.monthly_price_net === null ? price_problem : null,
    })),
  };
}

/** Resources in the account that carry Longshore's name and belong to no order. */
export async function showOrphans(ctx: RequestContext, id: number) {
  const provider = await getProvider(ctx, id);
  const orphans = await listOrphans(ctx.pool, provider.id);
  const sweep = await findSweep(ctx.pool, provider.id);
  return {
    data: orphans.map((orphan) => ({ ...orphan, ...priceOf(orphan) })),
    checked_at: sweep?.swept_at ?? null,
    error: sweep?.sweep_error ?? null,
  };
}

// Disconnecting ------------------------------------------------------------------------------------------------------------

/** Deletes a connection. One with servers is kept, unless they should become custom servers. */
export async function disconnectProvider(ctx: RequestContext, id: number, { keep_servers = false } = {}) {
  refuseRestricted(ctx, connections);
  return transaction(ctx.pool, async (tx) => {
    const provider = await lockProvider(tx, ctx.actor, id);
    if (!provider) throw notFound("The provider connection");
    await connectionCapabilities.refuse("delete", provider, {
      ordering: () => hasOpenOrders(tx, id),
      needed: async () => !keep_servers && (await neededFor(tx, id)),
    });
    const kept = await listServersOf(tx, id);
    await giveUpRemovals(tx, id);
    await releaseOrders(tx, id);
    await makeCustom(tx, id);
    await deleteSnapshotsOf(tx, id);
    await deleteProvider(tx, id);
    for (const server of kept) await emitServer(tx, server);
    return { message: `${provider.name} was disconnected.${describeKept(kept.length)}` };
  });
}

function describeKept(servers: number): string {
  if (servers === 0) return "";
  if (servers === 1) return " Its server is a custom server now, and is billed as before.";
  return ` Its ${servers} servers are custom servers now, and are billed as before.`;
}

async function neededFor(tx: PoolClient, id: number): Promise<{ uses: string } | undefined> {
  const needing = await countNeeding(tx, id);
  if (!needing) return undefined;
  const counts = [
    [needing.servers, "server", "was ordered with it"],
    [needing.removals, "deleted server", "is still being removed with it"],
    [needing.snapshots, "snapshot", "was made with it"],
  ] as const;
  const found = counts.find(([count]) => count > 0);
  if (!found) return undefined;
  const [count, noun, what] = found;
  const plural = what.replace(/^(was|is)/, (verb) => (verb === "was" ? "were" : "are"));
  return { uses: count === 1 ? `1 ${noun} ${what}` : `${count} ${noun}s ${plural}` };
}
