import { allOf, contains } from "../../db/filters.ts";
import { limitOf } from "../../db/page.ts";
import { changed, type Db, row, rows, type Sql, sql } from "../../db/sql.ts";
import type { Loss, LossScope } from "../../http/dry-run.ts";
import type { PageRequest } from "../../http/pagination.ts";
import { isInScope, lossOf } from "../../http/queries.ts";
import type { ChannelType } from "../../providers/notify/kinds.ts";
import { type Actor, monitorReach, projectReach, serverReach } from "../accounts/reach.ts";
import type { PlanName } from "../accounts/schema.ts";
import type { Described } from "../projects/hooks.ts";
import type { Method, MonitorEventRow, MonitorRow, MonitorStatus, MonitorType, TargetKind } from "./schema.ts";

// Reading ----------------------------------------------------------------------------------------------------------------

/** A monitor of a domain that is gone does not exist for anyone; see the migration. `monitors m` */
export const isPresent = sql`(m.domain_id is null or exists (select 1 from domains present where present.id = m.domain_id))`;

const columns = sql`
  m.id, m.organization_id, m.project_id, p.server_id, m.type, m.target, m.domain_id, m.job_id, m.name, m.is_active,
  m.revision, m.url, m.method, m.expected_status, m.interval_seconds, m.timeout_seconds, m.certificate_expires_at,
  m.expected_period_seconds, m.grace_seconds, j.cron_expression, s.timezone, m.ping_token, m.last_ping_at,
  m.confirmation_threshold, m.current_status, m.last_checked_at, m.last_status_changed_at, m.flapping_since, m.created_at,
  m.updated_at, coalesce(d.domain_name, j.name, p.name) as target_name, recent.ok as recent_ok, recent.ms as recent_ms
`;

const joined = sql`
  join projects p on p.id = m.project_id join servers s on s.id = p.server_id
  left join domains d on d.id = m.domain_id left join project_jobs j on j.id = m.job_id
  left join monitor_recent_checks recent on recent.monitor_id = m.id
`;

/**
 * Percent up of a window that ends now; null until a tenth of the window was observed. An open interval counts until the end of
 * its evidence. Rounded down, so that 100 means no outage. `monitors m`
 */
const uptimeOf = (window: Sql): Sql => sql`(
  select case when sum(seconds) >= extract(epoch from ${window}) / 10
    then floor(1e5 * coalesce(sum(seconds) filter (where state = 'up'), 0) / sum(seconds))::float8 / 1000 end
  from (
    select i.state, extract(epoch from
      least(coalesce(i.ended_at, m.observed_until), now()) - greatest(i.started_at, now() - ${window})) as seconds
    from monitor_intervals i
    where i.monitor_id = m.id and i.state <> 'unobserved' and (i.ended_at is null or i.ended_at > now() - ${window})
  ) observed
  where seconds > 0
)`;

const uptimeColumns = sql`
  ${uptimeOf(sql`interval '24 hours'`)} as uptime_24h, ${uptimeOf(sql`interval '7 days'`)} as uptime_7d
`;

export interface MonitorFilter {
  type: MonitorType | undefined;
  status: MonitorStatus | undefined;
  projectIds: readonly number[] | undefined;
  serverIds: readonly number[] | undefined;
  text: string | undefined;
}

const matching = (actor: Actor, { type, status, projectIds, serverIds, text }: MonitorFilter): Sql =>
  allOf([
    monitorReach(actor),
    isPresent,
    type && sql`m.type = ${type}`,
    status && sql`m.current_status = ${status}`,
    projectIds && sql`m.project_id = any(${[...projectIds]}::bigint[])`,
    serverIds && sql`m.project_id in (select id from projects where server_id = any(${[...serverIds]}::bigint[]))`,
    text === undefined ? undefined : hasText(text),
  ]);

const hasText = (text: string): Sql => sql`(
  ${contains([sql`m.name`, sql`coalesce(m.url, '')`], text)}
  or exists (select from projects named where named.id = m.project_id and ${contains([sql`named.name`], text)})
  or exists (select from domains named where named.id = m.domain_id and ${contains([sql`named.domain_name`], text)})
  or exists (select from project_jobs named where named.id = m.job_id and ${contains([sql`named.name`], text)})
)`;

