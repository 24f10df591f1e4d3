import { randomBytes } from "node:crypto";
import type { PoolClient } from "pg";
import { transaction } from "../../db/transaction.ts";
import { wakeDispatch } from "../../engine/dispatch.ts";
import { makeKeyPair } from "../../host/key-pair.ts";
import { type PageRequest, pageOf, paginated, totalOf } from "../../http/pagination.ts";
import type { RequestContext } from "../../http/route.ts";
import { AppError, type FieldErrors, invalid, notFound } from "../../lib/errors.ts";
import { type PlanName, planLimits } from "../accounts/schema.ts";
import { connectCommand } from "./access.ts";
import { addressError } from "./connections.ts";
import { insertOwnDatabase } from "./data/queries.ts";
import { emitServer } from "./events.ts";
import { connectQueue } from "./jobs.ts";
import { isSetupOutdated } from "./planning.ts";
import {
  addToReach,
  countVisibleServers,
  findProvider,
  findServer,
  findVisibleServer,
  insertServer,
  isAddressUsed,
  listVisibleServers,
  lockReachableServer,
  lockServerCount,
  notifyAddress,
  pinnedServer,
  type ServerSettings,
  saveSettings,
  unpinnedServer,
  type VisibleServerRow,
} from "./queries.ts";
import type { CloudServer, CloudType, CustomServer, DatabaseEngine, ServerRow, ServerUpdate } from "./schema.ts";
import { touchTimezone } from "./timezone.ts";
import { readOrder, type ServerOrder } from "./validation.ts";

const serversPerPage = 10;

// Reading ----------------------------------------------------------------------------------------------------------------

export async function showServers(ctx: RequestContext, query: { page?: unknown; per_page?: unknown }) {
  const page: PageRequest = pageOf(query, serversPerPage);
  const servers = await listVisibleServers(ctx.pool, ctx.actor, page);
  const total = await totalOf(page, servers, () => countVisibleServers(ctx.pool, ctx.actor));
  return paginated(
    page,
    total,
    servers.map((server) => serverRecord(ctx, server)),
  );
}

export async function showServer(ctx: RequestContext, id: number) {
  const server = await findVisibleServer(ctx.pool, ctx.actor, id);
  if (!server) throw notFound("The server");
  return serverRecord(ctx, server);
}

// Where the membership only lists a project on a server, the server is a name to show beside it and nothing more.
const serverRecord = (ctx: RequestContext, { is_reachable, ...server }: VisibleServerRow) =>
  is_reachable ? { ...server, setup_is_outdated: isSetupOutdated(ctx, server) } : { id: server.id, name: server.name };

/** A server in the actor's reach with everything on it; 404 otherwise. */
export async function getServer(ctx: RequestContext, id: number): Promise<ServerRow> {
  const server = await findServer(ctx.pool, ctx.actor, id);
  if (!server) throw notFound("The server");
  return server;
}

// Creating ---------------------------------------------------------------------------------------------------------------

/** Registers a custom server, or orders one from a provider. */
export async function createServer(ctx: RequestContext, given: unknown) {
  const order = readOrder(given);
  await refuseBadOrder(ctx, order);
  return order.providerType === "custom"
    ? registerServer(ctx, order.body)
    : orderServer(ctx, order.providerType as CloudType, order.body as CloudServer);
}

