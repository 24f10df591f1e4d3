import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { findWorkflow } from "../../engine/workflow/queries.ts";
import { startWorkflow } from "../../engine/workflow/start.ts";
import type { Work, Workflow, WorkflowKind } from "../../engine/workflow/workflow.ts";
import { sh } from "../../host/sh.ts";
import { endRehearsal } from "../../http/rehearsal.ts";
import type { RequestContext } from "../../http/route.ts";
import { AppError, invalid, notFound } from "../../lib/errors.ts";
import {
  type CloudAction,
  CloudError,
  type CloudPrice,
  type CloudServer,
  type OrderQuote,
  type ServerRef,
} from "../../providers/cloud/driver.ts";
import { getServer } from "../servers/actions.ts";
import { recordConnection } from "../servers/connecting/queries.ts";
import { emitServer } from "../servers/events.ts";
import { listActiveRuns, lockReachableServer, notifyAddress } from "../servers/queries.ts";
import type { ServerRow } from "../servers/schema.ts";
import { rebootedAfterMinutes, scheduleCheck } from "../servers/unreachable.ts";
import { machineCapabilities } from "./capabilities.ts";
import { resizeKind } from "./kinds.ts";
import { catalogueAge, readCatalogue } from "./providers/catalogue.ts";
import { type Cloud, cloudForRequest, cloudForWork, nameOf } from "./providers/connection.ts";
import { findProvider } from "./providers/queries.ts";
import type { ProviderRow } from "./providers/schema.ts";
import { findExactPrice, findOrder, findOrderOfServer, type Quote, saveAddress, saveResized } from "./queries.ts";
import type { OrderRow, ResizeRequest } from "./schema.ts";

/** Changes the type of a server's machine, with a shutdown. The disk keeps its size. */
export async function requestResize(ctx: RequestContext, id: number, { server_type: wanted }: ResizeRequest) {
  const { order, cloud, ref } = await machineOf(ctx, id, "resize");
  const machine = await cloud.driver.getServer(cloud.access, ref);
  const quote = await quoteFor(ctx, cloud, { order, machine, wanted });
  const former = await findExactPrice(ctx.pool, order.id);
  return transaction(ctx.pool, async (tx) => {
    const server = await lockReachableServer(tx, ctx.actor, id);
    if (!server) throw notFound("The server");
    await refuseUnfit(tx, "resize", server, { order, provider: cloud.provider });
    const data: ResizeData = {
      orderId: order.id,
      from: presentType(order, machine),
      to: wanted,
      price: quote.monthlyPrice,
      priceProblem: quote.priceProblem ?? null,
      former,
    };
    await startWorkflow(tx, ctx.queue, {
      ...resizeKind,
      subjectId: id,
      organizationId: server.organization_id,
      data,
    });
    await recordConnection(tx, id, { status: 0, error: "The server is being resized." });
    await scheduleCheck(tx, ctx.queue, id, rebootedAfterMinutes);
    await emitServer(tx, server);
    return { message: `${server.name} is shut down and becomes ${wanted}.`, server_id: id };
  });
}

/** The machine of a server in reach, with the connection it was ordered through. 422 if there is none. */
export async function machineOf(
  ctx: RequestContext,
  id: number,
  verb: "resize" | "snapshot",
): Promise<{ server: ServerRow; order: OrderRow & { server_ref: string }; cloud: Cloud; ref: ServerRef }> {
  const server = await getServer(ctx, id);
  const order = await findOrderOfServer(ctx.pool, id);
  const providerId = order?.provider_id ?? null;
  const provider = providerId === null ? undefined : await findProvider(ctx.pool, ctx.actor, providerId);
  await refuseUnfit(ctx.pool, verb, server, { order, provider });
  endRehearsal();
  const { location, server_ref } = order as OrderRow & { server_ref: string };
  const found = { ...(order as OrderRow), server_ref };
  const cloud = await cloudForRequest(ctx, provider as ProviderRow);
  return { server, order: found, cloud, ref: { id: server_ref, location } };
}

