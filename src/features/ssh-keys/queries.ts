import { limitOf } from "../../db/page.ts";
import { changed, type Db, empty, row, rows, type Sql, sql } from "../../db/sql.ts";
import type { PageRequest } from "../../http/pagination.ts";
import { type Actor, can, serverReach } from "../accounts/reach.ts";
import type { AccessRow, KeyOwner, SshKeyRow } from "./schema.ts";

// Keys -------------------------------------------------------------------------------------------------------------------

/** Keys that the actor may see: their own, the organization's, and with server:update those of its members. `ssh_keys k` */
function sshKeyReach({ userId, organizationId, ...actor }: Actor): Sql {
  const ours = sql`(k.user_id = ${userId} or k.organization_id = ${organizationId})`;
  if (!can({ userId, organizationId, ...actor }, "server:update")) return ours;
  return sql`(${ours} or exists (
    select 1 from memberships m where m.user_id = k.user_id and m.organization_id = ${organizationId}))`;
}

const keyColumns = sql`k.id, k.name, case when k.user_id is null then 'organization' else 'user' end as owner, k.user_id,
  k.organization_id, k.public_key, k.fingerprint, k.created_at`;

const keysOf = (actor: Actor, owner: KeyOwner | undefined): Sql => sql`
  from ssh_keys k where ${sshKeyReach(actor)}
  ${owner === undefined ? empty : owner === "user" ? sql`and k.user_id is not null` : sql`and k.organization_id is not null`}`;

export const listKeys = (
  db: Db,
  actor: Actor,
  { owner, page }: { owner: KeyOwner | undefined; page: PageRequest },
): Promise<SshKeyRow[]> => rows(db, sql`select ${keyColumns} ${keysOf(actor, owner)} order by k.id ${limitOf(page)}`);

export const countKeys = async (db: Db, actor: Actor, owner: KeyOwner | undefined): Promise<number> =>
  (await row<{ count: number }>(db, sql`select count(*) ${keysOf(actor, owner)}`))?.count ?? 0;

export const findKey = (db: Db, actor: Actor, id: number): Promise<SshKeyRow | undefined> =>
  row(db, sql`select ${keyColumns} from ssh_keys k where k.id = ${id} and ${sshKeyReach(actor)}`);

/** A key in reach, locked against deletion until the end of the transaction; others may lock it too. */
export const holdKey = (tx: Db, actor: Actor, id: number): Promise<SshKeyRow | undefined> =>
  row(tx, sql`select ${keyColumns} from ssh_keys k where k.id = ${id} and ${sshKeyReach(actor)} for key share`);

/** A key in reach that is about to be deleted, locked so that it is put on no further server. */
export const lockKey = (tx: Db, actor: Actor, id: number): Promise<SshKeyRow | undefined> =>
  row(tx, sql`select ${keyColumns} from ssh_keys k where k.id = ${id} and ${sshKeyReach(actor)} for update`);

export interface NewKey {
  /** One of the two is null. */
  userId: number | null;
  organizationId: number | null;
  name: string;
  publicKey: string;
  fingerprint: string;
}

/** Undefined if its owner has it already. */
export const insertKey = (tx: Db, key: NewKey): Promise<SshKeyRow | undefined> =>
  row(
    tx,
    sql`
      insert into ssh_keys as k (user_id, organization_id, name, public_key, fingerprint)
      values (${key.userId}, ${key.organizationId}, ${key.name}, ${key.publicKey}, ${key.fingerprint})
      on conflict do nothing returning ${keyColumns}
    `,
  );

/** Counts the keys of an owner and locks its row, so that concurrent additions count each other. */
export async function countKeysOfOwner(
  tx: Db,
  { userId, organizationId }: Pick<NewKey, "userId" | "organizationId">,
): Promise<number> {
  await rows(
    tx,
    userId === null
      ? sql`select 1 from organizations where id = ${organizationId} for no key update`
      : sql`select 1 from users where id = ${userId} for no key update`,
  );
  const counted = await row<{ count: number }>(
    tx,
    sql`select count(*) from ssh_keys where user_id = ${userId} or organization_id = ${organizationId}`,
  );
  return counted?.count ?? 0;
}