// What only the database knows is said together with what the schema found.
async function refuseBadOrder(ctx: RequestContext, order: ServerOrder): Promise<void> {
  const errors: FieldErrors = { ...order.errors, ...(await recordErrors(ctx, order)) };
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

async function recordErrors(ctx: RequestContext, { providerType, body, errors }: ServerOrder): Promise<FieldErrors> {
  if (providerType === undefined || errors.body) return {};
  if (providerType === "custom") {
    if (errors.public_ip) return {};
    const refusal = addressError(ctx.config, body.public_ip);
    if (refusal) return { public_ip: refusal };
    return (await isAddressUsed(ctx.pool, body.public_ip)) ? { public_ip: addressUsed } : {};
  }
  if (errors.provider_id) return {};
  const provider = await findProvider(ctx.pool, ctx.actor, body.provider_id, providerType);
  return provider ? {} : { provider_id: `The provider must be a connection of your organization to ${providerType}.` };
}

const addressUsed = "The public address is used by another server.";

/** Nothing is billed: this version has no driver that could order. */
async function orderServer(ctx: RequestContext, providerType: CloudType, body: CloudServer): Promise<never> {
  await transaction(ctx.pool, async (tx) => refuseOverLimit(tx, ctx.actor.organizationId));
  const provider = await findProvider(ctx.pool, ctx.actor, body.provider_id, providerType);
  throw invalid({
    provider_type:
      `${provider?.name ?? "The provider"} (${providerType}) cannot be ordered from: this installation has no driver ` +
      "for it. Order the machine there yourself, and add it as a custom server.",
  });
}

/**
 * Registers a custom server and starts to connect to it. The machine lets Longshore in once its owner has run the
 * answer's `connect_command` on it.
 */
async function registerServer(ctx: RequestContext, body: CustomServer) {
  const keys = makeKeyPair("longshore");
  const serverId = await transaction(ctx.pool, async (tx) => {
    await refuseOverLimit(tx, ctx.actor.organizationId);
    const id = await insertServer(tx, {
      ...settingsOf(body),
      organizationId: ctx.actor.organizationId,
      sshPublicKey: keys.publicKey,
      sshPrivateKey: ctx.secrets.encrypt(keys.privateKey),
    });
    if (id === undefined) throw invalid({ public_ip: addressUsed });
    await addOwnDatabase(ctx, tx, id, settingsOf(body).databaseEngine);
    await addToReach(tx, ctx.actor, id);
    await ctx.queue.enqueue(tx, connectQueue, { serverId: id }, { key: String(id) });
    await emitServer(tx, { id, organization_id: ctx.actor.organizationId });
    return id;
  });
  return {
    status: "provisioning" as const,
    message: "The server was added. Run the connect command on it as root; its setup begins as soon as it lets us in.",
    server_id: serverId,
    public_key: keys.publicKey,
    connect_command: connectCommand(keys.publicKey),
  };
}

function settingsOf(body: CustomServer) {
  const serverType = body.server_type ?? 0;
  const usual: DatabaseEngine = serverType === 0 || serverType === 1 ? "mariadb" : "none";
  return {
    name: body.name ?? `server-${randomBytes(3).toString("hex")}`,
    serverType,
    serverOs: body.server_os,
    environment: body.environment ?? null,
    publicIp: body.public_ip,
    sshPort: body.ssh_port ?? 22,
    timezone: body.timezone ?? "UTC",
    databaseEngine: body.database_engine ?? usual,
    notes: body.notes ?? null,
  };
}

async function addOwnDatabase(
  ctx: RequestContext,
  tx: PoolClient,
  serverId: number,
  engine: DatabaseEngine,
): Promise<void> {
  if (engine === "none") return;
  await insertOwnDatabase(tx, serverId, {
    database_type: engine,
    database_name: "longshore",
    username: "longshore",
    password: ctx.secrets.encrypt(randomBytes(24).toString("base64url")),
  });
}

/** Refuses one server more than the organization's plan allows; what is counted stays true until the commit. Returns the plan. */
export async function refuseOverLimit(tx: PoolClient, organizationId: number): Promise<PlanName> {
  const { plan, count } = await lockServerCount(tx, organizationId);
  const limit = planLimits[plan].servers;
  if (limit === null || count < limit) return plan;
  throw new AppError(
    "plan_limit",
    `The ${plan} plan allows ${limit} server. Upgrade the organization's plan to add another one.`,
  );
}

// Changing ---------------------------------------------------------------------------------------------------------------

/** Changes what was sent; omitted fields keep their values. */
export async function updateServer(ctx: RequestContext, id: number, change: ServerUpdate) {
  await transaction(ctx.pool, async (tx) => {
    const server = await lockReachableServer(tx, ctx.actor, id);
    if (!server) throw notFound("The server");
    const settings = changed(server, change);
    refuseAddressChange(ctx, server, settings);
    await saveSettings(tx, id, settings).catch(refuseUsedAddress);
    if (isElsewhere(server, settings)) await notifyAddress(tx, id);
    if (hasMoreRoom(server, settings)) await wakeDispatch(tx, ctx.queue, id);
    if (server.timezone !== settings.timezone) await touchTimezone(tx, ctx.queue, id);
    await emitServer(tx, server);
  });
  return { message: "The server was updated.", server_id: id };
}

// Where a server is decides who is let into the data of others, and where Longshore connects to.
function refuseAddressChange({ actor, config }: RequestContext, before: ServerSettings, after: ServerSettings): void {
  if (!isElsewhere(before, after) && before.private_ip === after.private_ip) return;
  if (actor.restriction || (actor.role !== "Owner" && actor.role !== "Admin")) {
    throw new AppError(
      "forbidden",
      "Only an Owner or an Admin whose membership is not restricted can change the addresses or the SSH port of a server.",
    );
  }
  const refusal = before.public_ip === after.public_ip ? undefined : addressError(config, after.public_ip ?? "");
  if (refusal) throw invalid({ public_ip: refusal });
}

/** The settings after a change, with empty texts as null. */
function changed(server: ServerRow, change: ServerUpdate): ServerSettings {
  const { name, public_ip, private_ip, ssh_port, nat_port, timezone, notes, queue_limit, environment } = {
    ...server,
    ...change,
  };
  return {
    name,
    public_ip,
    private_ip: private_ip || null,
    ssh_port,
    nat_port: nat_port || null,
    timezone,
    notes,
    queue_limit: queue_limit || null,
    environment,
  };
}

const isElsewhere = (before: ServerSettings, after: ServerSettings): boolean =>
  before.public_ip !== after.public_ip || before.ssh_port !== after.ssh_port;

const hasMoreRoom = (before: ServerSettings, after: ServerSettings): boolean =>
  (after.queue_limit ?? Number.POSITIVE_INFINITY) > (before.queue_limit ?? Number.POSITIVE_INFINITY);

const uniqueViolation = "23505";

function refuseUsedAddress(error: unknown): never {
  if ((error as { code?: unknown }).code === uniqueViolation) throw invalid({ public_ip: addressUsed });
  throw error;
}

/** The user's own pin; done twice, it changes nothing. */
export async function pinServer(ctx: RequestContext, id: number) {
  if (!(await pinnedServer(ctx.pool, ctx.actor, id))) throw notFound("The server");
  return { is_pinned: true };
}

export async function unpinServer(ctx: RequestContext, id: number) {
  if (!(await unpinnedServer(ctx.pool, ctx.actor, id))) throw notFound("The server");
  return { is_pinned: false };
}