async function refuseUnfit(
  db: Db,
  verb: "resize" | "snapshot",
  server: ServerRow,
  { order, provider }: { order: OrderRow | undefined; provider: ProviderRow | undefined },
): Promise<void> {
  const ofMachine = {
    no_machine: () => order?.state !== "active" || order.server_ref === null,
    foreign_connection: () => provider === undefined,
  };
  if (verb === "snapshot") return machineCapabilities.refuse(verb, server, ofMachine);
  const resize = await findWorkflow(db, { ...resizeKind, subjectId: server.id });
  await machineCapabilities.refuse(verb, server, {
    ...ofMachine,
    busy: async () => (await listActiveRuns(db, server.id)).length > 0,
    being_resized: () => resize !== undefined && resize.endedAt === null,
  });
}

/** What the machine is, whatever the record says. */
const presentType = (order: OrderRow, { serverType }: CloudServer): string => serverType || order.request.serverType;

/** Checks the order with the other type; returns its price. */
async function quoteFor(
  ctx: RequestContext,
  cloud: Cloud,
  { order, machine, wanted }: { order: OrderRow; machine: CloudServer; wanted: string },
): Promise<OrderQuote> {
  const known = await readCatalogue(ctx, cloud, {
    location: order.location,
    maxAgeMs: catalogueAge.orders,
    field: "server_type",
  });
  const { serverTypes } = known.catalogue;
  const present = presentType(order, machine);
  const now = serverTypes.find(({ name }) => name === present);
  const type = serverTypes.find(({ name }) => name === wanted);
  const refuse = (reason: string) => invalid({ server_type: reason });
  if (!type) throw refuse(`${nameOf(ctx, cloud.provider)} does not sell ${wanted} in ${order.location}.`);
  if (wanted === present) throw refuse(`The server is of type ${wanted} already.`);
  if (now && now.architecture !== type.architecture) throw refuse(`${wanted} has another architecture.`);
  // A resize keeps the disk, so that it may be smaller than that of the present type.
  const diskGb = machine.diskGb ?? now?.diskGb ?? null;
  if (diskGb !== null && type.diskGb !== null && type.diskGb < diskGb) {
    throw refuse(`The disk of ${wanted} has ${type.diskGb} GB, and the server's has ${diskGb} GB.`);
  }
  try {
    // It has its address already.
    const request = { ...order.request, serverType: wanted, image: null, useStaticAddress: false };
    return await cloud.driver.checkOrder(cloud.access, request, known);
  } catch (error) {
    if (error instanceof CloudError && error.field !== undefined) throw refuse(error.message);
    throw error;
  }
}

// The work ---------------------------------------------------------------------------------------------------------------

export interface ResizeData {
  orderId: number;
  from: string;
  to: string;
  price: CloudPrice | null;
  priceProblem?: string | null;
  /** That of `from`. */
  former?: Quote;
  askedAt?: number;
  /** The last change of the type that was sent. `differsAt`: when it seemed over, and the machine had another type. */
  sent?: { type: string; action: string | null; differsAt?: number } | null;
  /** How often a start was requested, and when the last time. */
  starts?: number;
  startedAt?: number;
}

type ResizeWork = Work<ResizeData>;

const minute = 60_000;
// A machine that has not shut down by then is switched off.
const shutdownMs = 90_000;