/** A page of monitors; down ones first. */
export const listMonitors = (db: Db, actor: Actor, filter: MonitorFilter, page: PageRequest): Promise<MonitorRow[]> =>
  rows(
    db,
    sql`
      select ${columns}, ${uptimeColumns} from (
        select m.* from monitors m where ${matching(actor, filter)}
        order by m.current_status <> 'down', m.id ${limitOf(page)}
      ) m ${joined}
      order by m.current_status <> 'down', m.id
    `,
  );

export async function countMonitors(db: Db, actor: Actor, filter: MonitorFilter): Promise<number> {
  const counted = await row<{ total: number }>(
    db,
    sql`select count(*) as total from monitors m where ${matching(actor, filter)}`,
  );
  return counted?.total ?? 0;
}

export const findMonitor = (db: Db, actor: Actor, id: number): Promise<MonitorRow | undefined> =>
  row(
    db,
    sql`
      select ${columns}, ${uptimeColumns} from monitors m ${joined}
      where m.id = ${id} and ${monitorReach(actor)} and ${isPresent}
    `,
  );

/** Like `findMonitor`, and locks the monitor until the end of the transaction. */
export async function lockMonitor(tx: Db, actor: Actor, id: number): Promise<MonitorRow | undefined> {
  await tx.query(sql`select 1 from monitors where id = ${id} for no key update`);
  return findMonitor(tx, actor, id);
}

