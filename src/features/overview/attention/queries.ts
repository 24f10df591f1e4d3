import type { Pool } from "pg";
import { sharedRows } from "../../../db/page.ts";
import { type Db, join, row, type Sql, sql } from "../../../db/sql.ts";
import { type Actor, monitorReach, projectReach, serverReach } from "../../accounts/reach.ts";
import { isPresent } from "../../monitors/queries.ts";
import { patienceMinutes } from "../../servers/schema.ts";
import type { KindName } from "./kinds.ts";

/** Something that needs attention, as the rows show it. */
export interface ItemRow {
  kind: KindName;
  id: number;
  name: string;
  since: string;
  message: string;
  server_id: number | null;
  project_id: number | null;
}

/** What belongs to no project or server: a restricted membership does not reach it. */
const organizationReach = (actor: Actor, organizationId: Sql): Sql =>
  actor.restriction ? sql`false` : sql`${organizationId} = ${actor.organizationId}`;

const onServer = (since: Sql, message: Sql): Sql => sql`s.id, s.name, ${since} as since, ${message} as message,
  s.id as server_id, null::bigint as project_id`;

const onProject = (since: Sql, message: Sql): Sql => sql`p.id, p.name, ${since} as since, ${message} as message,
  p.server_id, p.id as project_id`;

const newestSetup = sql`
  cross join lateral (
    select r.id, r.error, r.ended_at from runs r where r.kind = 'provision' and r.subject_id = s.id
    order by r.id desc limit 1
  ) run`;

const failedDeployments = (actor: Actor, ofType: Sql): Sql => sql`
  select d.id, p.name, coalesce(d.ended_at, d.updated_at) as since,
    coalesce(d.error, 'It failed; its log shows why.') as message, d.server_id, d.project_id
  from deployments d join projects p on p.id = d.project_id
  where d.organization_id = ${actor.organizationId} and d.is_unresolved and ${ofType} and ${projectReach(actor)}
  order by d.id desc`;

const monitorsDown = (actor: Actor, type: "http" | "heartbeat"): Sql => sql`
  select m.id, m.name, m.last_status_changed_at as since, coalesce(outage.message, 'It is down.') as message,
    p.server_id, m.project_id
  from monitors m join projects p on p.id = m.project_id
  left join monitor_events outage
    on outage.monitor_id = m.id and outage.status = 'down' and outage.resolved_at is null
  where ${monitorReach(actor)} and m.current_status = 'down' and m.type = ${type} and m.is_active and ${isPresent}
  order by m.last_status_changed_at desc`;

const certificates = (actor: Actor, { since, message, where }: { since: Sql; message: Sql; where: Sql }): Sql => sql`
  select c.id, coalesce(d.domain_name, p.name) as name, ${since} as since, ${message} as message,
    p.server_id, c.project_id
  from certificates c join projects p on p.id = c.project_id
  left join domains d on d.project_id = p.id and d.is_primary
  where ${projectReach(actor)} and ${where}`;

const day = (time: Sql): Sql => sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD')`;
const expiry = sql`'It ' || case when c.not_after < now() then 'expired' else 'expires' end || ' on ' || ${day(sql`c.not_after`)} || '.'`;

const freeBytes = sql`(reading.usage #>> '{disk,available_bytes}')::numeric`;
const allBytes = sql`nullif((reading.usage #>> '{disk,total_bytes}')::numeric, 0)`;

