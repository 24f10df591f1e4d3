import { changed, type Db, row, rows, type Sql, sql } from "../../db/sql.ts";
import type { PageRequest } from "../../http/pagination.ts";
import { type Actor, serverReach } from "../accounts/reach.ts";
import type { DatabaseEngine, ServerRow } from "./schema.ts";

const columns = (actor: Actor): Sql => sql`
  s.id, s.organization_id, s.name, s.server_type, s.environment, s.public_ip, s.private_ip, s.ssh_port, s.nat_port,
  s.timezone, s.operating_system, s.connection_status, s.connection_error, s.server_status, s.notes, s.queue_limit,
  s.monitoring_enabled,
  exists (select 1 from server_pins pin where pin.server_id = s.id and pin.user_id = ${actor.userId}) as is_pinned,
  (select count(*) from projects p where p.server_id = s.id)::integer as projects_count,
  to_char(s.created_at, 'YYYY-MM-DD HH24:MI:SS') as created_at,
  to_char(s.updated_at, 'YYYY-MM-DD HH24:MI:SS') as updated_at
`;

export const findServer = (db: Db, actor: Actor, id: number): Promise<ServerRow | undefined> =>
  row(db, sql`select ${columns(actor)} from servers s where s.id = ${id} and ${serverReach(actor)}`);

export const listServers = (db: Db, actor: Actor, page: PageRequest): Promise<ServerRow[]> =>
  rows(
    db,
    sql`
      select ${columns(actor)} from servers s where ${serverReach(actor)}
      order by s.id limit ${page.limit} offset ${page.offset}
    `,
  );

export async function countServers(db: Db, actor: Actor): Promise<number> {
  const counted = await row<{ count: number }>(db, sql`select count(*) from servers s where ${serverReach(actor)}`);
  return counted?.count ?? 0;
}

/** Servers of the whole organization, whatever the actor sees: for the plan's limit. Locks the organization's row. */
export async function countServersForLimit(tx: Db, organizationId: number): Promise<number> {
  await tx.query(sql`select 1 from organizations where id = ${organizationId} for update`);
  const counted = await row<{ count: number }>(
    tx,
    sql`select count(*) from servers where organization_id = ${organizationId}`,
  );
  return counted?.count ?? 0;
}

export interface NewServer {
  organizationId: number;
  name: string;
  serverType: number;
  serverOs: string;
  environment: string | null;
  publicIp: string;
  sshPort: number;
  timezone: string;
  databaseEngine: DatabaseEngine;
  notes: string | null;
  sshPublicKey: string;
  sshPrivateKey: Buffer;
}

/** The id, or undefined when another server of the installation has the address. */
export async function insertServer(tx: Db, server: NewServer): Promise<number | undefined> {
  const inserted = await row<{ id: number }>(
    tx,
    sql`
      insert into servers (organization_id, name, server_type, server_os, environment, public_ip, ssh_port, timezone,
        database_engine, notes, ssh_public_key, ssh_private_key)
      values (${server.organizationId}, ${server.name}, ${server.serverType}, ${server.serverOs}, ${server.environment},
        ${server.publicIp}, ${server.sshPort}, ${server.timezone}, ${server.databaseEngine}, ${server.notes},
        ${server.sshPublicKey}, ${server.sshPrivateKey})
      on conflict (public_ip) do nothing
      returning id
    `,
  );
  return inserted?.id;
}

/** Everything a worker needs of a server, without an actor: only for jobs, never for a request. */
export interface ServerForWork {
  id: number;
  organization_id: number;
  name: string;
  server_type: number;
  server_os: string;
  public_ip: string;
  ssh_port: number;
  timezone: string;
  database_engine: DatabaseEngine;
  ssh_public_key: string;
  ssh_private_key: Buffer;
  host_key: string | null;
  connection_status: number;
  connection_error: string | null;
  server_status: number;
  created_at: string;
}