/** A failure in any phase brings back the former type, and starts the machine. */
export const resizeWorkflow = (ctx: Context): WorkflowKind<ResizeData> => ({
  ...resizeKind,
  phases: [
    {
      name: "shut-down",
      label: "Shut the machine down",
      until: (work) => shutDown(ctx, work),
      everyMs: 3_000,
      timeoutMs: 10 * minute,
      undo: (work) => undoing(ctx, work, () => startMachine(ctx, work, Number.POSITIVE_INFINITY)),
    },
    {
      name: "resize",
      label: "Change its type",
      until: (work) => changeType(ctx, work, work.data.to),
      everyMs: 3_000,
      timeoutMs: 30 * minute,
      undo: (work) => undoing(ctx, work, () => changeBack(ctx, work)),
    },
    {
      name: "start",
      label: "Start the machine",
      until: (work) => startMachine(ctx, work, mostStarts),
      everyMs: 3_000,
      timeoutMs: 10 * minute,
    },
  ],
  onEnded: (tx, workflow) => settleResize(tx, workflow),
});

/** Repeats an undo until it is done. If the server was deleted, its machine is being removed. */
async function undoing(ctx: Context, work: ResizeWork, undo: () => Promise<true | undefined>): Promise<void> {
  if ((await findOrder(ctx.pool, work.data.orderId))?.state !== "active") return;
  if (!(await undo())) throw busy();
}

const busy = () => new CloudError("unavailable", "The machine is busy at the provider.", { retryAfterMs: 3_000 });

async function open(ctx: Context, { data, signal }: ResizeWork) {
  const order = await findOrder(ctx.pool, data.orderId);
  if (order?.state !== "active" || order.server_ref === null) {
    throw new AppError("refused", "The server was deleted.", { permanent: true });
  }
  const { driver, access } = await cloudForWork(ctx, order.provider_id, signal);
  return { order, driver, access, ref: { id: order.server_ref, location: order.location } };
}

async function shutDown(ctx: Context, work: ResizeWork): Promise<true | undefined> {
  const { driver, access, ref } = await open(ctx, work);
  const machine = await driver.getServer(access, ref);
  if (machine.isBusy) return undefined;
  if (machine.state === "stopped") return true;
  if (work.data.askedAt === undefined) {
    await powerOffInside(ctx, work.workflow.subjectId);
    await work.save({ askedAt: Date.now() });
  } else if (Date.now() - work.data.askedAt > shutdownMs) await driver.powerOff(access, ref);
  return undefined;
}

/** From inside, so that databases shut down cleanly. A machine that does not respond is switched off later. */
async function powerOffInside(ctx: Context, serverId: number): Promise<void> {
  try {
    const connection = await ctx.hosts.get(serverId);
    await connection.exec(sh`systemd-run --on-active=1 --quiet systemctl poweroff`, { timeoutMs: 10_000 });
  } catch (error) {
    ctx.log.debug({ err: error, serverId }, "a machine could not be shut down from inside");
  }
}

/** Sends the change once, and looks at what became of it. Throws a permanent error when the machine keeps another type. */
async function changeType(ctx: Context, work: ResizeWork, type: string): Promise<true | undefined> {
  const { order, driver, access, ref } = await open(ctx, work);
  const machine = await driver.getServer(access, ref);
  if (machine.isBusy || machine.state === "gone") return undefined;
  await keepRecord(work, order, machine);
  if (machine.serverType === type) return true;
  const { sent } = work.data;
  if (sent?.type === type) {
    const action = sent.action === null ? undefined : await driver.findAction(access, ref, sent.action);
    return awaitChange(work, { label: driver.label, sent, machine, action });
  }
  if (machine.state !== "stopped") return undefined;
  const action = (await driver.resize(access, ref, type)) ?? null;
  await work.save({ sent: { type, action } });
  return undefined;
}

interface Change {
  label: string;
  sent: NonNullable<ResizeData["sent"]>;
  machine: CloudServer;
  action: CloudAction | undefined;
}

