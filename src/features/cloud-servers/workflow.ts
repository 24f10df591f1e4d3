import { isIP } from "node:net";
import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import type { Phase, Work, Workflow, WorkflowKind } from "../../engine/workflow/workflow.ts";
import { AppError, messageOf } from "../../lib/errors.ts";
import { CloudError, type CloudServer, type OrderRef, type ServerOrder } from "../../providers/cloud/driver.ts";
import { emitServer } from "../servers/events.ts";
import { resetMachine, setConnectionError } from "../servers/ordered/queries.ts";
import type { ServerForWork } from "../servers/queries.ts";
import { type OrderData, orderKind } from "./kinds.ts";
import { getServerOf, type Machines, sshMachines } from "./machine.ts";
import { type Cloud, cloudForWork } from "./providers/connection.ts";
import { getOwner } from "./providers/queries.ts";
import {
  countOpenOrders,
  findOrder,
  findUserData,
  moveOrder,
  saveAddress,
  saveHostKey,
  saveResources,
} from "./queries.ts";
import { announceLeft, removeOnce } from "./removal.ts";
import type { OrderRow } from "./schema.ts";

type OrderWork = Work<OrderData>;

const minute = 60_000;
const lookEveryMs = 3_000;
const looksPerSecond = 2;

/**
 * An order from the record to the setup. Each call to the provider first looks for the result of an earlier one, by the order's
 * key, so a phase can run twice. A failure before the setup begins deletes all ordered resources.
 */
export function orderWorkflow(ctx: Context, machines: Machines = sshMachines(ctx)): WorkflowKind<OrderData> {
  const refund = async (work: OrderWork) => {
    const order = await orderOf(ctx, work.workflow);
    // Its connection was deleted: the record lists what is left.
    if (order.state === "left" || work.data.isRefunded) return;
    const isUncertain = work.data.serverRef === undefined && work.data.isOutcomeOpen === true;
    await removeOnce(ctx, order, { signal: work.signal, workflow: work.workflow, isUncertain });
    await work.save({ isRefunded: true });
  };
  const looks = new Map<number, number>();
  const phases: Phase<OrderData>[] = [
    {
      name: "firewall",
      label: "Prepare the provider's firewall",
      skip: (data) => !data.hasFirewall,
      call: (work) => prepareFirewall(ctx, work),
      undo: refund,
    },
    { name: "machine", label: "Order the machine", call: (work) => orderMachine(ctx, work), undo: refund },
    {
      name: "boot",
      label: "Wait for the machine",
      until: async (work) => ((await mayLook(ctx, looks, work)) ? awaitMachine(ctx, work) : undefined),
      everyMs: lookEveryMs,
      timeoutMs: 15 * minute,
    },
    {
      name: "address",
      label: "Attach the static address",
      skip: (data) => !data.isStatic,
      call: (work) => attachAddress(ctx, work),
    },
    {
      name: "identity",
      label: "Read the machine's host key",
      until: (work) => readIdentity(ctx, machines, work),
      everyMs: 2_000,
      timeoutMs: 15 * minute,
    },
    {
      name: "host-key",
      label: "Replace the temporary host key",
      until: (work) => onMachine(ctx, work, (order, server) => machines.showHostKey(order, server)),
      everyMs: 2_000,
      timeoutMs: 15 * minute,
    },
    {
      name: "connect",
      label: "Connect and begin the setup",
      until: (work) => onMachine(ctx, work, (_order, server) => machines.beginSetup(server)),
      everyMs: 2_000,
      timeoutMs: 10 * minute,
    },
  ];
  return {
    ...orderKind,
    phases,
    onChanged: (tx, workflow) => followWorkflow(tx, workflow),
    onEnded: (tx, workflow) => settleOrder(ctx, tx, workflow),
  };
}

// Context of a phase -----------------------------------------------------------------------------------------------------

async function orderOf(ctx: Context, workflow: Workflow<OrderData>): Promise<OrderRow> {
  const order = await findOrder(ctx.pool, workflow.subjectId);
  if (!order) throw new AppError("refused", "The order was deleted.", { permanent: true });
  return order;
}

async function open(ctx: Context, work: OrderWork): Promise<{ order: OrderRow; cloud: Cloud; ref: OrderRef }> {
  const order = await orderOf(ctx, work.workflow);
  const cloud = await cloudForWork(ctx, order.provider_id, work.signal);
  const ref = { key: order.key, location: order.location, owner: await getOwner(ctx.pool) };
  return { order, cloud, ref };
}

// Phases -----------------------------------------------------------------------------------------------------------------