export const findServerForWork = (db: Db, id: number): Promise<ServerForWork | undefined> =>
  row(
    db,
    sql`
      select id, organization_id, name, server_type, server_os, public_ip, ssh_port, timezone, database_engine,
        ssh_public_key, ssh_private_key, host_key, connection_status, connection_error, server_status, created_at
      from servers where id = ${id}
    `,
  );

/** Pins the host key by compare-and-set; false when another was pinned before. */
export async function pinnedHostKey(db: Db, id: number, hostKey: string): Promise<boolean> {
  const query = sql`
    update servers set host_key = ${hostKey} where id = ${id} and (host_key is null or host_key = ${hostKey})
  `;
  return (await changed(db, query)) === 1;
}

/** Records what a look at the connection saw; the server when that is news, undefined when nothing changed. */
export const recordConnection = (
  tx: Db,
  id: number,
  seen: { status: 0 | 1; error: string | null },
): Promise<{ id: number; organization_id: number } | undefined> =>
  row(
    tx,
    sql`
      update servers set connection_status = ${seen.status}, connection_error = ${seen.error},
        connection_checked_at = clock_timestamp()
      where id = ${id}
        and (connection_status <> ${seen.status} or connection_error is distinct from ${seen.error})
      returning id, organization_id
    `,
  );

/** Compare-and-set of server_status; undefined when it was not `from`. */
export const moveServer = (
  tx: Db,
  id: number,
  from: number,
  to: number,
): Promise<{ id: number; organization_id: number } | undefined> =>
  row(
    tx,
    sql`
      update servers set server_status = ${to}, updated_at = clock_timestamp()
      where id = ${id} and server_status = ${from} returning id, organization_id
    `,
  );

export async function setOperatingSystem(tx: Db, id: number, operatingSystem: string): Promise<void> {
  await tx.query(sql`update servers set operating_system = ${operatingSystem} where id = ${id}`);
}

/** Takes up to `limit` connected servers whose connection was not looked at for a minute; no other process takes them. */
export const claimConnectionChecks = (db: Db, limit: number): Promise<{ id: number }[]> =>
  rows(
    db,
    sql`
      update servers set connection_checked_at = clock_timestamp()
      where id in (
        select id from servers
        where server_status > 0 and connection_checked_at < clock_timestamp() - interval '1 minute'
        order by connection_checked_at limit ${limit} for update skip locked
      )
      returning id
    `,
  );

/** The deleted server, or undefined when it was out of reach or gone. What hangs from it goes with it. */
export const deleteServerRow = (
  tx: Db,
  actor: Actor,
  id: number,
): Promise<Pick<ServerForWork, "id" | "name"> | undefined> =>
  row(tx, sql`delete from servers s where s.id = ${id} and ${serverReach(actor)} returning s.id, s.name`);

export interface ServerDatabase {
  id: number;
  database_type: "mariadb" | "postgresql";
  database_name: string;
  username: string;
  password: Buffer;
}

/** Records the database that comes with a server; it is created during the setup. */
export async function insertOwnDatabase(tx: Db, serverId: number, database: Omit<ServerDatabase, "id">): Promise<void> {
  await tx.query(sql`
    insert into server_databases (server_id, database_type, database_name, username, password, created_by_user)
    values (${serverId}, ${database.database_type}, ${database.database_name}, ${database.username},
      ${database.password}, false)
  `);
}

export const findOwnDatabase = (db: Db, serverId: number): Promise<ServerDatabase | undefined> =>
  row(
    db,
    sql`
      select id, database_type, database_name, username, password from server_databases
      where server_id = ${serverId} and not created_by_user
    `,
  );

export async function settleOwnDatabase(tx: Db, serverId: number, status: 1 | 2, notes: string | null): Promise<void> {
  await tx.query(sql`
    update server_databases set status = ${status}, notes = ${notes} where server_id = ${serverId} and not created_by_user
  `);
}
