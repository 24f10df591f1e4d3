import { changed, type Db, row, rows, type Sql, sql } from "../../../db/sql.ts";
import { type Actor, serverReach } from "../../accounts/reach.ts";
import type { PlanName } from "../../accounts/schema.ts";
import { isReadyServer } from "../../servers/queries.ts";
import { isPresent } from "../queries.ts";
import { type Method, type MonitorStatus, type ObservedState, shownChecks } from "../schema.ts";

// Queries of the checking processes: without an actor, never for a request, except for `listReachableAddresses`.

/** Monitors are divided over the processes by the remainder of their id. */
export const shardCount = 16;

/** An active HTTP monitor. */
export interface CheckedMonitor {
  id: number;
  organization_id: number;
  project_id: number;
  server_id: number;
  name: string;
  plan: PlanName;
  revision: number;
  url: string;
  method: Method;
  expected_status: number | null;
  interval_seconds: number;
  timeout_seconds: number;
  confirmation_threshold: number;
  current_status: MonitorStatus;
  last_checked_at: string | null;
  certificate_expires_at: string | null;
  certificate_notice_days: number | null;
  is_disturbed: boolean;
  /** The state of the open interval. */
  state: ObservedState | null;
}

const checkedMonitors = (condition: Sql): Sql => sql`
  select m.id, m.organization_id, m.project_id, p.server_id, m.name, o.plan, m.revision, m.url, m.method, m.expected_status,
    m.interval_seconds, m.timeout_seconds, m.confirmation_threshold, m.current_status, m.last_checked_at,
    m.certificate_expires_at, m.certificate_notice_days, m.disturbed_since is not null as is_disturbed, i.state
  from monitors m join projects p on p.id = m.project_id join organizations o on o.id = m.organization_id
    left join monitor_intervals i on i.monitor_id = m.id and i.ended_at is null
  where m.type = 'http' and m.is_active and ${isPresent} and ${condition}
`;

export const listCheckedOfShards = (db: Db, shards: readonly number[]): Promise<CheckedMonitor[]> =>
  rows(db, checkedMonitors(sql`m.id % ${shardCount} = any(${shards}::bigint[])`));

export const listChecked = (db: Db, ids: readonly number[]): Promise<CheckedMonitor[]> =>
  rows(db, checkedMonitors(sql`m.id = any(${ids}::bigint[])`));

/**
 * Ends intervals that were not observed for a while: the open intervals of a shard whose evidence ended before `at` end there,
 * and are followed by unobserved ones.
 */
export async function closeGaps(tx: Db, shard: number, at: Date): Promise<void> {
  await changed(
    tx,
    sql`
      with gaps as (
        select m.id, greatest(i.started_at, least(m.observed_until, m.last_checked_at + make_interval(secs => m.interval_seconds)))
          as ended_at
        from monitors m join monitor_intervals i on i.monitor_id = m.id and i.ended_at is null
        where m.type = 'http' and m.id % ${shardCount} = ${shard} and i.state <> 'unobserved' and m.observed_until < ${at}
      ), closed as (
        update monitor_intervals i set ended_at = gaps.ended_at from gaps
        where i.monitor_id = gaps.id and i.ended_at is null returning i.monitor_id, i.ended_at
      )
      insert into monitor_intervals (monitor_id, state, started_at) select monitor_id, 'unobserved', ended_at from closed
    `,
  );
}

// Monitors may check these addresses though they are private. A record alone proves nothing: anyone who may add a server could
// name any host near the control plane. An address that showed the server's host key is where Longshore signed in; nothing shows it
// for a private address, which is typed in.
const serverAddresses = (condition: Sql): Sql => sql`
  select s.organization_id, host(s.public_ip) as address from servers s
  where s.public_ip = s.seen_ip and ${condition}
`;

interface ServerAddress {
  organization_id: number;
  address: string;
}

export const listAddresses = (db: Db, organizationIds: readonly number[]): Promise<ServerAddress[]> =>
  rows(db, serverAddresses(sql`s.organization_id = any(${organizationIds}::bigint[])`));

/** For a request: the addresses of servers in the actor's reach, so that no others can be found out. */
export const listReachableAddresses = (db: Db, actor: Actor): Promise<ServerAddress[]> =>
  rows(db, serverAddresses(serverReach(actor)));

// Results ------------------------------------------------------------------------------------------------------------------

/** The results of a monitor's checks in one hour since the last time. */
export interface HourCounts {
  monitorId: number;
  hour: Date;
  checks: number;
  ok: number;
  unobserved: number;
  latencySumMs: number;
  latency: readonly number[];
  statuses: readonly number[];
}