export const deleteKeyRow = (tx: Db, id: number): Promise<number> =>
  changed(tx, sql`delete from ssh_keys where id = ${id}`);

// Keys on servers ----------------------------------------------------------------------------------------------------------

const accessColumns = sql`a.id, a.server_id, a.ssh_key_id, a.account, a.name, a.fingerprint,
  a.removed_at is not null as is_removed, a.granted_by, a.created_at`;

/** Keys on a server in reach, including those that it still has to remove. */
export const listAccess = (db: Db, actor: Actor, serverId: number): Promise<AccessRow[]> =>
  rows(
    db,
    sql`
      select ${accessColumns} from ssh_access a join servers s on s.id = a.server_id
      where s.id = ${serverId} and ${serverReach(actor)} order by a.id
    `,
  );

/** Undefined if the key is on the server already. */
export const insertAccess = (
  tx: Db,
  { serverId, key, account, grantedBy }: { serverId: number; key: SshKeyRow; account: "root"; grantedBy: number },
): Promise<AccessRow | undefined> =>
  row(
    tx,
    sql`
      insert into ssh_access as a (server_id, ssh_key_id, account, name, fingerprint, granted_by)
      values (${serverId}, ${key.id}, ${account}, ${key.name}, ${key.fingerprint}, ${grantedBy})
      on conflict do nothing returning ${accessColumns}
    `,
  );

/** Removes a key from a server in reach; false if it is not there. */
export const removeAccess = async (tx: Db, serverId: number, id: number): Promise<boolean> =>
  (await changed(
    tx,
    sql`
      update ssh_access set removed_at = clock_timestamp()
      where id = ${id} and server_id = ${serverId} and removed_at is null
    `,
  )) === 1;

export interface ServerOfAccess {
  id: number;
  organization_id: number;
}

/** Removes a key from all servers; returns them. */
export const removeAccessOfKey = (tx: Db, keyId: number): Promise<ServerOfAccess[]> =>
  rows(
    tx,
    sql`
      with removed as (
        update ssh_access set removed_at = clock_timestamp()
        where ssh_key_id = ${keyId} and removed_at is null returning server_id
      )
      select s.id, s.organization_id from servers s where s.id in (select server_id from removed)
    `,
  );

/**
 * A key may be on a server while it belongs to the server's organization or to one of its members who is not blocked.
 * `ssh_keys k`, `servers s`
 */
const isEntitled = sql`(k.organization_id = s.organization_id or exists (
  select 1 from memberships m join users u on u.id = m.user_id
  where m.user_id = k.user_id and m.organization_id = s.organization_id and u.blocked_at is null))`;

/**
 * Removes keys that may no longer be on their server, because the person left or the server was transferred; returns the servers.
 */
export const removeUnentitled = (tx: Db): Promise<ServerOfAccess[]> =>
  rows(
    tx,
    sql`
      with unentitled as (
        select a.id from ssh_access a join servers s on s.id = a.server_id
        where a.removed_at is null
          and not exists (select 1 from ssh_keys k where k.id = a.ssh_key_id and ${isEntitled})
        order by a.id for no key update of a skip locked
      ), removed as (
        update ssh_access set removed_at = clock_timestamp() where id in (select id from unentitled) returning server_id
      )
      select s.id, s.organization_id from servers s where s.id in (select server_id from removed)
    `,
  );

export interface KeyOnServer {
  id: number;
  public_key: string;
}

/** Without an actor: for the server's plan. Omits keys that may no longer be there, even if the access rows have them. */
export const listKeysOnServer = (db: Db, serverId: number): Promise<KeyOnServer[]> =>
  rows(
    db,
    sql`
      select k.id, k.public_key from ssh_access a join ssh_keys k on k.id = a.ssh_key_id join servers s on s.id = a.server_id
      where a.server_id = ${serverId} and a.removed_at is null and ${isEntitled} order by k.id
    `,
  );

/** The server has removed them. */
export const deleteRemovedAccess = (tx: Db, serverId: number): Promise<number> =>
  changed(tx, sql`delete from ssh_access where server_id = ${serverId} and removed_at is not null`);
