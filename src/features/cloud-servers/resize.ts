import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import { startWorkflow } from "../../engine/workflow/start.ts";
import type { Work, Workflow, WorkflowKind } from "../../engine/workflow/workflow.ts";
import { sh } from "../../host/sh.ts";
import type { RequestContext } from "../../http/route.ts";
import { AppError, invalid, notFound } from "../../lib/errors.ts";
import { CloudError, type CloudPrice, type ServerRef } from "../../providers/cloud/driver.ts";
import { getServer } from "../servers/actions.ts";
import { emitServer } from "../servers/events.ts";
import { listActiveRuns, lockReachableServer, notifyAddress, recordConnection } from "../servers/queries.ts";
import type { ServerRow } from "../servers/schema.ts";
import { rebootedAfterMinutes, scheduleCheck } from "../servers/unreachable.ts";
import { machineCapabilities } from "./capabilities.ts";
import { resizeKind } from "./kinds.ts";
import { catalogueAge, readCatalogue } from "./providers/catalogue.ts";
import { type Cloud, cloudForRequest, cloudForWork, nameOf } from "./providers/connection.ts";
import { findProvider } from "./providers/queries.ts";
import { findOrder, findOrderOfServer, saveAddress, saveResized } from "./queries.ts";
import type { OrderRow, ResizeRequest } from "./schema.ts";

/** Changes the type of a server's machine, with a shutdown. The disk keeps its size. */
export async function requestResize(ctx: RequestContext, id: number, { server_type: wanted }: ResizeRequest) {
  const { order, cloud } = await machineOf(ctx, id, "resize");
  const price = await quoteFor(ctx, cloud, order, wanted);
  return transaction(ctx.pool, async (tx) => {
    const server = await lockReachableServer(tx, ctx.actor, id);
    if (!server) throw notFound("The server");
    await machineCapabilities.refuse("resize", server, { busy: async () => (await listActiveRuns(tx, id)).length > 0 });
    const data: ResizeData = {
      orderId: order.id,
      from: order.request.serverType,
      to: wanted,
      price,
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
  if (order?.state !== "active" || order.server_ref === null) {
    throw machineCapabilities.refusal(verb, "no_machine", server);
  }
  const provider = order.provider_id === null ? undefined : await findProvider(ctx.pool, ctx.actor, order.provider_id);
  if (!provider) throw machineCapabilities.refusal(verb, "foreign_connection", server);
  const found = { ...order, server_ref: order.server_ref };
  const ref = { id: order.server_ref, location: order.location };
  return { server, order: found, cloud: await cloudForRequest(ctx, provider), ref };
}

/** Checks the order with the other type; returns its price. */
async function quoteFor(
  ctx: RequestContext,
  cloud: Cloud,
  order: OrderRow,
  wanted: string,
): Promise<CloudPrice | null> {
  const known = await readCatalogue(ctx, cloud, {
    location: order.location,
    maxAgeMs: catalogueAge.orders,
    field: "server_type",
  });
  const { serverTypes } = known.catalogue;
  const now = serverTypes.find(({ name }) => name === order.request.serverType);
  const type = serverTypes.find(({ name }) => name === wanted);
  const refuse = (reason: string) => invalid({ server_type: reason });
  if (!type) throw refuse(`${nameOf(ctx, cloud.provider)} does not sell ${wanted} in ${order.location}.`);
  if (wanted === order.request.serverType) throw refuse(`The server is of type ${wanted} already.`);
  if (now && now.architecture !== type.architecture) throw refuse(`${wanted} has another architecture.`);
  if (now?.diskGb != null && type.diskGb !== null && type.diskGb < now.diskGb) {
    throw refuse(`The disk of ${wanted} is smaller than the server's.`);
  }
  try {
    const request = { ...order.request, serverType: wanted, image: null };
    return (await cloud.driver.checkOrder(cloud.access, request, known)).monthlyPrice;
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
  askedAt?: number;
}

type ResizeWork = Work<ResizeData>;

const minute = 60_000;
// A machine that has not shut down by then is switched off.
const shutdownMs = 90_000;

export const resizeWorkflow = (ctx: Context): WorkflowKind<ResizeData> => ({
  ...resizeKind,
  phases: [
    {
      name: "shut-down",
      label: "Shut the machine down",
      until: (work) => shutDown(ctx, work),
      everyMs: 3_000,
      timeoutMs: 10 * minute,
      undo: async (work) => {
        // The server was deleted, and its machine is being removed.
        if ((await findOrder(ctx.pool, work.data.orderId))?.state !== "active") return;
        const { driver, access, ref } = await open(ctx, work);
        const { state } = await driver.getServer(access, ref);
        if (state === "stopped") await driver.powerOn(access, ref);
      },
    },
    {
      name: "resize",
      label: "Change its type",
      call: (work) => changeType(ctx, work, work.data.to),
      undo: async (work) => {
        if ((await findOrder(ctx.pool, work.data.orderId))?.state !== "active") return;
        await changeType(ctx, work, work.data.from);
      },
    },
    {
      name: "start",
      label: "Start the machine",
      until: (work) => startMachine(ctx, work),
      everyMs: 3_000,
      timeoutMs: 10 * minute,
    },
  ],
  pointOfNoReturn: "resize",
  onEnded: (tx, workflow) => settleResize(tx, workflow),
});

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

async function changeType(ctx: Context, work: ResizeWork, type: string): Promise<void> {
  const { driver, access, ref } = await open(ctx, work);
  const machine = await driver.getServer(access, ref);
  if (machine.serverType === type) return;
  if (machine.isBusy || machine.state !== "stopped") {
    throw new CloudError("unavailable", "The machine is busy at the provider.", { retryAfterMs: 3_000 });
  }
  await driver.resize(access, ref, type);
}

async function startMachine(ctx: Context, work: ResizeWork): Promise<true | undefined> {
  const { order, driver, access, ref } = await open(ctx, work);
  const machine = await driver.getServer(access, ref);
  if (machine.isBusy) return undefined;
  if (machine.state === "stopped") await driver.powerOn(access, ref);
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

async function settleResize(tx: PoolClient, workflow: Workflow<ResizeData>): Promise<void> {
  const { orderId, to, price } = workflow.data;
  // After the change the machine has the new type, even if it does not start.
  const isResized = workflow.state === "succeeded" || workflow.phase === "start";
  if (isResized) await saveResized(tx, { id: orderId }, { serverType: to, price });
  const error =
    workflow.state === "succeeded" ? "The server was resized and is starting." : `The resize failed: ${workflow.error}`;
  const server = await recordConnection(tx, workflow.subjectId, { status: 0, error });
  if (server) await emitServer(tx, server);
}
