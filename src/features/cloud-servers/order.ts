import { randomBytes } from "node:crypto";
import type { PoolClient } from "pg";
import { bookkeeping, rehearse, transaction } from "../../db/transaction.ts";
import { startWorkflow } from "../../engine/workflow/start.ts";
import { makeKeyPair } from "../../host/ssh/key-pair.ts";
import { planned, planOf } from "../../http/dry-run.ts";
import { type RequestContext, withStatus } from "../../http/route.ts";
import { invalid } from "../../lib/errors.ts";
import type { OrderQuote, OrderRequest } from "../../providers/cloud/driver.ts";
import { userData } from "../../providers/cloud/user-data.ts";
import { addServer, refuseOverLimit, settingsOf } from "../servers/actions.ts";
import { emitServer } from "../servers/events.ts";
import type { CloudServer } from "../servers/requests.ts";
import type { CloudType } from "../servers/schema.ts";
import { asFieldError, fieldOf, orderRequestOf } from "./fields.ts";
import { orderKind } from "./kinds.ts";
import { catalogueAge, readCatalogue } from "./providers/catalogue.ts";
import { type Cloud, cloudForRequest, nameOf } from "./providers/connection.ts";
import { findProviderOfType, holdProvider } from "./providers/queries.ts";
import { insertOrder } from "./queries.ts";
import { findVisibleSnapshot } from "./snapshots/queries.ts";

// Concurrent requests queue for their calls to the provider: the last of a hundred waits this long.
const checkPatienceMs = 60_000;

/**
 * Orders a machine. Nothing is billed before the order's record is committed; the workflow does the rest. A dry run commits none: the
 * provider has only been asked what it sells.
 */
export async function orderServer(ctx: RequestContext, body: CloudServer, isDryRun: boolean) {
  // First, so that an organization at its limit gets only this error.
  await bookkeeping(ctx.pool, (tx) => refuseOverLimit(tx, ctx.actor.organizationId));
  const provider = await findProviderOfType(ctx.pool, ctx.actor, body.provider_id, body.provider_type);
  if (!provider) throw providerGone();
  const cloud = await cloudForRequest(ctx, provider, checkPatienceMs);
  const request = orderRequestOf(body, await imageOf(ctx, body));
  const quote = await checkOrder(ctx, cloud, request, body.snapshot_id != null);
  const { organizationId } = ctx.actor;
  const settings = settingsOf(body);
  const login = makeKeyPair("longshore");
  const carryOut = isDryRun ? rehearse : transaction;
  const serverId = await carryOut(ctx.pool, async (tx) => {
    await refuseOverLimit(tx, organizationId);
    if (!(await holdProvider(tx, provider.id))) throw providerGone();
    const id = await addServer(tx, ctx, {
      ...settings,
      providerType: body.provider_type,
      providerId: provider.id,
      price: quote.monthlyPrice,
      sshPublicKey: login.publicKey,
      sshPrivateKey: ctx.secrets.encrypt(login.privateKey),
    });
    if (id === undefined) throw new Error("A server without an address cannot have another one's.");
    const server = { id, organizationId, name: settings.name, loginKey: login.publicKey };
    await beginOrder(ctx, tx, { server, cloud, request, quote });
    await emitServer(tx, { id, organization_id: organizationId });
    return id;
  });
  if (isDryRun) return plannedOrder(`${settings.name} would be ordered from ${nameOf(ctx, provider)}`, quote);
  return withStatus(202, {
    status: "provisioning" as const,
    message: `${settings.name} was ordered from ${nameOf(ctx, provider)}. It can be used when its setup has ended.`,
    server_id: serverId,
  });
}

function plannedOrder(order: string, { monthlyPrice: price, priceProblem }: OrderQuote) {
  const cost = price
    ? `for ${price.net} ${price.currency} a month without VAT.`
    : `at a price that is not known. ${priceProblem ?? ""}`;
  const shown = price && { monthly_price_net: price.net, monthly_price_gross: price.gross, currency: price.currency };
  return planned({ message: `${order} ${cost}`.trim(), plan: planOf({ price: shown }) });
}

/** Why nothing can be ordered with a connection; undefined if it can. */
export async function connectionError(
  ctx: RequestContext,
  { id, type }: { id: number; type: CloudType },
): Promise<string | undefined> {
  const provider = await findProviderOfType(ctx.pool, ctx.actor, id, type);
  return provider ? undefined : `The provider must be a connection of your organization to ${type}.`;
}

const providerGone = () => invalid({ provider_id: "The connection to the provider was deleted." });

/** The image of a snapshot to order from; null: the provider's own of the operating system. */
async function imageOf(ctx: RequestContext, body: CloudServer): Promise<string | null> {
  if (body.snapshot_id == null) return null;
  const snapshot = await findVisibleSnapshot(ctx.pool, ctx.actor, body.snapshot_id);
  if (!snapshot || snapshot.provider_id !== body.provider_id) {
    throw invalid({ snapshot_id: "The snapshot must be one of a server of this connection." });
  }
  if (snapshot.state !== "ready" || snapshot.image_id === null) {
    throw invalid({ snapshot_id: `The snapshot ${snapshot.name} is not ready.` });
  }
  if (snapshot.server_os !== body.server_os) {
    throw invalid({ server_os: `The snapshot ${snapshot.name} is of ${snapshot.server_os}.` });
  }
  return snapshot.image_id;
}

/** Compares the order with what the provider sells. Throws 422 on the field for each rule. */
export async function checkOrder(
  ctx: RequestContext,
  cloud: Cloud,
  request: OrderRequest,
  hasSnapshot: boolean,
): Promise<OrderQuote> {
  const type = cloud.provider.provider_type;
  // Simultaneous orders share the result, to save calls to the provider.
  const known = await readCatalogue(ctx, cloud, {
    location: request.location,
    maxAgeMs: catalogueAge.orders,
    field: fieldOf(type, "location"),
  });
  try {
    return await cloud.driver.checkOrder(cloud.access, request, known);
  } catch (error) {
    throw asFieldError(type, error, hasSnapshot);
  }
}

/** Records an order for a server and starts it: it begins when the transaction commits. */
export async function beginOrder(
  ctx: RequestContext,
  tx: PoolClient,
  {
    server,
    cloud,
    request,
    quote,
  }: {
    server: { id: number; organizationId: number; name: string; loginKey: string };
    cloud: Cloud;
    request: OrderRequest;
    quote: OrderQuote;
  },
): Promise<void> {
  const hostKey = makeKeyPair("longshore-first-boot");
  const orderId = await insertOrder(tx, {
    organizationId: server.organizationId,
    serverId: server.id,
    serverName: server.name,
    providerId: cloud.provider.id,
    providerType: cloud.provider.provider_type,
    key: `order-${randomBytes(8).toString("hex")}`,
    request: { ...request, image: quote.image, ownImage: request.image ?? null },
    price: quote.monthlyPrice,
    priceProblem: quote.priceProblem ?? null,
    userData: ctx.secrets.encrypt(userData({ loginKey: server.loginKey, hostKey })),
    bootHostKey: hostKey.publicKey.split(" ").slice(0, 2).join(" "),
  });
  await startWorkflow(tx, ctx.queue, {
    ...orderKind,
    subjectId: orderId,
    organizationId: server.organizationId,
    data: {
      isStatic: cloud.driver.staticAddress === "optional" && request.useStaticAddress,
      hasFirewall: request.useFirewall,
    },
  });
}
