import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import type { Static } from "typebox";
import { transaction } from "../../db/transaction.ts";
import { emitEvent } from "../../engine/events.ts";
import { findRunOf, listRunSteps } from "../../engine/queries.ts";
import { pageOf, paginated } from "../../http/pagination.ts";
import type { RequestContext } from "../../http/route.ts";
import { AppError, type FieldErrors, invalid, notFound } from "../../lib/errors.ts";
import { planLimits } from "../accounts/schema.ts";
import { connectCommand, makeKeyPair } from "./access.ts";
import { connectQueue, provisionKind, removeKeyQueue } from "./jobs.ts";
import {
  countServers,
  countServersForLimit,
  deleteServerRow,
  findServer,
  findServerForWork,
  insertOwnDatabase,
  insertServer,
  listServers,
} from "./queries.ts";
import type { ServerRequest, ServerRow } from "./schema.ts";
import { setupRecord, stepRecord } from "./setup.ts";

const serversPerPage = 10;

export async function showServers(ctx: RequestContext, query: { page?: unknown; per_page?: unknown }) {
  const page = pageOf(query, serversPerPage);
  const [data, total] = await Promise.all([listServers(ctx.pool, ctx.actor, page), countServers(ctx.pool, ctx.actor)]);
  return paginated(page, total, data);
}

export async function getServer(ctx: RequestContext, id: number): Promise<ServerRow> {
  const server = await findServer(ctx.pool, ctx.actor, id);
  if (!server) throw notFound("The server");
  return server;
}

/**
 * Registers a custom server and starts to connect to it. The machine lets Longshore in once its owner has run the
 * answer's `connect_command` on it.
 */
export async function createServer(ctx: RequestContext, body: Static<typeof ServerRequest>) {
  const fields = await checkRequest(ctx, body);
  const keys = makeKeyPair("longshore");
  const serverId = await transaction(ctx.pool, async (tx) => {
    await refuseOverLimit(ctx, await countServersForLimit(tx, ctx.actor.organizationId));
    const id = await insertServer(tx, {
      ...fields,
      organizationId: ctx.actor.organizationId,
      sshPublicKey: keys.publicKey,
      sshPrivateKey: ctx.secrets.encrypt(keys.privateKey),
    });
    if (id === undefined) throw addressTaken();
    if (fields.databaseEngine !== "none") await insertOwnDatabase(tx, id, ownDatabase(ctx, fields.databaseEngine));
    await ctx.queue.enqueue(tx, connectQueue, { serverId: id }, { key: String(id) });
    await emitEvent(tx, {
      organizationId: ctx.actor.organizationId,
      serverId: id,
      name: "server.updated",
      data: { id },
    });
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

const ownDatabase = (ctx: RequestContext, engine: "mariadb" | "postgresql") => ({
  database_type: engine,
  database_name: "longshore",
  username: "longshore",
  password: ctx.secrets.encrypt(randomBytes(24).toString("base64url")),
});

const addressTaken = () => invalid({ public_ip: "The public address is used by another server." });

async function checkRequest(ctx: RequestContext, body: Static<typeof ServerRequest>) {
  const { provider_type: providerType = "custom", server_type: serverType = 0, timezone = "UTC" } = body;
  const errors: FieldErrors = {};
  if (providerType !== "custom") {
    errors.provider_type = `Ordering from ${providerType} is not possible: this installation has no driver for it.`;
  } else if (!body.public_ip) {
    errors.public_ip = "The public address is required.";
  } else if (!isIP(body.public_ip)) {
    errors.public_ip = "The public address must be an IPv4 or IPv6 address.";
  }
  if (!isTimezone(timezone))
    errors.timezone = "The timezone must be a name of the time zone database, such as Europe/Berlin.";
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const usual = serverType === 0 || serverType === 1 ? "mariadb" : "none";
  return {
    name: body.name ?? `server-${randomBytes(3).toString("hex")}`,
    serverType,
    serverOs: body.server_os,
    environment: body.environment ?? null,
    publicIp: body.public_ip as string,
    sshPort: body.ssh_port ?? 22,
    timezone,
    databaseEngine: body.database_engine ?? (usual as "mariadb" | "none"),
    notes: body.notes ?? null,
  };
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return /^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name);
  } catch {
    return false;
  }
}

async function refuseOverLimit(ctx: RequestContext, count: number): Promise<void> {
  const limit = planLimits[ctx.actor.plan as keyof typeof planLimits].servers;
  if (limit === null || count < limit) return;
  throw new AppError(
    "plan_limit",
    `The ${ctx.actor.plan} plan allows ${limit} server. Upgrade the plan to add another one.`,
  );
}

/** Deletes the record with everything on it; a custom machine keeps running, only the key is taken out of it. */
export async function deleteServer(ctx: RequestContext, id: number) {
  const server = await transaction(ctx.pool, async (tx) => {
    const work = await findServerForWork(tx, id);
    const deleted = await deleteServerRow(tx, ctx.actor, id);
    if (!deleted || !work) throw notFound("The server");
    const { name, public_ip, ssh_port, ssh_public_key, host_key } = work;
    await ctx.queue.enqueue(tx, removeKeyQueue, {
      name,
      host: public_ip,
      port: ssh_port,
      publicKey: ssh_public_key,
      hostKey: host_key,
      deletedAt: Date.now(),
      privateKey: work.ssh_private_key.toString("base64"),
    });
    await emitEvent(tx, {
      organizationId: ctx.actor.organizationId,
      serverId: id,
      name: "server.deleted",
      data: { id },
    });
    return deleted;
  });
  await ctx.hosts.forget(id);
  return { message: `${server.name} was deleted. The machine keeps running.`, server_id: id };
}

/** The setup record: how far provisioning is, what failed, what took long. */
export async function showSetup(ctx: RequestContext, id: number, includeSteps: boolean) {
  const server = await getServer(ctx, id);
  const run = await findRunOf(ctx.pool, provisionKind, id);
  const steps = run ? await listRunSteps(ctx.pool, run.id) : [];
  const record = setupRecord(id, run, steps);
  const error = record.error ?? server.connection_error;
  return { ...record, error, ...(includeSteps ? { steps: steps.map(stepRecord) } : {}) };
}
