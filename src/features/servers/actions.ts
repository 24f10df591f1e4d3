import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { PoolClient } from "pg";
import type { Static } from "typebox";
import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import { refuseChanged } from "../../http/expected.ts";
import { type PageRequest, pageOf, paginated } from "../../http/pagination.ts";
import type { Partly, RequestContext } from "../../http/route.ts";
import { isOn } from "../../http/schemas.ts";
import { AppError, type FieldErrors, invalid, notFound } from "../../lib/errors.ts";
import { commandLine } from "../../lib/program.ts";
import { addToReach } from "../accounts/queries.ts";
import { type PlanName, planLimits } from "../accounts/schema.ts";
import { connectCommand } from "./access.ts";
import { whyNoProjects } from "./capabilities.ts";
import { addressError, addressUsed, newAddressError } from "./connections.ts";
import { wakeDispatch } from "./dispatch.ts";
import { emitServer } from "./events.ts";
import { orderingOf, serverHooks } from "./hooks.ts";
import {
  countVisibleServers,
  deletePin,
  findServer,
  findVisibleServer,
  insertPin,
  insertServer,
  listVisibleServers,
  lockReachableServer,
  lockServerCount,
  type NewServer,
  notifyAddress,
  type ServerSettings,
  saveSettings,
  type VisibleServerRow,
} from "./queries.ts";
import type { CloudServer, CustomServer, ServerUpdate } from "./requests.ts";
import type { DatabaseEngine, ServerListQuery, ServerRow } from "./schema.ts";
import { isSetupOutdated } from "./setup/planning.ts";
import { listNewestSetups } from "./setup/queries.ts";
import { setupSummary } from "./setup/record.ts";
import { touchTimezone } from "./timezone.ts";

const serversPerPage = 10;

// Reading ----------------------------------------------------------------------------------------------------------------

export async function showServers(ctx: RequestContext, query: Static<typeof ServerListQuery>) {
  const page: PageRequest = pageOf(query, serversPerPage);
  const { q: text, server_type: types, state: states, provider_type: providers, sort = "id" } = query;
  const filter = { text, types, states, providers };
  const [servers, total] = await Promise.all([
    listVisibleServers(ctx.pool, ctx.actor, filter, sort, page),
    countVisibleServers(ctx.pool, ctx.actor, filter),
  ]);
  return paginated(page, total, await recordsOf(ctx, servers));
}

export async function showServer(ctx: RequestContext, id: number) {
  const server = await findVisibleServer(ctx.pool, ctx.actor, id);
  if (!server) throw notFound("The server");
  const [record] = await recordsOf(ctx, [server]);
  return record as NonNullable<typeof record>;
}

async function recordsOf(ctx: RequestContext, servers: readonly VisibleServerRow[]) {
  const ids = servers.flatMap(({ id, is_reachable }) => (is_reachable ? [id] : []));
  const [setups, orders] = await Promise.all([
    listNewestSetups(ctx.pool, ids),
    orderingOf(ctx).listProgress(ctx.pool, ids),
  ]);
  const setupOf = new Map(setups.map((setup) => [setup.server_id, setup]));
  return servers.map((server) =>
    // If the membership only lists a project on a server, only the server's name is shown beside it.
    server.is_reachable
      ? serverRecord(ctx, server, setupSummary(setupOf.get(server.id), orders.get(server.id)))
      : { id: server.id, name: server.name },
  );
}

function serverRecord(
  ctx: RequestContext,
  { is_reachable: _, usage, measured_at, ...server }: VisibleServerRow,
  setup: ReturnType<typeof setupSummary>,
) {
  const mayNeedKey = server.provider_type === "custom" && server.connection_status === 0 && !server.is_this_machine;
  const reason = whyNoProjects(server) ?? null;
  return {
    ...server,
    setup,
    usage: usage && measured_at ? { ...usage, measured_at } : null,
    accepts_projects: reason === null,
    reason,
    setup_is_outdated: isSetupOutdated(ctx, server),
    connect_command: mayNeedKey ? connectCommand(server.ssh_public_key) : null,
  };
}

