import type { Context } from "../../../context.ts";
import { rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { Worker } from "../../../engine/queue/worker.ts";
import { workflowJobs } from "../../../engine/workflow/advance.ts";
import { call, type Reply } from "../../../http/tests/support.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { moveServer } from "../../servers/queries.ts";
import type { Stage } from "../../servers/tests/support.ts";
import type { Machines } from "../machine.ts";
import { removalWorkflow } from "../removal.ts";
import { resizeWorkflow } from "../resize.ts";
import { snapshotWorkflows } from "../snapshots/workflow.ts";
import { orderWorkflow } from "../workflow.ts";
import { StandInCloud } from "./stand-in.ts";

/** A stage with the stand-in for every provider. */
export function withCloud(stage: Stage, cloud = new StandInCloud()): StandInCloud {
  const driver = cloud.driver();
  Object.assign(stage.ctx, { clouds: () => driver });
  return cloud;
}

/** Machines whose connections and setup are only pretended: each is set up at its connection. */
export const pretendedMachines = (ctx: Context): Machines => ({
  makeHostKey: async ({ id }) => `ssh-ed25519 AAAA${String(id).padStart(64, "0")}`,
  showHostKey: () => Promise.resolve(),
  beginSetup: async ({ id }) => {
    await transaction(ctx.pool, async (tx) => {
      await moveServer(tx, id, 0, 1);
      await moveServer(tx, id, 1, 10);
    });
  },
});

/** A worker that runs the workflows. */
export async function startWorker(ctx: Context, machines = pretendedMachines(ctx)): Promise<Worker> {
  const kinds = [orderWorkflow(ctx, machines), removalWorkflow(ctx), resizeWorkflow(ctx), ...snapshotWorkflows(ctx)];
  const worker = new Worker(ctx.queue, workflowJobs(ctx, kinds), ctx.log);
  await worker.start(ctx.listener);
  return worker;
}

/** Connects the stand-in's account; the connection's id. */
export async function connect({ app, cast }: Stage, token = cast.alice): Promise<number> {
  const body = { name: "Our cloud", provider_type: "cloud_a", credentials: { token: "good-token" } };
  const reply = await call(app, "POST /api/v1/server-providers", { token, body });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data.id;
}

export const orderBody = (providerId: number, more: object = {}) => ({
  provider_type: "cloud_a",
  provider_id: providerId,
  server_os: "ubuntu_24_04",
  cloud_a_location: "here",
  cloud_a_server_type: "small",
  ...more,
});

export const order = ({ app, cast }: Stage, body: object, token = cast.alice): Promise<Reply> =>
  call(app, "POST /api/v1/servers", { token, body });

export interface OrderState {
  id: number;
  server_id: number | null;
  key: string;
  state: string;
  error: string | null;
}

export const ordersOf = (stage: Stage): Promise<OrderState[]> =>
  rows(stage.pool, sql`select id, server_id, key, state, error from server_orders order by id`);

/** Waits until every order is in one of the states. */
export async function untilOrders(stage: Stage, states: readonly string[], timeoutMs = 60_000): Promise<OrderState[]> {
  // When a server is deleted just after its order has ended, its removal begins later.
  const isSettled = ({ state, server_id }: OrderState) =>
    states.includes(state) && (state !== "active" || server_id !== null);
  const settled = await pollUntil(
    async () => {
      const orders = await ordersOf(stage);
      return orders.length > 0 && orders.every(isSettled) ? orders : undefined;
    },
    { timeoutMs, everyMs: 100 },
  );
  if (settled) return settled;
  throw new Error(`Orders did not settle: ${JSON.stringify((await ordersOf(stage)).slice(0, 10))}`);
}
