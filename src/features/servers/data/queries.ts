import { changed, type Db, row, rows, sql } from "../../../db/sql.ts";
import type { ServerType } from "../../../host/distribution.ts";
import { provisionKind } from "../queries.ts";
import type { DatabaseEngine } from "../schema.ts";

// What belongs to servers with data: the database that comes with one, and whom its firewall lets in.

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
    insert into databases (server_id, database_type, database_name, username, password, created_by_user)
    values (${serverId}, ${database.database_type}, ${database.database_name}, ${database.username},
      ${database.password}, false)
  `);
}

export const findOwnDatabase = (db: Db, serverId: number): Promise<ServerDatabase | undefined> =>
  row(
    db,
    sql`
      select id, database_type, database_name, username, password from databases
      where server_id = ${serverId} and not created_by_user
    `,
  );

/** Records whether the database that comes with a server was created. One that exists stays so when a later setup fails. */
export async function settleOwnDatabase(tx: Db, serverId: number, status: 1 | 2, notes: string | null): Promise<void> {
  await tx.query(sql`
    update databases set status = ${status}, notes = ${notes}
    where server_id = ${serverId} and not created_by_user and not (status = 1 and ${status} = 2)
  `);
}

// What may reach the data on server s: the public and private addresses of its organization's other servers, once they have been
// connected to. A record alone is no server: everyone who may add one could name any address.
const peerAddresses = sql`
  array(
    select distinct host(address)
    from servers other cross join lateral unnest(array[other.public_ip, other.private_ip]) address
    where other.organization_id = s.organization_id and other.id <> s.id and other.host_key is not null
      and address is not null
    order by 1
  )
`;

/** Addresses of the organization's other servers that have been connected to, public and private, sorted. */
export async function listPeerAddresses(db: Db, serverId: number): Promise<string[]> {
  const found = await row<{ peers: string[] }>(
    db,
    sql`select ${peerAddresses} as peers from servers s where s.id = ${serverId}`,
  );
  return found?.peers ?? [];
}

export interface OutdatedFirewall {
  id: number;
  server_type: ServerType;
  database_engine: DatabaseEngine;
  ssh_port: number;
  /** Whom it should let through. */
  peers: string[];
}

export const peersKind = "peers";

/**
 * Servers with data that can be reached and whose firewall lets others through than it should. One on which a run is
 * under way, or was lately in vain, is left alone.
 */
export const listOutdatedFirewalls = (db: Db, limit: number): Promise<OutdatedFirewall[]> =>
  rows(
    db,
    sql`
      select * from (
        select s.id, s.server_type, s.database_engine, s.ssh_port, s.allowed_peers, ${peerAddresses} as peers
        from servers s
        where s.server_type in (1, 2, 3) and s.server_status = 10 and s.connection_status = 1
          and not exists (
            select 1 from runs r
            where r.server_id = s.id and r.kind in (${peersKind}, ${provisionKind})
              and (r.ended_at is null
                or (r.state <> 'succeeded' and r.ended_at > clock_timestamp() - interval '10 minutes'))
          )
      ) compared
      where allowed_peers is distinct from peers limit ${limit}
    `,
  );

/** Notes whom a server's firewall is told to let through; false when it had been told so already. */
export async function claimAllowedPeers(tx: Db, id: number, peers: readonly string[] | null): Promise<boolean> {
  const query = sql`
    update servers set allowed_peers = ${peers}::text[] where id = ${id} and allowed_peers is distinct from ${peers}::text[]
  `;
  return (await changed(tx, query)) === 1;
}

/** Keeps the password of a server's Redis or Meilisearch, unless it has one already or carries neither. */
export async function keepServicePassword(tx: Db, id: number, password: Buffer): Promise<void> {
  await tx.query(sql`
    update servers set service_password = ${password}
    where id = ${id} and server_type in (2, 3) and service_password is null
  `);
}

export async function findServicePassword(db: Db, id: number): Promise<Buffer | undefined> {
  const found = await row<{ service_password: Buffer | null }>(
    db,
    sql`select service_password from servers where id = ${id}`,
  );
  return found?.service_password ?? undefined;
}