const arrayText = (values: readonly (number | boolean | null)[]): string => `{${values.map(String).join(",")}}`;

/** Adds counts of many monitors in one statement; drops those of deleted monitors. */
export async function addCounts(tx: Db, counts: readonly HourCounts[]): Promise<void> {
  if (counts.length === 0) return;
  await changed(
    tx,
    sql`
      insert into monitor_hours (monitor_id, hour, checks, ok, unobserved, latency_sum_ms, latency, statuses)
      select c.monitor_id, c.hour, c.checks, c.ok, c.unobserved, c.latency_sum_ms, c.latency::integer[], c.statuses::integer[]
      from unnest(${counts.map(({ monitorId }) => monitorId)}::bigint[], ${counts.map(({ hour }) => hour)}::timestamptz[],
        ${counts.map(({ checks }) => checks)}::integer[], ${counts.map(({ ok }) => ok)}::integer[],
        ${counts.map(({ unobserved }) => unobserved)}::integer[],
        ${counts.map(({ latencySumMs }) => latencySumMs)}::bigint[],
        ${counts.map(({ latency }) => arrayText(latency))}::text[],
        ${counts.map(({ statuses }) => arrayText(statuses))}::text[]
      ) as c (monitor_id, hour, checks, ok, unobserved, latency_sum_ms, latency, statuses)
      join monitors m on m.id = c.monitor_id
      order by c.monitor_id, c.hour
      on conflict (monitor_id, hour) do update set checks = monitor_hours.checks + excluded.checks,
        ok = monitor_hours.ok + excluded.ok, unobserved = monitor_hours.unobserved + excluded.unobserved,
        latency_sum_ms = monitor_hours.latency_sum_ms + excluded.latency_sum_ms,
        latency = add_counts(monitor_hours.latency, excluded.latency),
        statuses = add_counts(monitor_hours.statuses, excluded.statuses)
    `,
  );
}

/** The results of a monitor's checks since the last time, the newest at the end; at most as many as are kept. */
export interface RecentChecks {
  monitorId: number;
  ok: readonly boolean[];
  /** null: there was no answer. */
  ms: readonly (number | null)[];
}

/** Adds results of many monitors, and drops the oldest beyond those that are kept; drops those of deleted monitors. */
export async function addRecent(tx: Db, recent: readonly RecentChecks[]): Promise<void> {
  if (recent.length === 0) return;
  await changed(
    tx,
    sql`
      insert into monitor_recent_checks as r (monitor_id, ok, ms)
      select m.id, c.ok::boolean[], c.ms::integer[]
      from unnest(${recent.map(({ monitorId }) => monitorId)}::bigint[], ${recent.map(({ ok }) => arrayText(ok))}::text[],
        ${recent.map(({ ms }) => arrayText(ms))}::text[]) as c (monitor_id, ok, ms)
      join monitors m on m.id = c.monitor_id
      order by m.id
      on conflict (monitor_id) do update set
        ok = (r.ok || excluded.ok)[greatest(1, cardinality(r.ok) + cardinality(excluded.ok) - ${shownChecks - 1}::integer):],
        ms = (r.ms || excluded.ms)[greatest(1, cardinality(r.ms) + cardinality(excluded.ms) - ${shownChecks - 1}::integer):]
    `,
  );
}

/** The newest check of a monitor. */
export interface Checked {
  monitorId: number;
  at: Date;
  observedUntil: Date;
}

export async function recordChecked(tx: Db, checked: readonly Checked[]): Promise<void> {
  if (checked.length === 0) return;
  await changed(
    tx,
    sql`
      update monitors m set last_checked_at = greatest(m.last_checked_at, c.at),
        observed_until = greatest(m.observed_until, c.observed_until)
      from unnest(${checked.map(({ monitorId }) => monitorId)}::bigint[], ${checked.map(({ at }) => at)}::timestamptz[],
        ${checked.map(({ observedUntil }) => observedUntil)}::timestamptz[]) as c (id, at, observed_until)
      where m.id = c.id and m.is_active
    `,
  );
}

export async function addMonths(tx: Db, at: Date): Promise<void> {
  await tx.query(sql`select add_monitor_months(${at})`);
}

// Verdicts -------------------------------------------------------------------------------------------------------------------

