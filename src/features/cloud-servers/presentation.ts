import type { Db } from "../../db/sql.ts";
import { findWorkflow, listPhases } from "../../engine/workflow/queries.ts";
import type { PhaseRecord } from "../../engine/workflow/workflow.ts";
import type { OrderProgress, SetupStep } from "../servers/hooks.ts";
import { orderKind } from "./kinds.ts";
import { findOrderOfServer } from "./queries.ts";
import type { OrderRow, OrderState, StoredPrice } from "./schema.ts";

/** The order is under way, or its machine exists. */
const openStates: readonly OrderState[] = ["ordering", "refunding", "active"];

/** How far the order of a server is; undefined for a server that was not ordered. */
export async function findProgress(db: Db, serverId: number): Promise<OrderProgress | undefined> {
  const order = await findOrderOfServer(db, serverId);
  if (!order) return undefined;
  const workflow = await findWorkflow(db, { ...orderKind, subjectId: order.id });
  const phases = workflow ? await listPhases(db, workflow.id) : [];
  return {
    state: openStates.includes(order.state) ? "running" : "failed",
    error: order.error,
    steps: phases.map(stepOf),
  };
}

const statuses: Record<PhaseRecord["state"], SetupStep["status"]> = {
  pending: "pending",
  running: "running",
  completed: "completed",
  failed: "failed",
  skipped: "skipped",
  undone: "failed",
};

function stepOf({ name, label, state, detail, started_at, finished_at }: PhaseRecord): SetupStep {
  const duration = started_at && finished_at ? Date.parse(finished_at) - Date.parse(started_at) : null;
  return {
    key: `order-${name}`,
    label,
    phase: "order",
    status: statuses[state],
    detail: state === "undone" ? "What it had ordered was deleted." : detail,
    duration_ms: duration,
    started_at,
    finished_at,
  };
}

export const priceOf = ({ monthly_price_net, monthly_price_gross, price_currency }: StoredPrice) => ({
  monthly_price_net,
  monthly_price_gross,
  currency: price_currency,
});

/** An order as the API shows it. */
export function orderRecord(order: OrderRow) {
  const { request, key: _, organization_id: __, server_ref: ___, host_key: ____, ...shown } = order;
  return { ...shown, ...priceOf(order), server_type: request.serverType };
}