/** A server in the actor's reach with everything on it; 404 otherwise. */
export async function getServer(ctx: RequestContext, id: number): Promise<ServerRow> {
  const server = await findServer(ctx.pool, ctx.actor, id);
  if (!server) throw notFound("The server");
  return server;
}

// Adding -----------------------------------------------------------------------------------------------------------------

/** The settings of every server, as stored. */
export function settingsOf(body: CustomServer | CloudServer) {
  const serverType = body.server_type ?? 0;
  const usual: DatabaseEngine = serverType === 0 || serverType === 1 ? "mariadb" : "none";
  return {
    name: body.name ?? `server-${randomBytes(3).toString("hex")}`,
    serverType,
    serverOs: body.server_os,
    environment: body.environment ?? null,
    publicIp: "public_ip" in body ? body.public_ip : null,
    sshPort: ("ssh_port" in body ? body.ssh_port : undefined) ?? 22,
    timezone: body.timezone ?? "UTC",
    databaseEngine: body.database_engine ?? usual,
    notes: body.notes ?? null,
  };
}

/**
 * Adds a server of the actor's organization, with what later features have on every server, and to the actor's reach. The id, or
 * undefined if another server has the address.
 */
export async function addServer(
  tx: PoolClient,
  ctx: RequestContext,
  server: Omit<NewServer, "organizationId">,
): Promise<number | undefined> {
  const id = await insertServer(tx, { ...server, organizationId: ctx.actor.organizationId });
  if (id === undefined) return undefined;
  for (const { onAdded } of serverHooks.of(ctx)) await onAdded?.(tx, ctx, { id, engine: server.databaseEngine });
  await addToReach(tx, ctx.actor, id);
  return id;
}

/** Rejects a server beyond the limit of the organization's plan; the count stays valid until the commit. Returns the plan. */
export async function refuseOverLimit(tx: PoolClient, organizationId: number): Promise<PlanName> {
  const { plan, count } = await lockServerCount(tx, organizationId);
  const limit = planLimits[plan].servers;
  if (limit === null || count < limit) return plan;
  throw new AppError(
    "plan_limit",
    `The ${plan} plan allows ${limit} server. Upgrade the organization's plan to add another one; an operator does that: ${commandLine(`admin plan --organization ${organizationId} --plan pro`)}`,
  );
}

// Changing ---------------------------------------------------------------------------------------------------------------

/** Whether a new address is possible, so that it is reported together with other errors. */
export async function checkUpdate(
  ctx: RequestContext,
  { params, body }: { params: { id: number }; body: Partly<ServerUpdate> },
): Promise<FieldErrors> {
  // To others the answer would show which addresses are used.
  if (body.public_ip === undefined || !mayChangeAddresses(ctx)) return {};
  const server = await findServer(ctx.pool, ctx.actor, params.id);
  if (!server || server.public_ip === body.public_ip) return {};
  const { id, is_this_machine: isThisMachine } = server;
  const error = await newAddressError(ctx, body.public_ip, { id, isThisMachine });
  return error ? { public_ip: error } : {};
}

/** Changes the given fields; omitted fields keep their values. */
export async function updateServer(ctx: RequestContext, id: number, change: ServerUpdate) {
  const isProtected = change.delete_protection === undefined ? undefined : isOn(change.delete_protection);
  // The record never claims a protection that the machine may lack: it is switched on at the provider first, and off last. A
  // failure in between can leave a machine protected without the record's claim, until the request is repeated.
  if (isProtected) {
    // Rejects the change before anything happens at the provider.
    const seen = await getServer(ctx, id);
    refuseChanged(ctx, seen);
    changedSettings(ctx, seen, change);
    await orderingOf(ctx).protect(ctx, id, true);
  }
  await saveChange(ctx, id, change);
  if (isProtected === false) await orderingOf(ctx).protect(ctx, id, false);
  return { message: "The server was updated.", server_id: id };
}