/** Compare-and-set: true if the disturbance is new. */
export const startDisturbance = async (
  tx: Db,
  { id, revision }: Pick<CheckedMonitor, "id" | "revision">,
  at: Date,
): Promise<boolean> =>
  (await changed(
    tx,
    sql`
      update monitors set disturbed_since = ${at}
      where id = ${id} and revision = ${revision} and is_active and disturbed_since is null and current_status = 'up'
    `,
  )) === 1;

export async function endDisturbance(db: Db, id: number): Promise<void> {
  await changed(db, sql`update monitors set disturbed_since = null where id = ${id}`);
}

/**
 * Stores the end of the certificate, and the notice that is due, as its number of days before. Compare-and-set: false if another
 * process stored it, or the notice was sent.
 */
export const setCertificate = async (
  tx: Db,
  { id, revision }: Pick<CheckedMonitor, "id" | "revision">,
  { expiresAt, noticeDays }: { expiresAt: Date; noticeDays: number | null },
): Promise<boolean> =>
  (await changed(
    tx,
    sql`
      update monitors set certificate_expires_at = ${expiresAt}, certificate_notice_days = ${noticeDays}
      where id = ${id} and revision = ${revision} and is_active
        and (certificate_expires_at, certificate_notice_days) is distinct from (${expiresAt}::timestamptz, ${noticeDays}::smallint)
        and (certificate_expires_at is distinct from ${expiresAt}::timestamptz
          or coalesce(certificate_notice_days, 32767) > ${noticeDays}::smallint)
    `,
  )) === 1;

export interface SeenCertificate {
  monitorId: number;
  revision: number;
  expiresAt: Date;
}

/** Like `setCertificate`, for many certificates that are far from their end. */
export async function setCertificates(tx: Db, seen: readonly SeenCertificate[]): Promise<void> {
  if (seen.length === 0) return;
  await changed(
    tx,
    sql`
      update monitors m set certificate_expires_at = c.expires_at, certificate_notice_days = null
      from unnest(${seen.map(({ monitorId }) => monitorId)}::bigint[], ${seen.map(({ revision }) => revision)}::integer[],
        ${seen.map(({ expiresAt }) => expiresAt)}::timestamptz[]) as c (id, revision, expires_at)
      where m.id = c.id and m.revision = c.revision and m.is_active
        and m.certificate_expires_at is distinct from c.expires_at
    `,
  );
}

export const findProjectName = async (db: Db, projectId: number): Promise<string> =>
  (await row<{ name: string }>(db, sql`select name from projects where id = ${projectId}`))?.name ?? "";

// Second opinions ------------------------------------------------------------------------------------------------------------

/**
 * Servers of the organization that can check these addresses: connected, set up, and neither the project's own nor one that has
 * one of them.
 */
export const listAdvisers = (
  db: Db,
  { organization_id, server_id }: Pick<CheckedMonitor, "organization_id" | "server_id">,
  addresses: readonly string[],
): Promise<{ id: number; name: string }[]> =>
  rows(
    db,
    sql`
      select s.id, s.name from servers s
      where s.organization_id = ${organization_id} and ${isReadyServer}
        and s.id <> ${server_id}
        and not exists (select 1 from unnest(${addresses}::inet[]) as a (ip) where a.ip in (s.public_ip, s.private_ip))
      order by s.id limit 3
    `,
  );

// Clean-up -------------------------------------------------------------------------------------------------------------------

/** Deletes monitors of domains that are gone and cannot return: no change of the project's domains waits for its server. */
export const deleteOrphans = (db: Db, limit: number): Promise<number> =>
  changed(
    db,
    sql`
      delete from monitors where id in (
        select m.id from monitors m
        where not ${isPresent}
          and not exists (select 1 from site_changes c where c.project_id = m.project_id and c.state = 'pending')
        order by m.id limit ${limit})
    `,
  );

/** Deletes ended events and intervals from before that time, a part at a time; returns how many. */
export async function deleteOld(db: Db, before: Date, limit: number): Promise<number> {
  const events = await changed(
    db,
    sql`
      delete from monitor_events where id in (
        select id from monitor_events
        where created_at < ${before} and (status = 'up' or resolved_at < ${before}) order by id limit ${limit})
    `,
  );
  const intervals = await changed(
    db,
    sql`
      delete from monitor_intervals where id in (
        select id from monitor_intervals where ended_at < ${before} order by id limit ${limit})
    `,
  );
  return Math.max(events, intervals);
}

export async function dropMonths(db: Db, before: Date): Promise<void> {
  await db.query(sql`select drop_monitor_months(${before})`);
}
