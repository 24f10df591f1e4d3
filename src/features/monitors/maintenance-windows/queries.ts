import { limitOf } from "../../../db/page.ts";
import { changed, type Db, row, rows, type Sql, sql } from "../../../db/sql.ts";
import type { PageRequest } from "../../../http/pagination.ts";
import { type Actor, monitorReach, serverReach } from "../../accounts/reach.ts";
import { holdMonitors } from "../queries.ts";
import type { WindowRow } from "./schema.ts";

const columns = sql`
  w.id, w.organization_id, w.name, w.starts_at, w.ends_at, w.cron_expression, w.timezone, w.duration_seconds, w.is_for_all,
  w.active_from, w.active_until, now() >= w.active_from and now() < w.active_until as is_active, w.created_at, w.updated_at,
  array(select t.monitor_id from maintenance_window_targets t
    where t.window_id = w.id and t.monitor_id is not null order by 1) as monitor_ids,
  array(select t.server_id from maintenance_window_targets t
    where t.window_id = w.id and t.server_id is not null order by 1) as server_ids
`;

/** Windows whose targets are all in reach: a restricted member sees no window for all records, and none that names others. */
function windowReach(actor: Actor): Sql {
  const ours = sql`w.organization_id = ${actor.organizationId}`;
  if (!actor.restriction) return ours;
  return sql`(${ours} and not w.is_for_all and not exists (
    select 1 from maintenance_window_targets t where t.window_id = w.id
      and not exists (select 1 from monitors m where m.id = t.monitor_id and ${monitorReach(actor)})
      and not exists (select 1 from servers s where s.id = t.server_id and ${serverReach(actor)})))`;
}

export const listWindows = (db: Db, actor: Actor, page: PageRequest): Promise<(WindowRow & { total: number })[]> =>
  rows(
    db,
    sql`
      select ${columns}, count(*) over () as total from maintenance_windows w
      where ${windowReach(actor)} order by w.active_until <= now(), w.active_from, w.id ${limitOf(page)}
    `,
  );

export async function countWindows(db: Db, actor: Actor): Promise<number> {
  const counted = await row<{ total: number }>(
    db,
    sql`select count(*) as total from maintenance_windows w where ${windowReach(actor)}`,
  );
  return counted?.total ?? 0;
}

export const findWindow = (db: Db, actor: Actor, id: number): Promise<WindowRow | undefined> =>
  row(db, sql`select ${columns} from maintenance_windows w where w.id = ${id} and ${windowReach(actor)}`);

/** Like `findWindow`, and locks the window until the end of the transaction. */
export async function lockWindow(tx: Db, actor: Actor, id: number): Promise<WindowRow | undefined> {
  await tx.query(sql`select 1 from maintenance_windows where id = ${id} for no key update`);
  return findWindow(tx, actor, id);
}

/** The settings of a window in a request. */
export interface WindowSettings {
  name: string;
  startsAt: string | null;
  endsAt: string | null;
  cronExpression: string | null;
  timezone: string | null;
  durationSeconds: number | null;
  isForAll: boolean;
  activeFrom: Date;
  activeUntil: Date;
}

export async function insertWindow(tx: Db, organizationId: number, window: WindowSettings): Promise<number> {
  const inserted = await row<{ id: number }>(
    tx,
    sql`
      insert into maintenance_windows (organization_id, name, starts_at, ends_at, cron_expression, timezone,
        duration_seconds, is_for_all, active_from, active_until)
      values (${organizationId}, ${window.name}, ${window.startsAt}, ${window.endsAt}, ${window.cronExpression},
        ${window.timezone}, ${window.durationSeconds}, ${window.isForAll}, ${window.activeFrom}, ${window.activeUntil})
      returning id
    `,
  );
  return (inserted as { id: number }).id;
}

export async function updateWindow(tx: Db, id: number, window: WindowSettings): Promise<void> {
  await changed(
    tx,
    sql`
      update maintenance_windows set name = ${window.name}, starts_at = ${window.startsAt}, ends_at = ${window.endsAt},
        cron_expression = ${window.cronExpression}, timezone = ${window.timezone},
        duration_seconds = ${window.durationSeconds}, is_for_all = ${window.isForAll},
        active_from = ${window.activeFrom}, active_until = ${window.activeUntil}, updated_at = clock_timestamp()
      where id = ${id}
    `,
  );
}

export interface WindowTargets {
  monitorIds: readonly number[];
  serverIds: readonly number[];
}

/** Replaces the targets of a window; false if a record is gone or out of the actor's reach: then the caller rolls back. */
export async function replaceTargets(
  tx: Db,
  actor: Actor,
  id: number,
  { monitorIds, serverIds }: WindowTargets,
): Promise<boolean> {
  await holdServers(tx, actor, serverIds);
  await holdMonitors(tx, actor, monitorIds);
  await changed(tx, sql`delete from maintenance_window_targets where window_id = ${id}`);
  const monitors = await changed(
    tx,
    sql`
      insert into maintenance_window_targets (window_id, monitor_id)
      select ${id}, m.id from monitors m where m.id = any(${[...monitorIds]}::bigint[]) and ${monitorReach(actor)}
    `,
  );
  const servers = await changed(
    tx,
    sql`
      insert into maintenance_window_targets (window_id, server_id)
      select ${id}, s.id from servers s where s.id = any(${[...serverIds]}::bigint[]) and ${serverReach(actor)}
    `,
  );
  return monitors === new Set(monitorIds).size && servers === new Set(serverIds).size;
}

/** Locks the servers in reach against deletion until the end of the transaction. */
async function holdServers(tx: Db, actor: Actor, ids: readonly number[]): Promise<void> {
  await tx.query(sql`
    select 1 from servers s where s.id = any(${[...ids]}::bigint[]) and ${serverReach(actor)}
    order by s.id for key share of s
  `);
}

export const deleteWindowRow = async (tx: Db, id: number): Promise<boolean> =>
  (await changed(tx, sql`delete from maintenance_windows where id = ${id}`)) === 1;

/** A recurring window whose occurrence has ended. */
export interface EndedWindow {
  id: number;
  cron_expression: string;
  timezone: string;
  duration_seconds: number;
  active_until: string;
}

export const listEndedWindows = (db: Db, limit: number): Promise<EndedWindow[]> =>
  rows(
    db,
    sql`
      select id, cron_expression, timezone, duration_seconds, active_until from maintenance_windows
      where cron_expression is not null and active_until <= now() order by active_until limit ${limit}
    `,
  );

/** Moves a recurring window to its next occurrence, unless it was changed since. */
export const moveWindow = (db: Db, window: EndedWindow, next: { from: Date; until: Date }): Promise<number> =>
  changed(
    db,
    sql`
      update maintenance_windows set active_from = ${next.from}, active_until = ${next.until}
      where id = ${window.id} and active_until = ${window.active_until} and cron_expression = ${window.cron_expression}
    `,
  );

/** Whether a window covers a monitor. `monitors m`, `projects p` */
export const inMaintenance = (at: Date): Sql => sql`exists (
  select 1 from maintenance_windows w
  where w.organization_id = m.organization_id and w.active_from <= ${at}::timestamptz and w.active_until > ${at}::timestamptz
    and (w.is_for_all or exists (
      select 1 from maintenance_window_targets t
      where t.window_id = w.id and (t.monitor_id = m.id or t.server_id = p.server_id))))`;
