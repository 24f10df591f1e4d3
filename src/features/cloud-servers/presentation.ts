import type { Db } from "../../db/sql.ts";
import { listPhasesOf } from "../../engine/workflow/queries.ts";
import type { PhaseRecord } from "../../engine/workflow/workflow.ts";
import type { OrderProgress, SetupStep } from "../servers/hooks.ts";
import { listOrdersOfServers } from "./queries.ts";
import type { OrderRow, OrderState, StoredPrice } from "./schema.ts";

/** The order is under way, or its machine exists. */
const openStates: readonly OrderState[] = ["ordering", "refunding", "active"];

/** How far the orders of servers are, by the ids of those that were ordered. */
export async function listProgress(db: Db, serverIds: readonly number[]): Promise<Map<number, OrderProgress>> {
  const orders = await listOrdersOfServers(db, serverIds);
  const workflowIds = orders.flatMap(({ workflow_id: id }) => (id === null ? [] : [id]));
  const phases = Map.groupBy(await listPhasesOf(db, workflowIds), (phase) => phase.workflow_id);
  return new Map(
    orders.map(({ server_id, state, error, workflow_id }) => {
      const steps = (phases.get(workflow_id ?? 0) ?? []).map(stepOf);
      return [server_id, { state: openStates.includes(state) ? "running" : "failed", error, steps }];
    }),
  );
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