async function prepareFirewall(ctx: Context, work: OrderWork): Promise<Partial<OrderData>> {
  const { order, cloud, ref } = await open(ctx, work);
  const { id } = await cloud.driver.ensureFirewall(cloud.access, { ...ref, network: order.request.network });
  await work.save({ firewallId: id }, (tx) =>
    saveResources(tx, order.id, null, [{ kind: "firewall", id, location: order.location }]),
  );
  return { firewallId: id };
}

async function orderMachine(ctx: Context, work: OrderWork): Promise<Partial<OrderData>> {
  const { order, cloud, ref } = await open(ctx, work);
  const userData = await findUserData(ctx.pool, order.id);
  if (!userData) throw new AppError("refused", "The order has ended.", { permanent: true });
  const placed: ServerOrder = {
    ...order.request,
    ...ref,
    name: order.server_name,
    userData: ctx.secrets.decrypt(userData),
    firewallId: work.data.firewallId ?? null,
  };
  const machine = await placeOrder(cloud, work, placed);
  const { id: serverRef, action = null } = machine;
  await work.save({ serverRef, action, isOutcomeOpen: false }, (tx) => saveMachine(tx, order, machine));
  return { serverRef };
}

/** Records that a server may exist before it is ordered, and that none does when the provider refused it. */
async function placeOrder({ driver, access }: Cloud, work: OrderWork, placed: ServerOrder): Promise<CloudServer> {
  const wasOpen = work.data.isOutcomeOpen === true;
  if (!wasOpen) await work.save({ isOutcomeOpen: true });
  try {
    return await driver.ensureServer(access, placed);
  } catch (error) {
    const isRefusal = error instanceof CloudError && !error.isUncertain;
    if (isRefusal && !wasOpen) await work.save({ isOutcomeOpen: false });
    throw error;
  }
}

const saveMachine = (tx: PoolClient, order: OrderRow, { id, location, resources }: CloudServer): Promise<void> =>
  saveResources(tx, order.id, id, [{ kind: "server", id, location }, ...resources]);

/**
 * Waiting orders share the calls of their connection: checking a hundred machines every three seconds would leave none for
 * ordering. In memory, since an extra look is harmless.
 */
async function mayLook(ctx: Context, looks: Map<number, number>, { workflow }: OrderWork): Promise<boolean> {
  const order = await orderOf(ctx, workflow);
  const waiting = await countOpenOrders(ctx.pool, order.provider_id);
  const pauseMs = Math.max(lookEveryMs - 500, (waiting * 1_000) / looksPerSecond);
  const now = performance.now();
  for (const [id, at] of looks) if (now - at > 15 * minute) looks.delete(id);
  const last = looks.get(order.id);
  if (last !== undefined && now - last < pauseMs) return false;
  looks.set(order.id, now);
  return true;
}

async function awaitMachine(ctx: Context, work: OrderWork): Promise<Partial<OrderData> | true | undefined> {
  const { order, cloud } = await open(ctx, work);
  const ref = { id: serverRefOf(work.data), location: order.location, action: work.data.action };
  const machine = await cloud.driver.getServer(cloud.access, ref);
  if (machine.state === "gone") {
    // Providers answer from copies that may not have a new machine yet.
    const { goneAt } = work.data;
    if (goneAt == null) await work.save({ goneAt: Date.now() });
    if (goneAt == null || Date.now() - goneAt < minute) return undefined;
    throw failure(`${cloud.driver.label} no longer has the machine${machine.problem ? `: ${machine.problem}` : ""}.`);
  }
  if (work.data.goneAt != null) await work.save({ goneAt: null });
  if (machine.state === "failed") {
    throw failure(`${cloud.driver.label} could not build the machine: ${machine.problem ?? "it gives no reason"}.`);
  }
  const isNew = machine.resources.some(
    ({ kind, id }) => !order.resources.some((known) => known.kind === kind && known.id === id),
  );
  if (isNew) await work.save({}, (tx) => saveMachine(tx, order, machine));
  if (machine.state !== "running" || machine.isBusy) return undefined;
  if (work.data.isStatic) return true;
  if (machine.publicIp === null) return undefined;
  return keepAddress(work, order, { publicIp: machine.publicIp, privateIp: machine.privateIp });
}

async function attachAddress(ctx: Context, work: OrderWork): Promise<Partial<OrderData>> {
  const { order, cloud, ref } = await open(ctx, work);
  const serverId = serverRefOf(work.data);
  const { ip, ...address } = await cloud.driver.ensureAddress(cloud.access, { ...ref, serverId });
  await work.save({}, (tx) => saveResources(tx, order.id, null, [address]));
  const { privateIp } = await cloud.driver.getServer(cloud.access, { id: serverId, location: order.location });
  return keepAddress(work, order, { publicIp: ip, privateIp });
}

