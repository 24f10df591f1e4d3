import { changed, type Db, row, rows, sql } from "../../../db/sql.ts";
import type { MonitorStatus, ObservedState, Verdict } from "../schema.ts";

/** The state that a verdict's compare-and-set expects. */
export interface Watched {
  id: number;
  revision: number;
  current_status: MonitorStatus;
}

/** A verdict that differs from the monitor's status. */
export interface VerdictChange {
  status: Verdict;
  /** The time of the verdict. */
  at: Date;
  /** The start of the new state: for an outage, the first of the failed checks that confirmed it. */
  since: Date;
  /** How long the verdict counts without a newer check or evaluation. */
  observedUntil: Date;
  /** The observation, in one sentence. */
  message: string;
  /** The observation, for programs. No secrets. */
  context: Record<string, unknown>;
  /** For a fall: whether another server was asked and found the same. */
  isConfirmedElsewhere?: boolean;
}

/** A monitor whose status was changed, with the data for its notices and events. */
export interface ChangedMonitor {
  id: number;
  organization_id: number;
  project_id: number;
  server_id: number;
  name: string;
  project_name: string;
  url: string | null;
  last_status_changed_at: string;
  is_flapping: boolean;
}

/** Compare-and-set of the status: undefined if the monitor's status or revision has changed, or it is switched off or gone. */
export const changeStatus = (
  tx: Db,
  watched: Watched,
  change: { status: Verdict; at: Date; observedUntil: Date },
): Promise<ChangedMonitor | undefined> =>
  row(
    tx,
    sql`
      update monitors m set current_status = ${change.status}, last_status_changed_at = ${change.at}, failures = 0,
        last_checked_at = greatest(m.last_checked_at, ${change.at}::timestamptz),
        observed_until = greatest(m.observed_until, ${change.observedUntil}::timestamptz)
      from projects p
      where p.id = m.project_id and m.id = ${watched.id} and m.revision = ${watched.revision} and m.is_active
        and m.current_status = ${watched.current_status} and m.current_status <> ${change.status}
      returning m.id, m.organization_id, m.project_id, p.server_id, m.name, p.name as project_name, m.url,
        m.last_status_changed_at, m.flapping_since is not null as is_flapping
    `,
  );

/** Locks monitors in the order of their ids, so that two transactions that change the same ones cannot deadlock. */
export async function lockMonitors(tx: Db, ids: readonly number[]): Promise<void> {
  await tx.query(sql`select 1 from monitors where id = any(${ids}::bigint[]) order by id for no key update`);
}

interface Up {
  watched: Watched;
  change: { at: Date; observedUntil: Date };
}

/** Like `changeStatus`, for pending monitors that are up; returns the changed monitors. */
export const changeToUp = (
  tx: Db,
  verdicts: readonly Up[],
): Promise<Pick<ChangedMonitor, "id" | "organization_id" | "project_id" | "server_id">[]> =>
  rows(
    tx,
    sql`
      update monitors m set current_status = 'up', last_status_changed_at = v.at, failures = 0,
        last_checked_at = greatest(m.last_checked_at, v.at), observed_until = greatest(m.observed_until, v.observed_until)
      from unnest(${verdicts.map(({ watched }) => watched.id)}::bigint[],
        ${verdicts.map(({ watched }) => watched.revision)}::integer[], ${verdicts.map(({ change }) => change.at)}::timestamptz[],
        ${verdicts.map(({ change }) => change.observedUntil)}::timestamptz[]) as v (id, revision, at, observed_until), projects p
      where m.id = v.id and m.revision = v.revision and m.is_active and m.current_status = 'pending' and p.id = m.project_id
      returning m.id, m.organization_id, m.project_id, p.server_id
    `,
  );

/** The state of a monitor from a time on. */
export interface StateChange {
  monitorId: number;
  state: ObservedState;
  at: Date;
}

/** Ends the open intervals of monitors that are in another state, and opens one in the new state. */
export async function recordStates(tx: Db, states: readonly StateChange[]): Promise<void> {
  if (states.length === 0) return;
  await changed(
    tx,
    sql`
      with wanted as (
        select * from unnest(${states.map(({ monitorId }) => monitorId)}::bigint[],
          ${states.map(({ state }) => state)}::text[], ${states.map(({ at }) => at)}::timestamptz[]
        ) as w (monitor_id, state, at)
      ), closed as (
        update monitor_intervals i set ended_at = greatest(i.started_at, w.at) from wanted w
        where i.monitor_id = w.monitor_id and i.ended_at is null and i.state <> w.state
        returning i.monitor_id, i.ended_at
      )
      insert into monitor_intervals (monitor_id, state, started_at)
      select w.monitor_id, w.state, coalesce(c.ended_at, w.at)
      from wanted w join monitors m on m.id = w.monitor_id left join closed c on c.monitor_id = w.monitor_id
      where not exists (
        select 1 from monitor_intervals open
        where open.monitor_id = w.monitor_id and open.ended_at is null and open.state = w.state)
    `,
  );
}

