import { limitOf } from "../../db/page.ts";
import { type Db, row, rows, type Sql, sql } from "../../db/sql.ts";
import type { PageRequest } from "../../http/pagination.ts";
import type { CloudPrice, CloudResource, RemainingResource } from "../../providers/cloud/driver.ts";
import { type Actor, serverReach } from "../accounts/reach.ts";
import { replaceHostKey, saveMachineAddress, savePrice } from "../servers/ordered/queries.ts";
import type { CloudType } from "../servers/schema.ts";
import { orderKind } from "./kinds.ts";
import type { OrderRow, OrderState, StoredPrice, StoredRequest } from "./schema.ts";

// Orders ---------------------------------------------------------------------------------------------------------------

const columns = sql`
  o.id, o.organization_id, o.server_id, o.provider_id, o.provider_type, o.server_name, o.key, o.location, o.request,
  o.server_ref, o.resources, host(o.public_ip) as public_ip, o.state, o.error, o.remaining,
  round(o.monthly_price_net, 2)::text as monthly_price_net, round(o.monthly_price_gross, 2)::text as monthly_price_gross,
  o.price_currency, o.price_problem, o.boot_host_key, o.host_key, o.created_at, o.active_at, o.ended_at
`;

/**
 * Orders of servers in the actor's reach. Orders whose server was deleted are outside every restriction: a restricted member does
 * not see them.
 */
const orderReach = (actor: Actor): Sql =>
  actor.restriction
    ? sql`(o.organization_id = ${actor.organizationId}
        and exists (select 1 from servers s where s.id = o.server_id and ${serverReach(actor)}))`
    : sql`o.organization_id = ${actor.organizationId}`;

export const listVisibleOrders = (db: Db, actor: Actor, page: PageRequest): Promise<(OrderRow & { total: number })[]> =>
  rows(
    db,
    sql`
      select ${columns}, (select count(*) from server_orders o where ${orderReach(actor)}) as total
      from server_orders o where ${orderReach(actor)} order by o.id desc ${limitOf(page)}
    `,
  );

export async function countVisibleOrders(db: Db, actor: Actor): Promise<number> {
  const counted = await row<{ count: number }>(
    db,
    sql`select count(*) from server_orders o where ${orderReach(actor)}`,
  );
  return counted?.count ?? 0;
}

export const findVisibleOrder = (db: Db, actor: Actor, id: number): Promise<OrderRow | undefined> =>
  row(db, sql`select ${columns} from server_orders o where o.id = ${id} and ${orderReach(actor)}`);

/** Without an actor: only for jobs. */
export const findOrder = (db: Db, id: number): Promise<OrderRow | undefined> =>
  row(db, sql`select ${columns} from server_orders o where o.id = ${id}`);

/** The newest order of a server; the caller has checked that the server is in reach, or is a job. */
export const findOrderOfServer = (db: Db, serverId: number): Promise<OrderRow | undefined> =>
  row(db, sql`select ${columns} from server_orders o where o.server_id = ${serverId} order by o.id desc limit 1`);

/** The newest order of each of the servers, with its workflow. */
export const listOrdersOfServers = (
  db: Db,
  serverIds: readonly number[],
): Promise<(Pick<OrderRow, "state" | "error"> & { server_id: number; workflow_id: number | null })[]> =>
  rows(
    db,
    sql`
      select o.server_id, o.state, o.error, w.id as workflow_id
      from unnest(${[...serverIds]}::bigint[]) as asked (id)
      cross join lateral (
        select id, server_id, state, error from server_orders where server_id = asked.id order by id desc limit 1
      ) o
      left join lateral (
        select id from workflows where kind = ${orderKind.kind} and subject_id = o.id order by id desc limit 1
      ) w on true
    `,
  );

/** How many orders of a connection are under way. */
export async function countOpenOrders(db: Db, providerId: number | null): Promise<number> {
  const counted = await row<{ count: number }>(
    db,
    sql`select count(*) from server_orders where provider_id = ${providerId} and state = 'ordering'`,
  );
  return counted?.count ?? 0;
}

/** Locks the order, so that its state does not change until the commit. */
export const lockOrderOfServer = (tx: Db, serverId: number): Promise<OrderRow | undefined> =>
  row(
    tx,
    sql`
      select ${columns} from server_orders o where o.server_id = ${serverId} order by o.id desc limit 1 for update
    `,
  );

export interface NewOrder {
  organizationId: number;
  serverId: number;
  serverName: string;
  providerId: number;
  providerType: CloudType;
  key: string;
  request: StoredRequest;
  price: CloudPrice | null;
  priceProblem: string | null;
  /** Encrypted. */
  userData: Buffer;
  bootHostKey: string;
}

