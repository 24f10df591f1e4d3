import type { PoolClient } from "pg";
import type { Db } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { emitEvent } from "../../engine/events.ts";
import type { Queue } from "../../engine/queue/queue.ts";
import { listSyncs, touchAll } from "../../engine/reconcile/reconcile.ts";
import { inSync } from "../../engine/reconcile/target.ts";
import { actsAsAccount, can } from "../../http/actor.ts";
import { type PageRequest, pageOf, paginated } from "../../http/pagination.ts";
import type { Partly, RequestContext } from "../../http/route.ts";
import { AppError, type FieldErrors, invalid, notFound } from "../../lib/errors.ts";
import { refuseRestricted } from "../organizations/actions.ts";
import { findServer, lockReachableServer } from "../servers/queries.ts";
import { accessCapabilities } from "./capabilities.ts";
import {
  countKeys,
  countKeysOfOwner,
  deleteKeyRow,
  findKey,
  holdKey,
  insertAccess,
  insertKey,
  listAccess,
  listKeys,
  lockKey,
  removeAccess,
  removeAccessOfKey,
  type ServerOfAccess,
} from "./queries.ts";
import {
  type AccessRequest,
  type AccessRow,
  type KeyOwner,
  keysPerOwner,
  keysPerServer,
  type SshKeyQuery,
  type SshKeyRequest,
  type SshKeyRow,
  sshKeysKind,
} from "./schema.ts";
import { parsePublicKey } from "./validation.ts";

// Keys -------------------------------------------------------------------------------------------------------------------

const perPage = 25;

export async function showKeys({ pool, actor }: RequestContext, { owner, ...query }: SshKeyQuery) {
  const page: PageRequest = pageOf(query, perPage);
  const [keys, total] = await Promise.all([listKeys(pool, actor, { owner, page }), countKeys(pool, actor, owner)]);
  return paginated(page, total, keys);
}

export async function showKey({ pool, actor }: RequestContext, id: number): Promise<SshKeyRow> {
  const key = await findKey(pool, actor, id);
  if (!key) throw notFound("The SSH key");
  return key;
}

/** The errors of a key beyond the schema. */
export function checkKey(_: RequestContext, { body }: { body: Partly<SshKeyRequest> }): FieldErrors {
  const parsed = body.public_key === undefined ? undefined : parsePublicKey(body.public_key);
  return typeof parsed === "string" ? { public_key: parsed } : {};
}

export async function addKey(ctx: RequestContext, { name, public_key: text, owner = "user" }: SshKeyRequest) {
  refuseForOthers(ctx, owner);
  const parsed = parsePublicKey(text);
  if (typeof parsed === "string") throw invalid({ public_key: parsed });
  const { userId, organizationId } = ctx.actor;
  const ownedBy = owner === "user" ? { userId, organizationId: null } : { userId: null, organizationId };
  const data = await transaction(ctx.pool, async (tx) => {
    if ((await countKeysOfOwner(tx, ownedBy)) >= keysPerOwner) {
      throw new AppError("refused", `${whose[owner]} ${keysPerOwner} SSH keys, and more are not possible.`);
    }
    const { line: publicKey, fingerprint } = parsed;
    const key = await insertKey(tx, { ...ownedBy, name, publicKey, fingerprint });
    if (!key) throw invalid({ public_key: `${whose[owner]} this key already: ${fingerprint}.` });
    return key;
  });
  return { message: `The key ${name} was added.`, data };
}

const whose: Record<KeyOwner, string> = { user: "You have", organization: "The organization has" };

/**
 * A person's key belongs to the account, in every organization of the person: a narrower token must not add one that others would
 * then trust as the person's. An organization's key is on servers out of a restricted member's reach.
 */
function refuseForOthers(ctx: RequestContext, owner: KeyOwner): void {
  if (owner === "organization") {
    if (!can(ctx.actor, "organization:manage")) {
      throw new AppError("forbidden", "This needs the permission organization:manage.");
    }
    refuseRestricted(ctx, "SSH keys of the organization");
  } else if (!actsAsAccount(ctx.actor)) {
    throw new AppError(
      "forbidden",
      "Your own SSH keys are changed with a session, or a token with * for all organizations.",
    );
  }
}

