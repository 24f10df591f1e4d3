import type { Pool } from "pg";
import { allOf, contains, orderOf } from "../../db/filters.ts";
import { limitOf, sharedCount } from "../../db/page.ts";
import { constants, type Db, row, rows, type Sql, sql } from "../../db/sql.ts";
import type { Kind } from "../../engine/kind.ts";
import type { Usage } from "../../host/system/usage.ts";
import type { PageRequest } from "../../http/pagination.ts";
import type { CountRow } from "../../lib/metrics.ts";
import { type Actor, serverReach, serverVisible } from "../accounts/reach.ts";
import type { PlanName } from "../accounts/schema.ts";
import {
  type ConnectionProblem,
  type DatabaseEngine,
  type ProviderType,
  type ServerRow,
  type ServerState,
  serverStatus,
} from "./schema.ts";

const { installing, provisioning, provisioned } = constants(serverStatus);
const { connected } = constants({ connected: 1 });
/** Whether a server `s` is set up and connected. */
export const isReadyServer = sql`s.server_status = ${provisioned} and s.connection_status = ${connected}`;

/** Before anyone could look, it is what was chosen: `ubuntu_24_04` is Ubuntu 24.04. */
const operatingSystem = sql`coalesce(s.operating_system, initcap(split_part(s.server_os, '_', 1)) || ' '
  || replace(regexp_replace(s.server_os, '^[^_]*_', ''), '_', '.'))`;

const columns = (actor: Actor): Sql => sql`
  s.id, s.organization_id, s.name, s.server_type, s.environment, s.public_ip, s.private_ip, s.ssh_port, s.nat_port,
  s.timezone, ${operatingSystem} as operating_system, s.connection_status, s.connection_error, s.connection_problem, s.ssh_public_key, s.server_status, s.notes,
  s.queue_limit, s.monitoring_enabled, s.database_engine, s.distribution, s.setup_version, s.provider_type, s.delete_protection,
  not s.delete_protection_is_chosen and exists (
    select 1 from placements pl where pl.server_id = s.id and pl.role in ('own', 'replica') and pl.live_release_id is not null
  ) as protects_live_projects,
  round(s.monthly_price_net, 2)::text as monthly_price_net, round(s.monthly_price_gross, 2)::text as monthly_price_gross,
  s.price_currency,
  (
    select sp.id from server_providers sp where sp.id = s.provider_id and sp.organization_id = s.organization_id
  ) as provider_id,
  exists (select 1 from server_pins pin where pin.server_id = s.id and pin.user_id = ${actor.userId}) as is_pinned,
  (select count(*) from placements pl where pl.server_id = s.id and pl.role in ('own', 'replica'))::integer
    as projects_count,
  s.is_this_machine,
  to_char(s.created_at, 'YYYY-MM-DD HH24:MI:SS') as created_at,
  to_char(s.updated_at, 'YYYY-MM-DD HH24:MI:SS') as updated_at
`;

/** Records show whole seconds, so that each change gets one of its own: clients name the change that they have seen. */
export const changedAt = sql`greatest(clock_timestamp(), date_trunc('second', updated_at) + interval '1 second')`;

/** A server with everything on it in the actor's reach. */
export const findServer = (db: Db, actor: Actor, id: number): Promise<ServerRow | undefined> =>
  row(db, sql`select ${columns(actor)} from servers s where s.id = ${id} and ${serverReach(actor)}`);

/** `is_reachable`: false for a server whose id and name only the actor may see. */
export type VisibleServerRow = ServerRow & {
  is_reachable: boolean;
  state: ServerState;
  last_seen_at: string | null;
  usage: Usage | null;
  measured_at: string | null;
};

/** The word for where a server `s` is. */
const state = sql`case s.server_status when ${installing} then 'installing' when ${provisioning} then 'provisioning'
  else case s.connection_status when ${connected} then 'ready' else 'unreachable' end end`;

const visibleColumns = (actor: Actor): Sql => sql`
  ${columns(actor)}, ${serverReach(actor)} as is_reachable, ${state} as state,
  reading.seen_at as last_seen_at, reading.usage, reading.measured_at
`;

const withReading = sql`left join server_readings reading on reading.server_id = s.id`;

export const findVisibleServer = (db: Db, actor: Actor, id: number): Promise<VisibleServerRow | undefined> =>
  row(
    db,
    sql`select ${visibleColumns(actor)} from servers s ${withReading} where s.id = ${id} and ${serverVisible(actor)}`,
  );

export interface ServerFilter {
  text: string | undefined;
  types: readonly number[] | undefined;
  states: readonly ServerState[] | undefined;
  providers: readonly ProviderType[] | undefined;
}

