import { constants, type Db, row, rows, sql } from "../../db/sql.ts";
import type { Loss, LossScope } from "../../http/dry-run.ts";
import { isInScope, lossOf } from "../../http/queries.ts";
import { type Actor, projectReach } from "../accounts/reach.ts";
import type { Described } from "../projects/hooks.ts";
import type {
  CertificateRow,
  CertificateState,
  Challenge,
  LeftOut,
  OrderRow,
  Outcome,
  Purpose,
  Source,
} from "./schema.ts";

const { pending, active, failed, expired } = constants({ pending: 0, active: 1, failed: 2, expired: 3 });

/** The channel that notifies waiting callers that an order ended. The payload is its id. */
export const ordersChannel = "longshore_certificates";

// Certificates -------------------------------------------------------------------------------------------------------------

const shown = sql`
  c.id, c.project_id, c.source, c.status, c.error, c.created_at, c.updated_at,
  case when c.version is null then coalesce(
    (select o.names from certificate_orders o where o.project_id = c.project_id order by o.id desc limit 1), '{}')
    else c.names end as names,
  c.left_out,
  (select d.id from domains d where d.project_id = c.project_id and d.is_primary) as domain_id,
  (select d.domain_name from domains d where d.project_id = c.project_id and d.is_primary) as cert_name,
  coalesce(c.version, (select max(o.id) from certificate_orders o where o.project_id = c.project_id)) as version,
  to_char(c.not_after at time zone 'UTC', 'YYYY-MM-DD') as expires_at,
  to_char(c.renew_at at time zone 'UTC', 'YYYY-MM-DD') as renews_at
`;

export const listCertificates = (db: Db, actor: Actor, projectId: number): Promise<CertificateRow[]> =>
  rows(
    db,
    sql`
      select ${shown} from certificates c join projects p on p.id = c.project_id
      where c.project_id = ${projectId} and ${projectReach(actor)} order by c.id
    `,
  );

export const findCertificate = (
  db: Db,
  actor: Actor,
  projectId: number,
  id: number,
): Promise<CertificateRow | undefined> =>
  row(
    db,
    sql`
      select ${shown} from certificates c join projects p on p.id = c.project_id
      where c.id = ${id} and c.project_id = ${projectId} and ${projectReach(actor)}
    `,
  );

/** The certificates of projects in their records. Without an actor: for projects whose reach the caller has checked. */
export async function describeCertificates(
  db: Db,
  projectIds: readonly number[],
): Promise<Map<number, Pick<Described, "certificate">>> {
  const found = await rows<{ project_id: number } & Pick<CertificateRow, "status" | "expires_at">>(
    db,
    sql`
      select c.project_id, c.status, to_char(c.not_after at time zone 'UTC', 'YYYY-MM-DD') as expires_at
      from certificates c where c.project_id = any(${projectIds}::bigint[])
    `,
  );
  return new Map(found.map(({ project_id: id, ...certificate }) => [id, { certificate }]));
}

/** Without an actor: only for a project that the caller has looked up. */
export const findCertificateState = (db: Db, projectId: number): Promise<CertificateState | undefined> =>
  row(
    db,
    sql`
      select id, project_id, source, version, server_id, names, not_after, renew_at, failures, failed_names, retry_at, announced_at
      from certificates where project_id = ${projectId}
    `,
  );

/** Creates the record with the first attempt; a new attempt after a failure makes it pending again. */
export async function awaitCertificate(tx: Db, projectId: number): Promise<number> {
  const found = await row<{ id: number }>(
    tx,
    sql`
      insert into certificates (project_id) values (${projectId})
      on conflict (project_id) do update set updated_at = clock_timestamp(),
        status = case when certificates.version is null then ${pending} else certificates.status end
      returning id
    `,
  );
  return (found as { id: number }).id;
}

export interface Served {
  projectId: number;
  serverId: number;
  version: number;
  source: Source;
  names: readonly string[];
  offersOcsp: boolean;
  notBefore: Date;
  notAfter: Date;
  /** Null: it is not renewed. */
  renewAt: Date | null;
  leftOut: readonly LeftOut[];
  /** When the names that were left out are checked again; null: there are none. */
  retryAt: Date | null;
}

/** Records the certificate that the server serves now. Names that were left out count as a failed attempt for all names. */
export async function activateCertificate(tx: Db, served: Served): Promise<void> {
  const { names, leftOut } = served;
  const isComplete = leftOut.length === 0;
  const error = isComplete ? null : leftOut.map(({ reason }) => reason).join(" ");
  const failedNames = isComplete ? null : [...names, ...leftOut.map(({ name }) => name)];
  await tx.query(sql`
    update certificates set status = ${active}, version = ${served.version}, server_id = ${served.serverId},
      source = ${served.source}, names = ${names}, offers_ocsp = ${served.offersOcsp}, not_before = ${served.notBefore},
      not_after = ${served.notAfter}, renew_at = ${served.renewAt}, left_out = ${JSON.stringify(leftOut)}::jsonb,
      failures = case when ${isComplete} then 0 else failures + 1 end, failed_names = ${failedNames}::text[],
      error = ${error}, retry_at = ${served.retryAt},
      announced_at = case when ${isComplete} then null else coalesce(announced_at, clock_timestamp()) end,
      updated_at = clock_timestamp()
    where project_id = ${served.projectId}
  `);
}