/** Deletes a key and removes it from all servers. */
export async function deleteKey(ctx: RequestContext, id: number) {
  const { key, servers } = await transaction(ctx.pool, async (tx) => {
    const key = await lockKey(tx, ctx.actor, id);
    if (!key) throw notFound("The SSH key");
    if (key.owner === "user" && key.user_id !== ctx.actor.userId) {
      throw new AppError(
        "forbidden",
        "Only the person whose key it is can delete it. Take it away from servers instead.",
      );
    }
    refuseForOthers(ctx, key.owner);
    const servers = await removeAccessOfKey(tx, id);
    await deleteKeyRow(tx, id);
    await serversChanged(tx, ctx.queue, servers);
    return { key, servers: servers.length };
  });
  const from = servers === 0 ? "" : ` It is being taken away from ${servers} ${servers === 1 ? "server" : "servers"}.`;
  return { message: `The key ${key.name} was deleted.${from}` };
}

// Keys on servers ----------------------------------------------------------------------------------------------------------

export async function showAccess({ pool, actor }: RequestContext, serverId: number) {
  if (!(await findServer(pool, actor, serverId))) throw notFound("The server");
  return withSync(pool, serverId, await listAccess(pool, actor, serverId));
}

async function withSync(db: Db, serverId: number, access: readonly AccessRow[]) {
  const sync = (await listSyncs(db, sshKeysKind, [serverId])).get(serverId) ?? inSync;
  return access.map((each) => ({ ...each, sync }));
}

/** Puts a key onto a server. The server follows as soon as it responds. */
export async function grantAccess(
  ctx: RequestContext,
  serverId: number,
  { ssh_key_id, account = "root" }: AccessRequest,
) {
  return transaction(ctx.pool, async (tx) => {
    const server = await lockReachableServer(tx, ctx.actor, serverId);
    if (!server) throw notFound("The server");
    await accessCapabilities.refuse("grant_ssh_access", server, {
      opens_this_machine: () => server.is_this_machine && ctx.actor.role !== "Owner",
      too_many: async () => (await listAccess(tx, ctx.actor, serverId)).length >= keysPerServer,
    });
    const key = await holdKey(tx, ctx.actor, ssh_key_id);
    if (!key) throw invalid({ ssh_key_id: `There is no SSH key ${ssh_key_id}.` });
    const access = await insertAccess(tx, { serverId, key, account, grantedBy: ctx.actor.userId });
    if (!access) throw invalid({ ssh_key_id: `${key.name} is on ${server.name} already.` });
    await serversChanged(tx, ctx.queue, [server]);
    const [data] = await withSync(tx, serverId, [access]);
    if (!data) throw new Error("The access was not stored.");
    return { message: `${key.name} is being put onto ${server.name} and opens ${account} there.`, data };
  });
}

export async function endAccess(ctx: RequestContext, { id: serverId, access }: { id: number; access: number }) {
  return transaction(ctx.pool, async (tx) => {
    const server = await lockReachableServer(tx, ctx.actor, serverId);
    if (!server || !(await removeAccess(tx, serverId, access))) throw notFound("The SSH access");
    await serversChanged(tx, ctx.queue, [server]);
    return { message: `The key is being taken away from ${server.name}.` };
  });
}

/** Makes servers follow the rows of their keys, which the caller has changed, and announces the change. */
export async function serversChanged(tx: PoolClient, queue: Queue, servers: readonly ServerOfAccess[]): Promise<void> {
  await touchAll(
    tx,
    queue,
    servers.map(({ id }) => ({ ...sshKeysKind, subjectId: id, serverId: id })),
  );
  for (const server of servers) await emitAccess(tx, server);
}

/** A visible field of the server's SSH access changed. */
export const emitAccess = (tx: PoolClient, { id, organization_id: organizationId }: ServerOfAccess): Promise<void> =>
  emitEvent(tx, { organizationId, serverId: id, name: "ssh_access.updated", data: { id } });