/** The rows of each kind, as the actor reaches them. */
const rowsOf: Record<KindName, (actor: Actor) => Sql> = {
  server_unreachable: (actor) => sql`
    select ${onServer(
      sql`coalesce(s.disconnected_at, s.connection_checked_at, s.created_at)`,
      sql`coalesce(s.connection_error, 'It does not answer.')`,
    )}
    from servers s
    where ${serverReach(actor)} and s.connection_status = 0 and (s.server_status = 10 or s.setup_version is not null)`,
  // Measured each minute: a day is the finest that leaves a snooze in force.
  server_disk_filling: (actor) => sql`
    select ${onServer(
      sql`date_trunc('day', reading.measured_at)`,
      sql`'Only ' || round(100 * ${freeBytes} / ${allBytes}, 1) || ' % of its disk is free.'`,
    )}
    from servers s join server_readings reading on reading.server_id = s.id
    where ${serverReach(actor)} and ${freeBytes} < 0.1 * ${allBytes}`,
  server_not_connected_yet: (actor) => sql`
    select ${onServer(sql`s.connecting_since`, sql`coalesce(s.connection_error, 'Longshore could not connect to it yet.')`)}
    from servers s
    where ${serverReach(actor)} and s.connection_status = 0 and s.server_status = 0 and s.connect_at is not null
      and s.connecting_since < now() - make_interval(mins => ${patienceMinutes}) and s.provider_type = 'custom'`,
  server_not_connected: (actor) => sql`
    select ${onServer(sql`s.created_at`, sql`coalesce(s.connection_error, 'Longshore could not connect to it.')`)}
    from servers s
    where ${serverReach(actor)} and s.connection_status = 0 and s.server_status = 0 and s.connect_at is null
      and s.provider_type = 'custom'`,
  setup_failed: (actor) => sql`
    select ${onServer(sql`run.ended_at`, sql`coalesce(run.error, 'The setup gave up.')`)}
    from servers s ${newestSetup}
    where ${serverReach(actor)} and s.setup_trouble = 'failed'`,
  setup_incomplete: (actor) => sql`
    select ${onServer(sql`run.ended_at`, sql`coalesce(problems.labels, 'Some steps failed.')`)}
    from servers s ${newestSetup} cross join lateral (
      select string_agg(label || case status when 'failed' then ' failed' else ' never reported' end, ', ' order by position)
        || '.' as labels
      from run_steps where run_id = run.id and status in ('failed', 'unreported')
    ) problems
    where ${serverReach(actor)} and s.setup_trouble = 'incomplete'`,
  server_not_applied: (actor) => sql`
    select distinct on (s.id) ${onServer(sql`t.since`, sql`t.error`)}
    from targets t join servers s on s.id = t.server_id
    where t.applied_version < t.wanted_version and t.error is not null and t.subject <> 'project' and ${serverReach(actor)}
    order by s.id, t.since`,
  order_failed: (actor) => sql`
    select ${onServer(sql`o.ended_at`, sql`coalesce(o.error, 'The machine could not be ordered.')`)}
    from servers s join server_orders o on o.server_id = s.id
    where ${serverReach(actor)} and s.connection_status = 0 and s.server_status = 0 and o.state = 'failed'
      and not exists (select 1 from server_orders later where later.server_id = s.id and later.id > o.id)`,
  order_left: (actor) => sql`
    select o.id, o.server_name as name, o.ended_at as since,
      coalesce(o.error, 'Something of the order is left at the provider.') as message,
      null::bigint as server_id, null::bigint as project_id
    from server_orders o where ${organizationReach(actor, sql`o.organization_id`)} and o.state = 'left'`,
  snapshot_failed: (actor) => sql`
    select n.id, n.name, n.created_at as since, coalesce(n.error, 'The image is left at the provider.') as message,
      null::bigint as server_id, null::bigint as project_id
    from server_snapshots n where ${organizationReach(actor, sql`n.organization_id`)} and n.state in ('failed', 'left')`,
  provider_failing: (actor) => sql`
    select sp.id, sp.name, coalesce(sp.swept_at, sp.created_at) as since, sp.sweep_error as message,
      null::bigint as server_id, null::bigint as project_id
    from server_providers sp where ${organizationReach(actor, sql`sp.organization_id`)} and sp.sweep_error is not null`,
  monitor_down: (actor) => monitorsDown(actor, "http"),
  heartbeat_late: (actor) => monitorsDown(actor, "heartbeat"),
  deployment_failed: (actor) =>
    failedDeployments(
      actor,
      sql`d.process_type <> 'move' and exists (
        select 1 from placements pl where pl.project_id = d.project_id and pl.server_id = d.server_id)`,
    ),
  move_failed: (actor) => failedDeployments(actor, sql`d.process_type = 'move'`),
  project_crashing: (actor) => sql`
    select ${onProject(sql`min(w.looping_since)`, sql`'Its process restarted ' || sum(w.restarts) || ' times.'`)}
    from process_watches w join projects p on p.id = w.project_id
    where ${projectReach(actor)} and w.looping_since is not null and w.job_id is null group by p.id`,
  job_crashing: (actor) => sql`
    select j.id, j.name, min(w.looping_since) as since, 'It restarted ' || sum(w.restarts) || ' times.' as message,
      p.server_id, p.id as project_id
    from process_watches w join projects p on p.id = w.project_id join project_jobs j on j.id = w.job_id
    where ${projectReach(actor)} and w.looping_since is not null group by j.id, p.id`,
  job_failed: (actor) => sql`
    select j.id, j.name, j.updated_at as since, j.error as message, p.server_id, p.id as project_id
    from project_jobs j join projects p on p.id = j.project_id where ${projectReach(actor)} and j.status = 'failed'`,
  app_not_installed: (actor) => sql`
    select ${onProject(sql`p.updated_at`, sql`coalesce(install.error, 'Its installation failed.')`)}
    from projects p left join lateral (
      select w.error from workflows w where w.kind = 'app-install' and w.subject_id = p.id order by w.id desc limit 1
    ) install on true
    where ${projectReach(actor)} and p.installation_status = 2`,
  app_not_updated: (actor) => sql`
    select ${onProject(sql`a.update_ended_at`, sql`a.update_error`)}
    from app_installations a join projects p on p.id = a.project_id
    where ${projectReach(actor)} and a.update_state = 'failed'`,
  project_not_applied: (actor) => sql`
    select distinct on (p.id) ${onProject(sql`t.since`, sql`t.error`)}
    from targets t join projects p on p.id = t.subject_id
    where t.applied_version < t.wanted_version and t.error is not null and t.subject = 'project' and ${projectReach(actor)}
    order by p.id, t.since`,
  source_not_registered: (actor) => sql`
    select distinct on (p.id) ${onProject(sql`r.created_at`, sql`r.error`)}
    from source_registrations r join projects p on p.id = r.project_id
    where ${projectReach(actor)} and r.error is not null and r.state <> 'obsolete' order by p.id, r.id`,
  certificate_failed: (actor) =>
    certificates(actor, {
      since: sql`coalesce(c.not_after, c.created_at)`,
      message: sql`coalesce(c.error, case c.status when 3 then ${expiry} end, 'The authority issued no certificate.')`,
      where: sql`c.status in (2, 3) and c.source = 'acme'`,
    }),
  certificate_expiring: (actor) =>
    certificates(actor, {
      since: sql`coalesce(c.renew_at, c.updated_at)`,
      message: sql`concat_ws(' ', ${expiry}, c.error)`,
      where: sql`c.status = 1 and c.source = 'acme' and (c.failures > 0 or c.not_after < now() + interval '7 days')`,
    }),
  own_certificate_expiring: (actor) =>
    certificates(actor, {
      since: sql`c.not_after - interval '21 days'`,
      message: expiry,
      where: sql`c.source = 'custom' and (c.status = 3 or (c.status = 1 and c.not_after < now() + interval '21 days'))`,
    }),
  domain_elsewhere: (actor) => sql`
    select distinct on (id) * from (
      select d.id, d.domain_name as name, c.updated_at as since, left_out.reason as message, p.server_id, p.id as project_id
      from certificates c join projects p on p.id = c.project_id
      cross join lateral jsonb_to_recordset(c.left_out) left_out (name text, reason text)
      join domains d on d.project_id = p.id and left_out.name in (d.domain_name, www_counterpart(d.domain_name))
      where ${projectReach(actor)} and c.left_out <> '[]'
      union all
      select d.id, d.domain_name, k.checked_at, k.message, p.server_id, p.id
      from dns_checks k join domains d on d.domain_name = k.name
      join projects p on p.id = d.project_id and p.server_id = k.server_id
      where ${projectReach(actor)} and not k.ok
    ) elsewhere order by id`,
  database_failed: (actor) => sql`
    select db.id, db.database_name as name, db.updated_at as since, coalesce(db.notes, 'It could not be created.') as message,
      db.server_id, db.project_id
    from databases db join servers s on s.id = db.server_id
    where ${serverReach(actor)} and db.status = 2 and db.removed_at is null`,
  channel_failing: (actor) => sql`
    select nc.id, nc.name, nc.last_delivery_at as since, coalesce(nc.last_delivery_error, 'The last delivery failed.') as message,
      null::bigint as server_id, null::bigint as project_id
    from notification_channels nc
    where ${organizationReach(actor, sql`nc.organization_id`)} and nc.monitor_id is null and nc.is_active
      and nc.last_delivery_status = 'failed'`,
};

