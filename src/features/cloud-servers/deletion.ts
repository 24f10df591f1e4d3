import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { findWorkflow } from "../../engine/workflow/queries.ts";
import { cancelWorkflow } from "../../engine/workflow/start.ts";
import { orderKind } from "./kinds.ts";
import { lockOrderOfServer } from "./queries.ts";
import { startRemoval } from "./removal.ts";
import type { OrderRow } from "./schema.ts";

/**
 * In the transaction that deletes a server: its order is cancelled while the machine is built, and otherwise the machine is
 * deleted with all that was ordered with it. Returns the sentence about it; undefined for a server that was not ordered.
 */
export async function removeMachine(
  tx: PoolClient,
  ctx: Pick<Context, "queue">,
  serverId: number,
): Promise<string | undefined> {
  const order = await lockOrderOfServer(tx, serverId);
  if (!order || order.state === "released") return undefined;
  if (order.state === "active") await startRemoval(tx, ctx, order);
  if (order.state === "ordering") {
    const workflow = await findWorkflow(tx, { ...orderKind, subjectId: order.id });
    const isCancelled = workflow !== undefined && (await cancelWorkflow(tx, ctx.queue, workflow.id));
    // After the last phase the workflow can no longer be cancelled: the machine exists, and is deleted as such.
    if (!isCancelled) await startRemoval(tx, ctx, order);
  }
  return describeOutcome(order);
}

/** `order`: as it was before the deletion. */
function describeOutcome(order: OrderRow): string {
  if (order.state === "ordering" || order.state === "refunding") {
    return "Its order was cancelled; what was ordered is being deleted at the provider.";
  }
  if (order.state === "active" || order.state === "removing") {
    return `The machine and what was ordered with it are being deleted at the provider; order ${order.id} shows the progress.`;
  }
  return order.state === "left" ? `Order ${order.id} shows what is still at the provider.` : "It had no machine.";
}