// Of a server that the actor sees by name only, no filter and no order shows more than that.
function matching(actor: Actor, { text, types, states, providers }: ServerFilter): Sql {
  const isHidden = types !== undefined || states !== undefined || providers !== undefined;
  return allOf([
    isHidden ? serverReach(actor) : serverVisible(actor),
    types && sql`s.server_type = any(${[...types]}::smallint[])`,
    states && sql`${state} = any(${[...states]}::text[])`,
    providers && sql`s.provider_type = any(${[...providers]}::text[])`,
    text === undefined
      ? undefined
      : sql`(${contains([sql`s.name`], text)} or (${serverReach(actor)} and ${contains(addresses, text)}))`,
  ]);
}

const addresses = [sql`coalesce(host(s.public_ip), '')`, sql`coalesce(host(s.private_ip), '')`];

const usedShare = (room: Sql): Sql =>
  sql`1 - (${room} ->> 'available_bytes')::float8 / (${room} ->> 'total_bytes')::float8`;

const sortColumns = {
  id: sql`s.id`,
  name: sql`lower(s.name)`,
  created_at: sql`s.created_at`,
  last_seen_at: sql`reading.seen_at`,
  load: sql`(reading.usage -> 'load' ->> 'one_minute')::float8 / (reading.usage -> 'load' ->> 'cores')::float8`,
  memory: usedShare(sql`reading.usage -> 'memory'`),
  disk: usedShare(sql`reading.usage -> 'disk'`),
} as const satisfies Record<string, Sql>;

export type ServerOrder = keyof typeof sortColumns | `-${keyof typeof sortColumns}`;

function orderFor(actor: Actor, sort: ServerOrder): Sql {
  const ofReachable = (column: Sql): Sql => sql`case when ${serverReach(actor)} then ${column} end`;
  const { id, name, ...hidden } = sortColumns;
  const shown = Object.fromEntries(Object.entries(hidden).map(([key, column]) => [key, ofReachable(column)]));
  return orderOf({ ...shown, id, name } as typeof sortColumns, sort, sql`s.id`);
}

// The page is a subquery, so that lookups of columns are done only for the page, not for all rows before it.
/** A page of servers. */
export const listVisibleServers = (
  db: Db,
  actor: Actor,
  filter: ServerFilter,
  sort: ServerOrder,
  page: PageRequest,
): Promise<VisibleServerRow[]> =>
  rows(
    db,
    sql`
      select ${visibleColumns(actor)}
      from (
        select s.id, row_number() over (order by ${orderFor(actor, sort)}) as place from servers s ${withReading}
        where ${matching(actor, filter)} order by place ${limitOf(page)}
      ) page join servers s on s.id = page.id ${withReading} order by page.place
    `,
  );

export const countVisibleServers = (pool: Pool, actor: Actor, filter: ServerFilter): Promise<number> =>
  sharedCount({ pool, query: sql`select count(*) as total from servers s where ${matching(actor, filter)}` });

/**
 * The organization's plan and its total number of servers, independent of the actor's reach. Locks the organization's row, so
 * that concurrent additions count each other.
 */
export async function lockServerCount(tx: Db, organizationId: number): Promise<{ plan: PlanName; count: number }> {
  const organization = await row<{ plan: PlanName }>(
    tx,
    sql`select plan from organizations where id = ${organizationId} for no key update`,
  );
  if (!organization) throw new Error(`Organization ${organizationId} is gone`);
  const counted = await row<{ count: number }>(
    tx,
    sql`select count(*) from servers where organization_id = ${organizationId}`,
  );
  return { plan: organization.plan, count: counted?.count ?? 0 };
}

/** Whether a server has the address, other than the one with this id. */
export async function isAddressUsed(db: Db, address: string, serverId?: number): Promise<boolean> {
  const query = sql`
    select 1 from servers where public_ip = ${address}::inet and id is distinct from ${serverId ?? null}::bigint
  `;
  return (await row(db, query)) !== undefined;
}

/** A monthly price, as decimal texts. */
export interface Price {
  net: string;
  gross: string;
  currency: string;
}

export interface NewServer {
  organizationId: number;
  name: string;
  serverType: number;
  serverOs: string;
  environment: string | null;
  /** null until the provider assigns one. */
  publicIp: string | null;
  sshPort: number;
  timezone: string;
  databaseEngine: DatabaseEngine;
  notes: string | null;
  providerType: ProviderType;
  providerId: number | null;
  price: Price | null;
  sshPublicKey: string;
  sshPrivateKey: Buffer;
  /** Default: false */
  isThisMachine?: boolean;
}