/** The key of an item: stable for as long as it needs attention. */
const keyOf = (kind: KindName): Sql => sql`${`${kind}:`}::text || item.id`;

// A scalar subquery: the rows of a kind come in an order that ends early, which a join would lose.
const isShown = ({ userId, organizationId }: Actor, kind: KindName): Sql => sql`coalesce((
  select z.until <= now() or z.snoozed_at < item.since from attention_snoozes z
  where z.user_id = ${userId} and z.organization_id = ${organizationId} and z.key = ${keyOf(kind)}), true)`;

const select = (actor: Actor, kind: KindName, where: Sql): Sql =>
  sql`select ${kind}::text as kind, item.* from (${rowsOf[kind](actor)}) item where ${where}`;

/** Up to `limit` items of each kind, without those that the actor snoozed. */
export const listItems = (
  pool: Pool,
  actor: Actor,
  kinds: readonly KindName[],
  limit: number,
): Promise<readonly ItemRow[]> =>
  sharedRows({
    pool,
    query: join(
      kinds.map((kind) => sql`(${select(actor, kind, isShown(actor, kind))} limit ${limit})`),
      " union all ",
    ),
  });

/** One item, also a snoozed one. */
export const findItem = (db: Db, actor: Actor, kind: KindName, id: number): Promise<ItemRow | undefined> =>
  row(db, select(actor, kind, sql`item.id = ${id}`));

// Snoozes ------------------------------------------------------------------------------------------------------------------

/** Also deletes those of the actor that are over. */
export async function snooze(tx: Db, { userId, organizationId }: Actor, key: string, until: string): Promise<void> {
  await tx.query(sql`
    insert into attention_snoozes (user_id, organization_id, key, until)
    values (${userId}, ${organizationId}, ${key}, ${until}::timestamptz)
    on conflict (user_id, organization_id, key) do update set until = excluded.until, snoozed_at = excluded.snoozed_at`);
  await tx.query(sql`delete from attention_snoozes where user_id = ${userId} and until <= now()`);
}

export async function endSnooze(tx: Db, { userId, organizationId }: Actor, key: string): Promise<void> {
  await tx.query(sql`
    delete from attention_snoozes
    where user_id = ${userId} and organization_id = ${organizationId} and key = ${key}`);
}