async function keepAddress(
  work: OrderWork,
  order: OrderRow,
  address: { publicIp: string; privateIp: string | null },
): Promise<Partial<OrderData>> {
  if (isIP(address.publicIp) === 0) throw failure("The provider returned an invalid IP address.");
  const patch = { publicIp: address.publicIp };
  try {
    await work.save(patch, (tx) => saveAddress(tx, order.id, address));
  } catch (error) {
    if ((error as { code?: unknown }).code !== uniqueViolation) throw error;
    throw failure(
      `The machine got the address ${address.publicIp}, which another server is registered with. Delete that server if it ` +
        "no longer exists.",
    );
  }
  return patch;
}

const uniqueViolation = "23505";

async function readIdentity(
  ctx: Context,
  machines: Machines,
  work: OrderWork,
): Promise<Partial<OrderData> | true | undefined> {
  const order = await orderOf(ctx, work.workflow);
  if (order.host_key !== null) return true;
  const server = await getServerOf(ctx, order);
  const hostKey = await patiently(ctx, order, () => machines.makeHostKey(order, server));
  if (hostKey === undefined) return undefined;
  // Stored before the machine uses it, so that the key is known by then.
  await work.save({ hostKey }, (tx) => saveHostKey(tx, order.id, hostKey));
  return { hostKey };
}

async function onMachine(
  ctx: Context,
  work: OrderWork,
  act: (order: OrderRow, server: ServerForWork) => Promise<void>,
): Promise<true | undefined> {
  const order = await orderOf(ctx, work.workflow);
  const server = await getServerOf(ctx, order);
  return patiently(ctx, order, async () => {
    await act(order, server);
    return true as const;
  });
}

/** Undefined if the machine does not respond yet; the server shows why. A booting machine also rejects keys. */
async function patiently<Value>(ctx: Context, order: OrderRow, work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    const isBooting =
      error instanceof AppError && (error.code === "server_unreachable" || error.code === "authentication_refused");
    if (!isBooting) throw error;
    const { server_id: serverId } = order;
    if (serverId === null) return undefined;
    await transaction(ctx.pool, async (tx) => {
      const server = await setConnectionError(tx, serverId, messageOf(error));
      if (server) await emitServer(tx, server);
    });
    return undefined;
  }
}

function serverRefOf(data: OrderData): string {
  if (data.serverRef === undefined) throw new Error("The machine's id was not stored.");
  return data.serverRef;
}

const failure = (message: string) => new AppError("refused", message, { permanent: true });

// The record -------------------------------------------------------------------------------------------------------------

async function followWorkflow(tx: PoolClient, workflow: Workflow<OrderData>): Promise<void> {
  if (workflow.state === "undoing") {
    await moveOrder(tx, workflow.subjectId, ["ordering"], { state: "refunding", error: workflow.error });
  }
  const order = await findOrder(tx, workflow.subjectId);
  if (order?.server_id == null) return;
  if (workflow.state === "undoing") {
    await setConnectionError(
      tx,
      order.server_id,
      `${workflow.error ?? "The order failed."} What was ordered is being deleted.`,
    );
  }
  const server = { id: order.server_id, organization_id: order.organization_id };
  await emitServer(tx, server, "server.setup_step");
}

async function settleOrder(ctx: Context, tx: PoolClient, workflow: Workflow<OrderData>): Promise<void> {
  const order = await moveOrder(tx, workflow.subjectId, ["ordering", "refunding"], await outcomeOf(tx, workflow));
  if (order?.state === "left") await announceLeft(tx, ctx, order);
  if (order?.server_id == null) return;
  if (order.state !== "active") {
    const reason = order.error ?? "The order was cancelled.";
    const error =
      order.state === "left" ? reason : `${reason} Everything that was ordered was deleted at the provider.`;
    await resetMachine(tx, order.server_id, { error, price: null });
  }
  await emitServer(tx, { id: order.server_id, organization_id: order.organization_id });
}

async function outcomeOf(tx: PoolClient, workflow: Workflow<OrderData>) {
  if (workflow.state === "succeeded") return { state: "active" as const };
  const order = await findOrder(tx, workflow.subjectId);
  const left = order?.remaining ?? [];
  if (left.length > 0) {
    const reasons = left
      .map((resource) => `The ${resource.kind} ${resource.id} is still there: ${resource.reason}`)
      .join(" ");
    return {
      state: "left" as const,
      error: `${workflow.error ?? "The order was cancelled."} ${reasons}`.slice(0, 4_000),
    };
  }
  if (workflow.state === "cancelled") return { state: "cancelled" as const, error: workflow.error };
  return { state: "failed" as const, error: workflow.error };
}
