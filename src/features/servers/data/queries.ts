import { constants, type Db, row, rows, sql } from "../../../db/sql.ts";
import type { Kind } from "../../../engine/kind.ts";
import type { ServerType } from "../../../host/system/distribution.ts";
import { type DatabaseEngine, serverStatus, serverTypes } from "../schema.ts";

const { database, cache, search } = constants(serverTypes);
const { provisioned } = constants(serverStatus);

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

export interface Firewall {
  serverId: number;
  serverType: ServerType;
  databaseEngine: DatabaseEngine;
  sshPort: number;
  /** The addresses that it should admit. */
  peers: readonly string[];
}

export const peersKind: Kind = { kind: "peers", subject: "server" };

/** Identifies the peers that a firewall admits; the query below compares it. */
export const peersMark = (peers: readonly string[]): string => peers.join(" ");

const firewalls = sql`
  select s.id as "serverId", s.server_type as "serverType", s.database_engine as "databaseEngine", s.ssh_port as "sshPort",
    ${peerAddresses} as peers
  from servers s where s.server_type in (${database}, ${cache}, ${search}) and s.server_status = ${provisioned}
`;

/** The firewall of a provisioned server with data. */
export const findFirewall = (db: Db, id: number): Promise<Firewall | undefined> =>
  row<Firewall>(db, sql`${firewalls} and s.id = ${id}`);

/** All servers whose firewall does not admit the present peers, as far as is known, unless its target is at work for them. */
export const listOutdatedFirewalls = (db: Db, limit: number): Promise<Firewall[]> =>
  rows<Firewall>(
    db,
    sql`
      select f.* from (${firewalls}) f
        left join targets t on t.kind = ${peersKind.kind} and t.subject_id = f."serverId" and t.server_id = f."serverId"
      where t.applied_mark is distinct from array_to_string(f.peers, ' ')
        and (t.id is null or t.applied_version = t.wanted_version)
      limit ${limit}
    `,
  );

/** Stores the password of a server's Redis or Meilisearch, unless it has one already or runs neither. */
export async function keepServicePassword(tx: Db, id: number, password: Buffer): Promise<void> {
  await tx.query(sql`
    update servers set service_password = ${password}
    where id = ${id} and server_type in (${cache}, ${search}) and service_password is null
  `);
}

export async function findServicePassword(db: Db, id: number): Promise<Buffer | undefined> {
  const found = await row<{ service_password: Buffer | null }>(
    db,
    sql`select service_password from servers where id = ${id}`,
  );
  return found?.service_password ?? undefined;
}