export async function insertOrder(tx: Db, order: NewOrder): Promise<number> {
  const inserted = await row<{ id: number }>(
    tx,
    sql`
      insert into server_orders (organization_id, server_id, server_name, provider_id, provider_type, key, location,
        request, monthly_price_net, monthly_price_gross, price_currency, price_problem, user_data, boot_host_key)
      values (${order.organizationId}, ${order.serverId}, ${order.serverName}, ${order.providerId},
        ${order.providerType}, ${order.key}, ${order.request.location}, ${JSON.stringify(order.request)}::jsonb,
        ${order.price?.net ?? null}, ${order.price?.gross ?? null}, ${order.price?.currency ?? null},
        ${order.priceProblem}, ${order.userData}, ${order.bootHostKey})
      returning id
    `,
  );
  return (inserted as { id: number }).id;
}

/** Encrypted; undefined once it is no longer needed. */
export async function findUserData(db: Db, orderId: number): Promise<Buffer | undefined> {
  const found = await row<{ user_data: Buffer | null }>(
    db,
    sql`select user_data from server_orders where id = ${orderId}`,
  );
  return found?.user_data ?? undefined;
}

/** Stores the known ids of ordered resources. Stored ids stay. */
export async function saveResources(
  tx: Db,
  orderId: number,
  serverRef: string | null,
  resources: CloudResource[],
): Promise<void> {
  await tx.query(sql`
    update server_orders o set server_ref = coalesce(${serverRef}::text, o.server_ref),
      resources = (
        select coalesce(jsonb_agg(distinct resource), '[]') from (
          select jsonb_array_elements(o.resources)
          union all select jsonb_array_elements(${JSON.stringify(resources)}::jsonb)
        ) known (resource))
    where o.id = ${orderId}
  `);
}

/** The server of an order; undefined once it was deleted. Servers are locked before their orders, so they change first. */
async function findServerIdOf(tx: Db, orderId: number): Promise<number | undefined> {
  const order = await row<Pick<OrderRow, "server_id">>(
    tx,
    sql`select server_id from server_orders where id = ${orderId}`,
  );
  return order?.server_id ?? undefined;
}

/** Stores the address with the order and its server. Rejects with a unique violation when another server has it. */
export async function saveAddress(
  tx: Db,
  orderId: number,
  address: { publicIp: string; privateIp: string | null },
): Promise<void> {
  const serverId = await findServerIdOf(tx, orderId);
  if (serverId !== undefined) await saveMachineAddress(tx, serverId, address);
  await tx.query(sql`update server_orders set public_ip = ${address.publicIp} where id = ${orderId}`);
}

/** The machine's own key. Stored before sshd uses it, and pinned for the server. */
export async function saveHostKey(tx: Db, orderId: number, hostKey: string): Promise<void> {
  const serverId = await findServerIdOf(tx, orderId);
  if (serverId !== undefined) await replaceHostKey(tx, serverId, hostKey);
  await tx.query(sql`update server_orders set host_key = ${hostKey} where id = ${orderId}`);
}

export interface OrderChange {
  state: OrderState;
  error?: string | null;
}

const ended: readonly OrderState[] = ["failed", "cancelled", "removed", "left", "released"];

/** Compare-and-set of the state; undefined if it was not in `from`. */
export const moveOrder = (
  tx: Db,
  id: number,
  from: readonly OrderState[],
  { state, error = null }: OrderChange,
): Promise<OrderRow | undefined> =>
  row(
    tx,
    sql`
      update server_orders o set state = ${state}, error = ${error},
        ended_at = ${ended.includes(state) ? sql`clock_timestamp()` : sql`null`},
        active_at = ${state === "active" ? sql`coalesce(o.active_at, clock_timestamp())` : sql`o.active_at`},
        user_data = ${state === "ordering" || state === "refunding" ? sql`o.user_data` : sql`null`}
      where o.id = ${id} and o.state = any(${[...from]}::text[])
      returning ${columns}
    `,
  );

export async function saveRemaining(tx: Db, id: number, remaining: RemainingResource[]): Promise<void> {
  await tx.query(sql`
    update server_orders set remaining = ${JSON.stringify(remaining)}::jsonb,
      error = ${
        remaining.length > 0
          ? remaining
              .map((resource) => resource.reason)
              .join(" ")
              .slice(0, 2_000)
          : null
      }
    where id = ${id}
  `);
}

// Connections ------------------------------------------------------------------------------------------------------------