export async function resolveOutage(tx: Db, monitorId: number, at: Date): Promise<void> {
  await changed(
    tx,
    sql`
      update monitor_events set resolved_at = greatest(created_at, ${at}::timestamptz)
      where monitor_id = ${monitorId} and status = 'down' and resolved_at is null
    `,
  );
}

export interface NewEvent {
  monitorId: number;
  status: Verdict;
  message: string;
  context: Record<string, unknown>;
  at: Date;
}

export async function insertEvent(tx: Db, event: NewEvent): Promise<number> {
  const inserted = await row<{ id: number }>(
    tx,
    sql`
      insert into monitor_events (monitor_id, status, message, context, created_at)
      values (${event.monitorId}, ${event.status}, ${event.message}, ${JSON.stringify(event.context)}, ${event.at})
      returning id
    `,
  );
  return (inserted as { id: number }).id;
}

/** Like `insertEvent`, for many events. */
export async function insertEvents(tx: Db, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await changed(
    tx,
    sql`
      insert into monitor_events (monitor_id, status, message, context, created_at)
      select * from unnest(${events.map(({ monitorId }) => monitorId)}::bigint[], ${events.map(({ status }) => status)}::text[],
        ${events.map(({ message }) => message)}::text[], ${events.map(({ context }) => JSON.stringify(context))}::jsonb[],
        ${events.map(({ at }) => at)}::timestamptz[])
    `,
  );
}

// Flapping ---------------------------------------------------------------------------------------------------------------

export async function countChanges(tx: Db, monitorId: number, since: Date): Promise<number> {
  const counted = await row<{ count: number }>(
    tx,
    sql`
      select count(*) from monitor_events
      where monitor_id = ${monitorId} and created_at > ${since} and not context ? 'disturbed'
    `,
  );
  return counted?.count ?? 0;
}

export async function startFlapping(tx: Db, monitorId: number, at: Date): Promise<void> {
  await changed(tx, sql`update monitors set flapping_since = ${at} where id = ${monitorId}`);
}

export interface CalmMonitor extends ChangedMonitor {
  current_status: Verdict;
}

/** Ends the flapping of monitors that have not changed since `quietSince`; returns them. */
export const endFlapping = (tx: Db, quietSince: Date, limit: number): Promise<CalmMonitor[]> =>
  rows(
    tx,
    sql`
      update monitors m set flapping_since = null from projects p
      where p.id = m.project_id and m.id in (
        select id from monitors
        where flapping_since is not null and flapping_since <= ${quietSince} and last_status_changed_at <= ${quietSince}
        order by id limit ${limit} for no key update skip locked)
      returning m.id, m.organization_id, m.project_id, p.server_id, m.name, p.name as project_name, m.url,
        m.last_status_changed_at, false as is_flapping, m.current_status
    `,
  );

// Deployments --------------------------------------------------------------------------------------------------------------

/** A deployment that made another release live. */
export interface Switch {
  id: number;
  project_id: number;
  process_type: string;
  status: number;
  /** For a balanced project: the deployment that it continues on a further server. */
  rolling_of: number | null;
  commit_id: string | null;
  commit_url: string | null;
  description: string;
  switched_at: string;
}

/** Locks the project until the end of the transaction. */
export async function holdProject(tx: Db, projectId: number): Promise<void> {
  await tx.query(sql`select 1 from projects where id = ${projectId} for no key update`);
}

/** Whether a fall of one of its monitors may roll a project back. */
export const isRolledBackOnDown = async (db: Db, projectId: number): Promise<boolean> =>
  (await row(db, sql`select 1 from projects where id = ${projectId} and rollback_on_down`)) !== undefined;

/** The last switch of a project, on any of its servers, between two times. */
export const findSwitch = (
  db: Db,
  projectId: number,
  { after, before }: { after: Date; before: Date },
): Promise<Switch | undefined> =>
  row(
    db,
    sql`
      select d.id, d.project_id, d.process_type, d.status, d.rolling_of, d.commit_id, d.commit_url, d.description,
        s.finished_at as switched_at
      from deployments d join run_steps s on s.run_id = d.run_id
      where d.project_id = ${projectId}
        and (d.ended_at is null or d.ended_at >= ${after})
        and s.key in ('activate', 'switch-upstream') and s.status = 'completed'
        and s.finished_at between ${after} and ${before}
      order by s.finished_at desc, d.id desc limit 1
    `,
  );