/** Records a failed attempt; the served certificate stays. */
export async function recordFailure(
  tx: Db,
  projectId: number,
  failure: { names: readonly string[]; error: string; retryAt: Date | null; isAnnounced: boolean },
): Promise<void> {
  await tx.query(sql`
    update certificates set failures = failures + 1, failed_names = ${failure.names}, error = ${failure.error},
      retry_at = ${failure.retryAt}, status = case when version is null then ${failed} else status end,
      announced_at = case when ${failure.isAnnounced} then clock_timestamp() else announced_at end,
      updated_at = clock_timestamp()
    where project_id = ${projectId}
  `);
}

/** Cancels the retry; `isMoot`: the failed attempt is no longer needed, nor are names that it left out. */
export async function forgetRetry(tx: Db, projectId: number, isMoot: boolean): Promise<void> {
  await tx.query(sql`
    update certificates set retry_at = null, failures = case when ${isMoot} then 0 else failures end,
      error = case when ${isMoot} then null else error end, left_out = case when ${isMoot} then '[]' else left_out end,
      updated_at = clock_timestamp()
    where project_id = ${projectId}
  `);
}

/** Restores the state before an attempt that is no longer needed. */
export async function dropPending(tx: Db, projectId: number): Promise<void> {
  await tx.query(sql`delete from certificates where project_id = ${projectId} and version is null`);
}

export const deleteCertificate = (tx: Db, projectId: number): Promise<{ id: number } | undefined> =>
  row(tx, sql`delete from certificates where project_id = ${projectId} returning id`);

/** Projects whose certificate is due for renewal, or whose last attempt is due for a retry. */
export const listDue = (db: Db, limit: number): Promise<{ project_id: number }[]> =>
  rows(
    db,
    sql`
      select c.project_id from certificates c join sites site on site.project_id = c.project_id
      where least(c.renew_at, c.retry_at) <= clock_timestamp() and coalesce(c.retry_at, c.renew_at) <= clock_timestamp()
        and site.ssl_is_enabled
        and not exists (select 1 from certificate_orders o where o.project_id = c.project_id and o.outcome is null)
      order by least(c.renew_at, c.retry_at) limit ${limit}
    `,
  );

export interface Expired {
  id: number;
  project_id: number;
  organization_id: number;
  home_server_id: number;
  project: string;
  names: string[];
  source: Source;
  error: string | null;
  ssl_is_enabled: boolean;
}

/** The newly expired ones; each is returned once. */
export const expireCertificates = (tx: Db, limit: number): Promise<Expired[]> =>
  rows(
    tx,
    sql`
      update certificates c set status = ${expired}, updated_at = clock_timestamp()
      from projects p join sites site on site.project_id = p.id
      where p.id = c.project_id and c.id in (
        select id from certificates where status = ${active} and not_after <= clock_timestamp() order by id limit ${limit}
        for update skip locked
      )
      returning c.id, c.project_id, p.organization_id, p.server_id as home_server_id, p.name as project, c.names, c.source, c.error,
        site.ssl_is_enabled
    `,
  );

// Orders -------------------------------------------------------------------------------------------------------------------

const ordered = sql`
  id, project_id, server_id, purpose, outcome, names, left_out, probe, directory, request, order_url, challenges, chain,
  install_run_id, log, error
`;

export interface NewOrder {
  projectId: number;
  serverId: number;
  purpose: Purpose;
  names: readonly string[];
  probe: string;
  chain?: string;
  uploadedKey?: Buffer;
}

/** Undefined if one is under way: a project has at most one. */
export const insertOrder = (tx: Db, order: NewOrder): Promise<OrderRow | undefined> =>
  row(
    tx,
    sql`
      insert into certificate_orders (project_id, server_id, purpose, names, probe, chain, uploaded_key)
      values (${order.projectId}, ${order.serverId}, ${order.purpose}, ${order.names}, ${order.probe},
        ${order.chain ?? null}, ${order.uploadedKey ?? null})
      on conflict (project_id) where outcome is null do nothing returning ${ordered}
    `,
  );

export const findOrder = (db: Db, id: number): Promise<OrderRow | undefined> =>
  row(db, sql`select ${ordered} from certificate_orders where id = ${id}`);

export const findOpenOrder = (db: Db, projectId: number): Promise<OrderRow | undefined> =>
  row(db, sql`select ${ordered} from certificate_orders where project_id = ${projectId} and outcome is null`);

export const findUploadedKey = (db: Db, orderId: number): Promise<{ uploaded_key: Buffer | null } | undefined> =>
  row(db, sql`select uploaded_key from certificate_orders where id = ${orderId}`);