/** The server that is the machine of Longshore itself, whichever organization has it: never shown to others. */
export const findThisMachine = (db: Db): Promise<{ id: number; name: string } | undefined> =>
  row(db, sql`select id, name from servers where is_this_machine`);

/** Whether the organization is the first one of the installation. No organization is ever deleted. */
export const isFirstOrganization = async (db: Db, organizationId: number): Promise<boolean> =>
  (await row<{ id: number }>(db, sql`select min(id) as id from organizations`))?.id === organizationId;

/** Has other transactions that add the machine of Longshore itself wait until the end of this one. */
export async function lockThisMachine(tx: Db): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('this machine'))`);
}

/** The id, or undefined if another server of the installation has the address. */
export async function insertServer(tx: Db, server: NewServer): Promise<number | undefined> {
  const inserted = await row<{ id: number }>(
    tx,
    sql`
      insert into servers (organization_id, name, server_type, server_os, environment, public_ip, ssh_port, timezone,
        database_engine, notes, provider_type, provider_id, monthly_price_net, monthly_price_gross, price_currency,
        ssh_public_key, ssh_private_key, is_this_machine)
      values (${server.organizationId}, ${server.name}, ${server.serverType}, ${server.serverOs}, ${server.environment},
        ${server.publicIp}, ${server.sshPort}, ${server.timezone}, ${server.databaseEngine}, ${server.notes},
        ${server.providerType}, ${server.providerId}, ${server.price?.net ?? null}, ${server.price?.gross ?? null},
        ${server.price?.currency ?? null}, ${server.sshPublicKey}, ${server.sshPrivateKey}, ${server.isThisMachine ?? false})
      on conflict (public_ip) do nothing
      returning id
    `,
  );
  return inserted?.id;
}

/** All fields of a server for jobs, without an actor: never for a request. */
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
  distribution: string | null;
  ssh_public_key: string;
  ssh_private_key: Buffer;
  host_key: string | null;
  /** The address that last showed the host key. */
  seen_ip: string | null;
  connection_status: number;
  connection_error: string | null;
  connection_problem: ConnectionProblem | null;
  server_status: number;
  setup_version: string | null;
  connecting_since: string;
  is_this_machine: boolean;
  created_at: string;
}

export const findServerForWork = (db: Db, id: number): Promise<ServerForWork | undefined> =>
  row(
    db,
    sql`
      select id, organization_id, name, server_type, server_os, public_ip, ssh_port, timezone, database_engine, distribution,
        ssh_public_key, ssh_private_key, host_key, host(seen_ip) as seen_ip, connection_status, connection_error,
        connection_problem, server_status, setup_version, connecting_since, is_this_machine, created_at
      from servers where id = ${id}
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
      update servers set server_status = ${to}, updated_at = ${changedAt}
      where id = ${id} and server_status = ${from} returning id, organization_id
    `,
  );

/** The system of a server's machine: its name for people, and its distribution such as `debian 12`. */
export interface Machine {
  name: string;
  distribution: string;
}

export async function recordMachine(tx: Db, id: number, { name, distribution }: Machine): Promise<void> {
  await tx.query(sql`
    update servers set operating_system = ${name}, distribution = ${distribution} where id = ${id}
  `);
}

/** The highest id that a project ever had; 0 before the first one. */
export async function lastProjectId(db: Db): Promise<number> {
  const found = await row<{ id: number }>(
    db,
    sql`select case when is_called then last_value else 0 end as id from projects_id_seq`,
  );
  return found?.id ?? 0;
}

/** The projects that the server has: its own and those that it serves for others, and those that are to be removed from it. */
export const listProjectIds = async (db: Db, serverId: number): Promise<number[]> =>
  (
    await rows<{ id: number }>(
      db,
      sql`
        select project_id as id from placements where server_id = ${serverId}
        union select project_id from sites where load_balancer_id = ${serverId}
        union select project_id from removals where server_id = ${serverId}
      `,
    )
  ).map(({ id }) => id);

/** Reserves all project ids up to this one. */
export async function skipProjectIds(tx: Db, upTo: number): Promise<void> {
  await tx.query(sql`select setval('projects_id_seq', ${upTo}) from projects_id_seq where last_value < ${upTo}`);
}

/** Null: the version is not known. */
export async function recordSetupVersion(tx: Db, id: number, version: string | null): Promise<void> {
  await tx.query(sql`update servers set setup_version = ${version} where id = ${id}`);
}

export async function setOperatingSystem(tx: Db, id: number, operatingSystem: string): Promise<void> {
  await tx.query(sql`update servers set operating_system = ${operatingSystem} where id = ${id}`);
}

// Changes by users ------------------------------------------------------------------------------------------------------

/** The memory of a server in bytes, as it was last measured; undefined: it never was. */
export async function findTotalMemory(db: Db, id: number): Promise<number | undefined> {
  const found = await row<{ bytes: number | null }>(
    db,
    sql`select (usage -> 'memory' ->> 'total_bytes')::float8 as bytes from server_readings where server_id = ${id}`,
  );
  return found?.bytes ?? undefined;
}

/** A server in reach, locked until the commit: nothing starts on it, and no other transaction can change, move or delete it. */
export const lockReachableServer = (tx: Db, actor: Actor, id: number): Promise<ServerRow | undefined> =>
  row(tx, sql`select ${columns(actor)} from servers s where s.id = ${id} and ${serverReach(actor)} for update of s`);

export type ServerSettings = Pick<
  ServerRow,
  | "name"
  | "public_ip"
  | "private_ip"
  | "ssh_port"
  | "nat_port"
  | "timezone"
  | "notes"
  | "queue_limit"
  | "environment"
  | "delete_protection"
>;

/** Rejects with a unique violation when another server has the address. `choosesProtection`: the request names it. */
export async function saveSettings(
  tx: Db,
  id: number,
  settings: ServerSettings,
  choosesProtection: boolean,
): Promise<void> {
  await tx.query(sql`
    update servers set name = ${settings.name}, public_ip = ${settings.public_ip}, private_ip = ${settings.private_ip},
      ssh_port = ${settings.ssh_port}, nat_port = ${settings.nat_port}, timezone = ${settings.timezone},
      notes = ${settings.notes}, queue_limit = ${settings.queue_limit}, environment = ${settings.environment},
      delete_protection = ${settings.delete_protection},
      delete_protection_is_chosen = delete_protection_is_chosen or ${choosesProtection}, updated_at = ${changedAt}
    where id = ${id}
  `);
}

/** Pins a server for the actor; returns whether the server is in reach. */
export async function insertPin(db: Db, actor: Actor, id: number): Promise<boolean> {
  const pinned = await row(
    db,
    sql`
      with reachable as (select s.id, s.organization_id from servers s where s.id = ${id} and ${serverReach(actor)}),
        pin as (
          insert into server_pins (user_id, server_id, organization_id)
          select ${actor.userId}, id, organization_id from reachable on conflict do nothing
        )
      select id from reachable
    `,
  );
  return pinned !== undefined;
}

/** Unpins a server for the actor; returns whether the server is in reach. */
export async function deletePin(db: Db, actor: Actor, id: number): Promise<boolean> {
  const unpinned = await row(
    db,
    sql`
      with reachable as (select s.id from servers s where s.id = ${id} and ${serverReach(actor)}),
        pin as (delete from server_pins where user_id = ${actor.userId} and server_id in (select id from reachable))
      select id from reachable
    `,
  );
  return unpinned !== undefined;
}

/** Makes every process drop its kept connection at the commit: the address has changed, or the server is gone. */
export async function notifyAddress(tx: Db, id: number): Promise<void> {
  await tx.query(sql`select pg_notify(${addressChannel}, ${String(id)})`);
}

export const addressChannel = "longshore_addresses";

// Runs ------------------------------------------------------------------------------------------------------------------

export const setupKind: Kind = { kind: "provision", subject: "server" };
export const rebootKind: Kind = { kind: "reboot", subject: "server" };

/**
 * A condition: the server rebooted after this time, or is rebooting. The kind is written out, since the index on reboots does not
 * serve a parameter.
 */
export const rebootedSince = (serverId: Sql, time: Sql): Sql => sql`exists (
  select 1 from runs r where r.server_id = ${serverId} and r.kind = 'reboot' and (r.ended_at is null or r.ended_at > ${time})
)`;

export const listActiveRuns = (tx: Db, serverId: number): Promise<{ id: number; kind: string }[]> =>
  rows(tx, sql`select id, kind from runs where server_id = ${serverId} and ended_at is null order by id`);

/** For Prometheus. */
export const countServers = (db: Db): Promise<CountRow[]> =>
  rows(
    db,
    sql`
      select
        case server_status
          when ${installing} then 'installing' when ${provisioning} then 'provisioning' else 'provisioned'
        end as status,
        case connection_status when ${connected} then 'connected' else 'disconnected' end as connection, count(*)::integer
      from servers group by 1, 2
    `,
  );
