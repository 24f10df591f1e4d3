import { changed, type Db, row, rows, sql } from "../../../db/sql.ts";
import type { Kind } from "../../../engine/kind.ts";
import type { ServerType } from "../../../host/system/distribution.ts";
import type { DatabaseEngine } from "../schema.ts";

// Queries for servers with data: the peers that the firewall of one lets in, and the password of its service.

// The peers that may reach the data on server s: the public and private addresses of its organization's other servers, once they
// have been connected to. A record alone is not enough: anyone who may add a server could name any address.
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
  /** The addresses that it should allow. */
  peers: string[];
}

export const peersKind: Kind = { kind: "peers", subject: "server" };

const outdatedFirewalls = sql`
  select id, server_type, database_engine, ssh_port, peers from (
    select s.id, s.server_type, s.database_engine, s.ssh_port, s.allowed_peers, ${peerAddresses} as peers
    from servers s where s.server_type in (1, 2, 3) and s.server_status = 10
  ) compared
  where allowed_peers is distinct from peers
`;

/** A provisioned server with data whose firewall is outdated; undefined if it is current. */
export const findOutdatedFirewall = (db: Db, id: number): Promise<OutdatedFirewall | undefined> =>
  row<OutdatedFirewall>(db, sql`${outdatedFirewalls} and id = ${id}`);

/** All servers with an outdated firewall whose target has not been touched for it yet. */
export const listOutdatedFirewalls = (db: Db, limit: number): Promise<OutdatedFirewall[]> =>
  rows<OutdatedFirewall>(
    db,
    sql`
      ${outdatedFirewalls} and not exists (
        select 1 from targets t
        where t.kind = ${peersKind.kind} and t.server_id = compared.id and t.applied_version < t.wanted_version)
      limit ${limit}
    `,
  );

export const recordAllowedPeers = (tx: Db, id: number, peers: readonly string[]): Promise<number> =>
  changed(tx, sql`update servers set allowed_peers = ${peers}::text[] where id = ${id}`);

/** Stores the password of a server's Redis or Meilisearch, unless it has one already or runs neither. */
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