/** The newest first, those before an id. Without the opinion of a server that is out of the actor's reach. */
export const listMonitorEvents = (
  db: Db,
  actor: Actor,
  monitorId: number,
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<MonitorEventRow[]> =>
  rows(
    db,
    sql`
      select e.id, e.status, e.message, e.resolved_at, e.created_at,
        case when exists (
          select 1 from servers s
          where s.id = (e.context->'second_opinion'->>'server_id')::bigint and ${serverReach(actor)}
        ) then e.context else e.context - 'second_opinion' end as context
      from monitor_events e
      where e.monitor_id = ${monitorId} ${before === undefined ? sql`` : sql`and e.id < ${before}`}
      order by e.id desc limit ${limit}
    `,
  );

// Records of projects ------------------------------------------------------------------------------------------------------

/** How many monitors of projects are up and down. Without an actor: for projects whose reach the caller has checked. */
export async function describeMonitors(
  db: Db,
  projectIds: readonly number[],
): Promise<Map<number, Pick<Described, "monitors">>> {
  const counted = await rows<{ project_id: number; up: number; down: number }>(
    db,
    sql`
      select m.project_id, (count(*) filter (where m.current_status = 'up'))::integer as up,
        (count(*) filter (where m.current_status = 'down'))::integer as down
      from monitors m where m.project_id = any(${projectIds}::bigint[]) and ${isPresent} group by m.project_id
    `,
  );
  return new Map(counted.map(({ project_id: id, ...monitors }) => [id, { monitors }]));
}

// Targets ----------------------------------------------------------------------------------------------------------------

const foundIn: Record<TargetKind, (id: number) => Sql> = {
  project: (id) => sql`p.id = ${id}`,
  domain: (id) => sql`p.id = (select d.project_id from domains d where d.id = ${id})`,
  scheduled: (id) => sql`p.id = (select j.project_id from project_jobs j where j.id = ${id} and j.kind = 'scheduled')`,
  background: (id) =>
    sql`p.id = (select j.project_id from project_jobs j where j.id = ${id} and j.kind = 'background')`,
};

export interface MonitorTarget {
  organization_id: number;
  project_id: number;
}

/** The project of a record that can be watched; locked against deletion until the end of the transaction. */
export async function lockTarget(
  tx: Db,
  actor: Actor,
  { kind, id }: { kind: TargetKind; id: number },
): Promise<MonitorTarget | undefined> {
  const isJob = kind === "scheduled" || kind === "background";
  const target = await row<MonitorTarget>(
    tx,
    sql`
      select p.organization_id, p.id as project_id from projects p
      where ${foundIn[kind](id)} and ${projectReach(actor)} for ${isJob ? sql`no key update` : sql`key share`} of p
    `,
  );
  // The project comes first, as in a change of its jobs. The job may have been deleted while that lock was waited for; its own
  // lock leaves one request at a time to find that the job has no heartbeat.
  if (target && isJob && !(await row(tx, sql`select 1 from project_jobs where id = ${id} for update`)))
    return undefined;
  return target;
}

/** Locks the monitors in reach against deletion until the end of the transaction, so that others can refer to them. */
export async function holdMonitors(tx: Db, actor: Actor, ids: readonly number[]): Promise<void> {
  await tx.query(sql`
    select 1 from monitors m where m.id = any(${[...ids]}::bigint[]) and ${monitorReach(actor)}
    order by m.id for key share of m
  `);
}

// Channels ---------------------------------------------------------------------------------------------------------------

export interface MonitorChannelRow {
  id: number;
  monitor_id: number;
  type: ChannelType;
  target: Buffer;
  shown_target: string;
  topics: string[];
}

export const listMonitorChannels = (db: Db, monitorIds: readonly number[]): Promise<MonitorChannelRow[]> =>
  rows(
    db,
    sql`
      select id, monitor_id, type, target, shown_target, topics from notification_channels
      where monitor_id = any(${monitorIds}::bigint[]) order by id
    `,
  );

// Plans ------------------------------------------------------------------------------------------------------------------

export async function findPlan(db: Db, organizationId: number): Promise<PlanName> {
  const found = await row<{ plan: PlanName }>(db, sql`select plan from organizations where id = ${organizationId}`);
  return found?.plan ?? "starter";
}

/** Counts active monitors of a type; locks the organization's row, so that only one request counts at a time. */
export async function lockMonitorCount(tx: Db, organizationId: number, type: MonitorType): Promise<number> {
  await tx.query(sql`select 1 from organizations where id = ${organizationId} for no key update`);
  const counted = await row<{ count: number }>(
    tx,
    sql`
      select count(*) from monitors m
      where m.organization_id = ${organizationId} and m.type = ${type} and m.is_active and ${isPresent}
    `,
  );
  return counted?.count ?? 0;
}

// Writing ----------------------------------------------------------------------------------------------------------------

/** The settings of a monitor in a request. */
export interface MonitorSettings {
  name: string;
  isActive: boolean;
  threshold: number;
  url: string | null;
  method: Method | null;
  expectedStatus: number | null;
  intervalSeconds: number | null;
  timeoutSeconds: number | null;
  expectedPeriodSeconds: number | null;
  graceSeconds: number | null;
}

/** The fields that never change. */
export interface MonitorIdentity {
  organizationId: number;
  projectId: number;
  type: MonitorType;
  target: TargetKind;
  domainId: number | null;
  jobId: number | null;
  ping: { token: Buffer; digest: Buffer } | null;
}

export async function insertMonitor(tx: Db, identity: MonitorIdentity, settings: MonitorSettings): Promise<number> {
  const inserted = await row<{ id: number }>(
    tx,
    sql`
      insert into monitors (organization_id, project_id, type, target, domain_id, job_id, name, is_active,
        confirmation_threshold, url, method, expected_status, interval_seconds, timeout_seconds, expected_period_seconds,
        grace_seconds, ping_token, ping_digest)
      values (${identity.organizationId}, ${identity.projectId}, ${identity.type}, ${identity.target},
        ${identity.domainId}, ${identity.jobId}, ${settings.name}, ${settings.isActive}, ${settings.threshold},
        ${settings.url}, ${settings.method}, ${settings.expectedStatus}, ${settings.intervalSeconds},
        ${settings.timeoutSeconds}, ${settings.expectedPeriodSeconds}, ${settings.graceSeconds},
        ${identity.ping?.token ?? null}, ${identity.ping?.digest ?? null})
      returning id
    `,
  );
  return (inserted as { id: number }).id;
}

/**
 * Writes the settings of a monitor that the caller has locked. With `isReset` its evidence is discarded: the status is pending
 * and the counters are cleared. The revision is raised if the target or the check's settings changed.
 */
export async function updateMonitorRow(
  tx: Db,
  id: number,
  settings: MonitorSettings,
  { isReset, isOtherCheck }: { isReset: boolean; isOtherCheck: boolean },
): Promise<void> {
  await tx.query(sql`
    update monitors set name = ${settings.name}, is_active = ${settings.isActive},
      confirmation_threshold = ${settings.threshold}, url = ${settings.url}, method = ${settings.method},
      expected_status = ${settings.expectedStatus}, interval_seconds = ${settings.intervalSeconds},
      timeout_seconds = ${settings.timeoutSeconds}, expected_period_seconds = ${settings.expectedPeriodSeconds},
      grace_seconds = ${settings.graceSeconds}, updated_at = clock_timestamp(),
      revision = revision + ${isReset || isOtherCheck ? 1 : 0},
      current_status = case when ${isReset} then 'pending' else current_status end,
      last_status_changed_at = case when ${isReset} and current_status <> 'pending' then clock_timestamp()
        else last_status_changed_at end,
      failures = case when ${isReset || isOtherCheck} then 0 else failures end,
      flapping_since = case when ${isReset} then null else flapping_since end,
      due_at = case when ${isReset || isOtherCheck} then null else due_at end,
      watched_since = case when ${isReset} then clock_timestamp() else watched_since end,
      counted_since = case when ${isReset} then clock_timestamp() else counted_since end,
      certificate_expires_at = case when url = ${settings.url} then certificate_expires_at end,
      certificate_notice_days = case when url = ${settings.url} then certificate_notice_days end
    where id = ${id}
  `);
}

/** The monitor is no longer observed: its open outage and its open interval end. */
export async function endObservation(tx: Db, monitorId: number): Promise<void> {
  await tx.query(sql`
    update monitor_intervals i
    set ended_at = greatest(i.started_at, least(clock_timestamp(), coalesce(m.observed_until, i.started_at)))
    from monitors m where m.id = i.monitor_id and i.monitor_id = ${monitorId} and i.ended_at is null
  `);
  await tx.query(sql`
    update monitor_events set resolved_at = greatest(created_at, clock_timestamp())
    where monitor_id = ${monitorId} and status = 'down' and resolved_at is null
  `);
}

export const deleteMonitorRow = async (tx: Db, id: number): Promise<boolean> =>
  (await changed(tx, sql`delete from monitors where id = ${id}`)) === 1;

/** The PostgreSQL channel that notifies the checking processes of changed monitors. The payload is the monitor's id. */
export const monitorsChannel = "longshore_monitors";

export async function notifySchedulers(tx: Db, monitorId: number): Promise<void> {
  await tx.query(sql`select pg_notify(${monitorsChannel}, ${String(monitorId)})`);
}

/** Active monitors by type that the organization would have with those of the server's projects. */
export const countMonitorsWith = (
  tx: Db,
  serverId: number,
  organizationId: number,
): Promise<{ type: "http" | "heartbeat"; count: number; moved: number }[]> =>
  rows(
    tx,
    sql`
      select m.type, count(*) as count, count(*) filter (where p.server_id = ${serverId}) as moved
      from monitors m join projects p on p.id = m.project_id
      where m.is_active and (m.organization_id = ${organizationId} or p.server_id = ${serverId})
        and (m.domain_id is null or exists (select 1 from domains d where d.id = m.domain_id))
      group by m.type order by m.type
    `,
  );

/** What is lost with projects. */
export const listLosses = (db: Db, scope: LossScope): Promise<Loss[]> =>
  rows(
    db,
    lossOf("monitor", {
      id: sql`m.id`,
      name: sql`m.name`,
      from: sql`monitors m join projects p on p.id = m.project_id where ${isInScope(scope)} and ${isPresent}`,
    }),
  );