/** The machine still has another type: reads may lag behind for a while, but an action that failed changes nothing more. */
async function awaitChange(work: ResizeWork, { label, sent, machine, action }: Change): Promise<undefined> {
  if (action?.state === "running") return;
  const { differsAt = Date.now() } = sent;
  if (action?.state === "failed" || Date.now() - differsAt > minute) {
    const reason = action?.problem ?? "it gives no reason";
    const sentence = `${label} did not change the type to ${sent.type}: ${reason}. It is ${machine.serverType} still.`;
    throw new AppError("refused", sentence, { permanent: true });
  }
  if (sent.differsAt === undefined) await work.save({ sent: { ...sent, differsAt } });
}

/** Brings back the former type. One that the provider refuses, too, does not keep the machine from being started. */
async function changeBack(ctx: Context, work: ResizeWork): Promise<true | undefined> {
  const { driver, access, ref } = await open(ctx, work);
  // It runs: what failed came later, and stopping it again would only cost its visitors.
  if ((await driver.getServer(access, ref)).state === "running") return true;
  try {
    const isChanged = await changeType(ctx, work, work.data.from);
    if (isChanged) await work.save({ starts: 0 });
    return isChanged;
  } catch (error) {
    if (!(error instanceof AppError && error.permanent)) throw error;
    ctx.log.warn({ err: error, serverId: work.workflow.subjectId }, "a machine could not be changed back to its type");
    return true;
  }
}

/** Records and costs have the type that the machine has, whatever was asked for. */
async function keepRecord(work: ResizeWork, order: OrderRow, { serverType }: CloudServer): Promise<void> {
  if (serverType === "" || serverType === order.request.serverType) return;
  const { to, price, priceProblem = null, former } = work.data;
  const unknown = { price: null, problem: `The price of ${serverType} was not read.` };
  const quote = serverType === to ? { price, problem: priceProblem } : (former ?? unknown);
  await work.save({}, (tx) => saveResized(tx, order, { serverType, ...quote }));
}

const mostStarts = 3;
// Until then the machine may be shown as stopped although it is starting.
const startMs = 30_000;

async function startMachine(ctx: Context, work: ResizeWork, most: number): Promise<true | undefined> {
  const { order, driver, access, ref } = await open(ctx, work);
  const machine = await driver.getServer(access, ref);
  if (machine.isBusy) return undefined;
  await keepRecord(work, order, machine);
  if (machine.state === "stopped") await powerOn(work, { driver, access, ref, machine, most });
  if (machine.state !== "running" || machine.publicIp === null) return undefined;
  const { publicIp, privateIp } = machine;
  // Without a static address a provider may assign another one at each start.
  if (!order.request.useStaticAddress && publicIp !== order.public_ip) {
    await work.save({}, async (tx) => {
      await saveAddress(tx, order.id, { publicIp, privateIp });
      await notifyAddress(tx, work.workflow.subjectId);
    });
  }
  return true;
}

interface Start extends Pick<Cloud, "driver" | "access"> {
  ref: ServerRef;
  machine: CloudServer;
  /** So many requests may end in a stopped machine. */
  most: number;
}

async function powerOn(work: ResizeWork, { driver, access, ref, machine, most }: Start): Promise<void> {
  const { starts = 0, startedAt = 0 } = work.data;
  const hasEnded = starts > 0 && (machine.problem !== null || Date.now() - startedAt > startMs);
  if (starts > 0 && !hasEnded) return;
  if (Number.isFinite(most) && (starts >= most || (starts > 0 && machine.problem !== null))) {
    const reason = machine.problem ?? "it gives no reason";
    throw new AppError("refused", `${driver.label} did not start the machine: ${reason}.`, { permanent: true });
  }
  await driver.powerOn(access, ref);
  await work.save({ starts: starts + 1, startedAt: Date.now() });
}

async function settleResize(tx: PoolClient, workflow: Workflow<ResizeData>): Promise<void> {
  const error =
    workflow.state === "succeeded" ? "The server was resized and is starting." : `The resize failed: ${workflow.error}`;
  const server = await recordConnection(tx, workflow.subjectId, { status: 0, error });
  if (server) await emitServer(tx, server);
}