/** The records that still need a connection: its servers, and orders and images that are not settled. */
export const countNeeding = (
  tx: Db,
  providerId: number,
): Promise<{ servers: number; removals: number; snapshots: number } | undefined> =>
  row(
    tx,
    sql`
      select (select count(*) from servers where provider_id = ${providerId}) as servers,
        (select count(*) from server_orders where provider_id = ${providerId}
          and (state = 'refunding' or state = 'removing')) as removals,
        (select count(*) from server_snapshots where provider_id = ${providerId}) as snapshots
    `,
  );

export const listServersOf = (tx: Db, providerId: number): Promise<{ id: number; organization_id: number }[]> =>
  rows(tx, sql`select id, organization_id from servers where provider_id = ${providerId} order by id for update`);

/** Their machines become the user's own. */
export async function releaseOrders(tx: Db, providerId: number): Promise<void> {
  await tx.query(sql`
    update server_orders set state = 'released', ended_at = clock_timestamp(), user_data = null
    where provider_id = ${providerId} and state = 'active'
  `);
}

export const hasOpenOrders = async (tx: Db, providerId: number): Promise<boolean> =>
  (await row(tx, sql`select 1 from server_orders where provider_id = ${providerId} and state = 'ordering' limit 1`)) !==
  undefined;

/** Without their connection nothing more can be removed: the rest is recorded as left. */
export async function giveUpRemovals(tx: Db, providerId: number): Promise<void> {
  await tx.query(sql`
    update server_orders set state = 'left', ended_at = clock_timestamp(), user_data = null,
      error = 'The connection to the provider was deleted before all of the resources were.'
    where provider_id = ${providerId} and state in ('refunding', 'removing')
  `);
}

export async function deleteSnapshotsOf(tx: Db, providerId: number): Promise<void> {
  await tx.query(sql`delete from server_snapshots where provider_id = ${providerId}`);
}

// Costs ------------------------------------------------------------------------------------------------------------------

export type CostRow = StoredPrice & {
  id: number;
  name: string;
  provider_type: CloudType;
  price_problem: string | null;
};

export const listCosts = (db: Db, actor: Actor): Promise<CostRow[]> =>
  rows(
    db,
    sql`
      select s.id, s.name, s.provider_type, round(s.monthly_price_net, 2)::text as monthly_price_net,
        round(s.monthly_price_gross, 2)::text as monthly_price_gross, s.price_currency,
        (select o.price_problem from server_orders o where o.server_id = s.id order by o.id desc limit 1) as price_problem
      from servers s where s.provider_id is not null and ${serverReach(actor)} order by s.id
    `,
  );

export type TotalRow = {
  currency: string;
  servers_count: number;
  monthly_price_net: string;
  monthly_price_gross: string;
};

/** Summed as decimals. */
export const sumCosts = (db: Db, actor: Actor): Promise<TotalRow[]> =>
  rows(
    db,
    sql`
      select s.price_currency as currency, count(*)::integer as servers_count,
        round(sum(s.monthly_price_net), 2)::text as monthly_price_net,
        round(sum(s.monthly_price_gross), 2)::text as monthly_price_gross
      from servers s
      where s.provider_id is not null and s.monthly_price_net is not null and ${serverReach(actor)}
      group by s.price_currency order by s.price_currency
    `,
  );

// Changing a machine -----------------------------------------------------------------------------------------------------

/** With all of its digits. */
export async function findExactPrice(db: Db, orderId: number): Promise<Quote> {
  const found = await row<{ net: string | null; gross: string | null; currency: string; problem: string | null }>(
    db,
    sql`
      select monthly_price_net::text as net, monthly_price_gross::text as gross, price_currency as currency,
        price_problem as problem
      from server_orders where id = ${orderId}
    `,
  );
  const { net = null, gross = null, currency = "", problem = null } = found ?? {};
  return { price: net === null || gross === null ? null : { net, gross, currency }, problem };
}

/** A price, or why there is none. */
export interface Quote {
  price: CloudPrice | null;
  problem: string | null;
}

export async function saveResized(
  tx: Db,
  order: Pick<OrderRow, "id">,
  { serverType, price, problem }: Quote & { serverType: string },
): Promise<void> {
  const serverId = await findServerIdOf(tx, order.id);
  if (serverId !== undefined) await savePrice(tx, serverId, price);
  const [net, gross, currency] = [price?.net ?? null, price?.gross ?? null, price?.currency ?? null];
  await tx.query(sql`
    update server_orders set request = request || jsonb_build_object('serverType', ${serverType}::text),
      monthly_price_net = ${net}, monthly_price_gross = ${gross}, price_currency = ${currency},
      price_problem = ${problem}
    where id = ${order.id}
  `);
}