const saveChange = (ctx: RequestContext, id: number, change: ServerUpdate): Promise<void> =>
  transaction(ctx.pool, async (tx) => {
    const server = await lockReachableServer(tx, ctx.actor, id);
    if (!server) throw notFound("The server");
    refuseChanged(ctx, server);
    const settings = changedSettings(ctx, server, change);
    await saveSettings(tx, id, settings, change.delete_protection !== undefined).catch(refuseUsedAddress);
    if (isElsewhere(server, settings)) await notifyAddress(tx, id);
    const hasMoreRoom = (settings.queue_limit ?? Infinity) > (server.queue_limit ?? Infinity);
    if (hasMoreRoom) await wakeDispatch(tx, ctx.queue, id);
    if (server.timezone !== settings.timezone) await touchTimezone(tx, ctx.queue, id);
    await emitServer(tx, server);
  });

/** The settings after the change, which is rejected if the actor may not make it. */
function changedSettings(ctx: RequestContext, server: ServerRow, change: ServerUpdate): ServerSettings {
  const next = { ...server, ...change };
  // Empty texts and 0 are null.
  const settings: ServerSettings = {
    name: next.name,
    public_ip: next.public_ip,
    private_ip: next.private_ip || null,
    ssh_port: next.ssh_port,
    nat_port: next.nat_port || null,
    timezone: next.timezone,
    notes: next.notes,
    queue_limit: next.queue_limit || null,
    environment: next.environment,
    delete_protection: isOn(next.delete_protection),
  };
  refuseAddressChange(ctx, server, settings);
  return settings;
}

// A server's address decides its access to other servers' data, and where Longshore connects to.
function refuseAddressChange(ctx: RequestContext, before: ServerRow, after: ServerSettings): void {
  if (!isElsewhere(before, after) && before.private_ip === after.private_ip) return;
  if (!mayChangeAddresses(ctx)) {
    throw new AppError(
      "forbidden",
      "Only an Owner or an Admin whose membership is not restricted can change the addresses or the SSH port of a server.",
    );
  }
  const isThisMachine = before.is_this_machine;
  if (isThisMachine && before.ssh_port !== after.ssh_port) throw invalid({ ssh_port: portOfSetting });
  const refusal =
    before.public_ip === after.public_ip
      ? undefined
      : addressError(ctx.config, after.public_ip ?? "", { isThisMachine });
  if (refusal) throw invalid({ public_ip: refusal });
}

const portOfSetting =
  "Longshore itself runs on this server. The port of its SSH server is a setting of the installation: LONGSHORE_THIS_MACHINE.";

const mayChangeAddresses = ({ actor }: RequestContext): boolean =>
  !actor.restriction && (actor.role === "Owner" || actor.role === "Admin");

const isElsewhere = (before: ServerSettings, after: ServerSettings): boolean =>
  before.public_ip !== after.public_ip || before.ssh_port !== after.ssh_port;

const uniqueViolation = "23505";

function refuseUsedAddress(error: unknown): never {
  if ((error as { code?: unknown }).code === uniqueViolation) throw invalid({ public_ip: addressUsed });
  throw error;
}

/** Pins the server for the user; idempotent. */
export async function pinServer(ctx: RequestContext, id: number) {
  if (!(await insertPin(ctx.pool, ctx.actor, id))) throw notFound("The server");
  return { is_pinned: true };
}

export async function unpinServer(ctx: RequestContext, id: number) {
  if (!(await deletePin(ctx.pool, ctx.actor, id))) throw notFound("The server");
  return { is_pinned: false };
}

const meetMs = 2_000;

/**
 * Before ids are given to what is about to be made on a server: the ids continue after those that it has (engine/runs/last-ids.ts),
 * as far as it answers soon. Where it does not, the run that prepares it refuses a number that is another's.
 */
export async function meetServer({ hosts }: Pick<Context, "hosts">, serverId: number): Promise<void> {
  const met = hosts.get(serverId).catch(() => undefined);
  await Promise.race([met, delay(meetMs, undefined, { ref: false })]);
}
