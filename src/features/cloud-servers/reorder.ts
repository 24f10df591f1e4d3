import type { PoolClient } from "pg";
import { endRehearsal } from "../../http/rehearsal.ts";
import type { RequestContext } from "../../http/route.ts";
import type { OrderQuote, OrderRequest } from "../../providers/cloud/driver.ts";
import { getServer } from "../servers/actions.ts";
import { serverCapabilities } from "../servers/capabilities.ts";
import type { Reorder } from "../servers/hooks.ts";
import { resetMachine } from "../servers/ordered/queries.ts";
import { findServerForWork } from "../servers/queries.ts";
import { type ServerRow, serverStatus } from "../servers/schema.ts";
import { beginOrder, checkOrder } from "./order.ts";
import { type Cloud, cloudForRequest, nameOf } from "./providers/connection.ts";
import { findProvider, holdProvider } from "./providers/queries.ts";
import { findOrderOfServer, lockOrderOfServer } from "./queries.ts";
import type { OrderRow } from "./schema.ts";

/** A failed order, checked with the provider again. */
interface CheckedOrder {
  former: OrderRow;
  cloud: Cloud;
  request: OrderRequest;
  quote: OrderQuote;
}

const overStates: readonly string[] = ["failed", "cancelled", "left"];

/**
 * Checks again an order whose machine was never built, and returns what orders it; undefined for a server that was not ordered, or
 * has a machine.
 */
export async function checkAgain(ctx: RequestContext, serverId: number): Promise<Reorder | undefined> {
  const server = await getServer(ctx, serverId);
  const former = await findOrderOfServer(ctx.pool, serverId);
  if (!former || server.server_status !== serverStatus.installing) return undefined;
  if (!overStates.includes(former.state)) throw underWay(server);
  const provider =
    former.provider_id === null ? undefined : await findProvider(ctx.pool, ctx.actor, former.provider_id);
  if (!provider) throw serverCapabilities.refusal("retry_setup", "connection_deleted", server);
  endRehearsal();
  const cloud = await cloudForRequest(ctx, provider);
  const { ownImage, ...stored } = former.request;
  const request = { ...stored, image: ownImage };
  const checked = { former, cloud, request, quote: await checkOrder(ctx, cloud, request, ownImage !== null) };
  return (tx, locked) => orderAgain(ctx, tx, locked, checked);
}

/** Orders the machine again, for the same server; returns the message of the response. */
async function orderAgain(
  ctx: RequestContext,
  tx: PoolClient,
  server: ServerRow,
  { former, cloud, request, quote }: CheckedOrder,
): Promise<string> {
  const newest = await lockOrderOfServer(tx, server.id);
  if (newest?.id !== former.id || !overStates.includes(newest.state)) throw underWay(server);
  if (!(await holdProvider(tx, cloud.provider.id))) {
    throw serverCapabilities.refusal("retry_setup", "connection_deleted", server);
  }
  const { ssh_public_key: loginKey } = (await findServerForWork(tx, server.id)) ?? { ssh_public_key: "" };
  await resetMachine(tx, server.id, { error: null, price: quote.monthlyPrice });
  const { id, organization_id: organizationId, name } = server;
  await beginOrder(ctx, tx, { server: { id, organizationId, name, loginKey }, cloud, request, quote });
  return `${name} was ordered again from ${nameOf(ctx, cloud.provider)}.`;
}

const underWay = (server: ServerRow) => serverCapabilities.refusal("retry_setup", "being_built", server);
