import type { RequestContext } from "../../http/route.ts";
import { cloudForRequest } from "./providers/connection.ts";
import { findProvider } from "./providers/queries.ts";
import { findOrderOfServer } from "./queries.ts";

/** Also protects a machine at its provider, if that supports it. Does nothing for a server that was not ordered. */
export async function protectMachine(ctx: RequestContext, serverId: number, isProtected: boolean): Promise<void> {
  const order = await findOrderOfServer(ctx.pool, serverId);
  if (order?.state !== "active" || order.server_ref === null || order.provider_id === null) return;
  const provider = await findProvider(ctx.pool, ctx.actor, order.provider_id);
  if (!provider) return;
  const { driver, access } = await cloudForRequest(ctx, provider);
  if (!driver.hasDeleteProtection) return;
  await driver.setDeleteProtection(access, { id: order.server_ref, location: order.location }, isProtected);
}
