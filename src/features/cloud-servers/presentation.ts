import type { Db } from "../../db/sql.ts";
import type { RunStep } from "../../engine/runs/queries.ts";
import { findWorkflow, listPhases } from "../../engine/workflow/queries.ts";
import type { PhaseRecord, Workflow } from "../../engine/workflow/workflow.ts";
import { orderKind } from "./kinds.ts";
import { findOrderOfServer } from "./queries.ts";
import type { OrderRow, StoredPrice } from "./schema.ts";

/** An order as the setup record shows it, before the steps of the setup. */
export interface OrderProgress {
  order: OrderRow;
  workflow: Workflow | undefined;
  steps: SetupStep[];
}

/** The part of a step that the setup record uses. */
export type SetupStep = Pick<
  RunStep,
  "key" | "label" | "phase" | "status" | "detail" | "duration_ms" | "started_at" | "finished_at"
>;

/** The order of a server with its phases; undefined for a server that was not ordered. */
export async function findProgress(db: Db, serverId: number): Promise<OrderProgress | undefined> {
  const order = await findOrderOfServer(db, serverId);
  if (!order) return undefined;
  const workflow = await findWorkflow(db, { ...orderKind, subjectId: order.id });
  const phases = workflow ? await listPhases(db, workflow.id) : [];
  return { order, workflow, steps: phases.map(stepOf) };
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