interface Results {
  request?: string;
  directory?: string;
  orderUrl?: string;
  challenges?: readonly Challenge[];
  chain?: string;
  log?: readonly string[];
}

/** Stores the results of an order's phase, unless the order has ended; omitted values stay. */
export async function storeResults(tx: Db, id: number, results: Results): Promise<void> {
  await tx.query(sql`
    update certificate_orders set updated_at = clock_timestamp(),
      request = coalesce(${results.request ?? null}, request), directory = coalesce(${results.directory ?? null}, directory),
      order_url = coalesce(${results.orderUrl ?? null}, order_url),
      challenges = coalesce(${results.challenges ? JSON.stringify(results.challenges) : null}::jsonb, challenges),
      chain = coalesce(${results.chain ?? null}, chain), log = log || ${results.log ?? []}::text[]
    where id = ${id} and outcome is null
  `);
}

/** Leaves names out of an order that has not ended. */
export async function narrowOrder(
  tx: Db,
  id: number,
  { names, leftOut }: { names: readonly string[]; leftOut: readonly LeftOut[] },
): Promise<void> {
  await tx.query(sql`
    update certificate_orders set names = ${names}, left_out = ${JSON.stringify(leftOut)}::jsonb, updated_at = clock_timestamp()
    where id = ${id} and outcome is null
  `);
}

export async function setInstallRun(tx: Db, id: number, runId: number): Promise<void> {
  await tx.query(sql`update certificate_orders set install_run_id = ${runId} where id = ${id}`);
}

/** Ends an order that has not ended, and deletes an uploaded key. Waiting callers are notified at the commit. */
export async function endOrder(
  tx: Db,
  id: number,
  end: { outcome: Outcome; error?: string; log?: readonly string[] },
): Promise<OrderRow | undefined> {
  const order = await row<OrderRow>(
    tx,
    sql`
      update certificate_orders set outcome = ${end.outcome}, error = ${end.error ?? null}, uploaded_key = null,
        has_leftovers = ${end.outcome !== "succeeded"}, log = log || ${end.log ?? []}::text[],
        updated_at = clock_timestamp(), ended_at = clock_timestamp()
      where id = ${id} and outcome is null returning ${ordered}
    `,
  );
  if (order) await tx.query("select pg_notify($1, $2)", [ordersChannel, String(id)]);
  return order;
}

/** The newest ended order of a project; null: none. */
export async function lastEndedOrder(db: Db, projectId: number): Promise<number | null> {
  const last = await row<{ id: number | null }>(
    db,
    sql`select max(id) as id from certificate_orders where project_id = ${projectId} and outcome is not null`,
  );
  return last?.id ?? null;
}

/** Ended orders whose challenges may still be on the server. */
export const listLeftovers = (
  db: Db,
  { projectId, serverId }: { projectId: number; serverId: number },
): Promise<OrderRow[]> =>
  rows(
    db,
    sql`
      select ${ordered} from certificate_orders
      where project_id = ${projectId} and server_id = ${serverId} and outcome is not null and has_leftovers order by id
    `,
  );

/** The challenges of these orders are no longer on the server. */
export async function forgetLeftovers(tx: Db, orderIds: readonly number[]): Promise<void> {
  await tx.query(sql`update certificate_orders set has_leftovers = false where id = any(${orderIds}::bigint[])`);
}

/**
 * Deletes orders that ended more than `days` days ago, but neither that of the present certificate nor a project's newest one: a
 * certificate that was never served shows what that one asked for.
 */
export async function forgetOldOrders(db: Db, days: number): Promise<void> {
  await db.query(sql`
    delete from certificate_orders o where o.ended_at < clock_timestamp() - make_interval(days => ${days})
      and not exists (select 1 from certificates c where c.version = o.id)
      and exists (select 1 from certificate_orders newer where newer.project_id = o.project_id and newer.id > o.id)
  `);
}

export interface ServerAddress {
  name: string;
  public_ip: string;
}

export const findServerAddress = (db: Db, serverId: number): Promise<ServerAddress | undefined> =>
  row(db, sql`select name, host(public_ip) as public_ip from servers where id = ${serverId} and public_ip is not null`);

/** Moves the served certificate, if it is still the one that was copied. */
export async function moveCertificate(tx: Db, projectId: number, to: number, version: number): Promise<void> {
  await tx.query(sql`
    update certificates set server_id = ${to}, updated_at = clock_timestamp()
    where project_id = ${projectId} and version = ${version}
  `);
}

/** What is lost with projects. */
export const listLosses = (db: Db, scope: LossScope): Promise<Loss[]> =>
  rows(
    db,
    lossOf("certificate", {
      id: sql`c.id`,
      name: sql`array_to_string(c.names, ', ')`,
      from: sql`certificates c join projects p on p.id = c.project_id where ${isInScope(scope)} and c.version is not null`,
    }),
  );
