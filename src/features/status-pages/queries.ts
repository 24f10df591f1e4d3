import { limitOf } from "../../db/page.ts";
import { changed, type Db, row, rows, type Sql, sql } from "../../db/sql.ts";
import type { PageRequest } from "../../http/pagination.ts";
import { type Actor, monitorReach } from "../accounts/reach.ts";
import { holdMonitors, isPresent } from "../monitors/queries.ts";
import type { IncidentRow, IncidentState, StatusPageRow } from "./schema.ts";

const columns = sql`
  sp.id, sp.organization_id, sp.name, sp.description, sp.slug, sp.domain, sp.is_public, sp.created_at, sp.updated_at,
  coalesce((select jsonb_agg(jsonb_build_object('id', pm.monitor_id, 'label', pm.label) order by pm.position)
    from status_page_monitors pm join monitors m on m.id = pm.monitor_id
    where pm.page_id = sp.id and m.organization_id = sp.organization_id), '[]') as monitors,
  (select count(*)::int from status_incidents i where i.page_id = sp.id and i.resolved_at is null) as open_incidents
`;

/** Pages whose monitors are all in reach. */
function pageReach(actor: Actor): Sql {
  const ours = sql`sp.organization_id = ${actor.organizationId}`;
  if (!actor.restriction) return ours;
  return sql`(${ours}
    and exists (select 1 from status_page_monitors pm where pm.page_id = sp.id)
    and not exists (
      select 1 from status_page_monitors pm where pm.page_id = sp.id
        and not exists (select 1 from monitors m where m.id = pm.monitor_id and ${monitorReach(actor)})))`;
}

export const listPages = (db: Db, actor: Actor, page: PageRequest): Promise<(StatusPageRow & { total: number })[]> =>
  rows(
    db,
    sql`
      select ${columns}, count(*) over () as total from status_pages sp where ${pageReach(actor)}
      order by sp.id ${limitOf(page)}
    `,
  );

export async function countPages(db: Db, actor: Actor): Promise<number> {
  const counted = await row<{ total: number }>(
    db,
    sql`select count(*) as total from status_pages sp where ${pageReach(actor)}`,
  );
  return counted?.total ?? 0;
}

export const findPage = (db: Db, actor: Actor, id: number): Promise<StatusPageRow | undefined> =>
  row(db, sql`select ${columns} from status_pages sp where sp.id = ${id} and ${pageReach(actor)}`);

/** Like `findPage`, and locks the page until the end of the transaction. */
export async function lockPage(tx: Db, actor: Actor, id: number): Promise<StatusPageRow | undefined> {
  await tx.query(sql`select 1 from status_pages where id = ${id} for no key update`);
  return findPage(tx, actor, id);
}

/** Which of `slug` and `domain` another page of the installation has. */
export async function listTaken(
  db: Db,
  { id, slug, domain }: { id: number | undefined; slug: string | undefined; domain: string | null | undefined },
): Promise<{ slug: boolean; domain: boolean }> {
  const found = await row<{ slug: boolean; domain: boolean }>(
    db,
    sql`
      select coalesce(bool_or(slug = ${slug ?? null}), false) as slug,
        coalesce(bool_or(domain = ${domain ?? null}), false) as domain
      from status_pages where id is distinct from ${id ?? null} and (slug = ${slug ?? null} or domain = ${domain ?? null})
    `,
  );
  return found ?? { slug: false, domain: false };
}

/** The settings of a page in a request. */
export type PageSettings = Pick<StatusPageRow, "name" | "description" | "slug" | "domain" | "is_public">;

export async function insertPage(tx: Db, organizationId: number, page: PageSettings): Promise<number> {
  const inserted = await row<{ id: number }>(
    tx,
    sql`
      insert into status_pages (organization_id, name, description, slug, domain, is_public)
      values (${organizationId}, ${page.name}, ${page.description}, ${page.slug}, ${page.domain}, ${page.is_public})
      returning id
    `,
  );
  return (inserted as { id: number }).id;
}

export async function updatePage(tx: Db, id: number, page: PageSettings): Promise<void> {
  await changed(
    tx,
    sql`
      update status_pages set name = ${page.name}, description = ${page.description}, slug = ${page.slug},
        domain = ${page.domain}, is_public = ${page.is_public}, updated_at = clock_timestamp()
      where id = ${id}
    `,
  );
}

/** Replaces the monitors of a page; false if one is gone or out of the actor's reach: then the caller rolls back. */
export async function replaceMonitors(
  tx: Db,
  actor: Actor,
  id: number,
  monitors: readonly { id: number; label?: string | null | undefined }[],
): Promise<boolean> {
  await holdMonitors(
    tx,
    actor,
    monitors.map((monitor) => monitor.id),
  );
  await changed(tx, sql`delete from status_page_monitors where page_id = ${id}`);
  const inserted = await changed(
    tx,
    sql`
      insert into status_page_monitors (page_id, monitor_id, position, label)
      select ${id}, m.id, chosen.position, chosen.label
      from unnest(${monitors.map((monitor) => monitor.id)}::bigint[],
        ${monitors.map(({ label }) => label ?? null)}::text[]) with ordinality as chosen (monitor_id, label, position)
      join monitors m on m.id = chosen.monitor_id
      where ${monitorReach(actor)} and ${isPresent}
    `,
  );
  return inserted === monitors.length;
}

export const deletePageRow = async (tx: Db, id: number): Promise<boolean> =>
  (await changed(tx, sql`delete from status_pages where id = ${id}`)) === 1;

// Incidents ----------------------------------------------------------------------------------------------------------------

const incidentColumns = sql`
  i.id, i.title, i.state, i.created_at, i.updated_at, i.resolved_at,
  coalesce((select jsonb_agg(jsonb_build_object('id', u.id, 'state', u.state, 'text', u.text, 'created_at',
      to_char(u.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) order by u.id desc)
    from status_incident_updates u where u.incident_id = i.id), '[]') as updates
`;

/** For a page that the caller found through the actor's reach. */
export const listIncidents = (
  db: Db,
  pageId: number,
  page: PageRequest,
): Promise<(IncidentRow & { total: number })[]> =>
  rows(
    db,
    sql`
      select ${incidentColumns}, count(*) over () as total from status_incidents i where i.page_id = ${pageId}
      order by i.id desc ${limitOf(page)}
    `,
  );

export async function countIncidents(db: Db, pageId: number): Promise<number> {
  const counted = await row<{ total: number }>(
    db,
    sql`select count(*) as total from status_incidents where page_id = ${pageId}`,
  );
  return counted?.total ?? 0;
}

/** The incident and the page of a request. The page was found through the actor's reach. */
export interface IncidentPath {
  pageId: number;
  incidentId: number;
}

export const findIncident = (db: Db, { pageId, incidentId }: IncidentPath): Promise<IncidentRow | undefined> =>
  row(db, sql`select ${incidentColumns} from status_incidents i where i.id = ${incidentId} and i.page_id = ${pageId}`);

export async function insertIncident(
  tx: Db,
  pageId: number,
  { title, state }: { title: string; state: IncidentState },
): Promise<number> {
  const inserted = await row<{ id: number }>(
    tx,
    sql`
      insert into status_incidents (page_id, title, state, resolved_at)
      values (${pageId}, ${title}, ${state}, case when ${state} = 'resolved' then clock_timestamp() end) returning id
    `,
  );
  return (inserted as { id: number }).id;
}

export const setIncidentTitle = async (tx: Db, { pageId, incidentId }: IncidentPath, title: string): Promise<boolean> =>
  (await changed(
    tx,
    sql`
      update status_incidents set title = ${title}, updated_at = clock_timestamp()
      where id = ${incidentId} and page_id = ${pageId}
    `,
  )) === 1;

export const deleteIncidentRow = async (tx: Db, { pageId, incidentId }: IncidentPath): Promise<boolean> =>
  (await changed(tx, sql`delete from status_incidents where id = ${incidentId} and page_id = ${pageId}`)) === 1;

export async function insertUpdate(
  tx: Db,
  incidentId: number,
  { state, text }: { state: IncidentState; text: string },
): Promise<void> {
  await changed(
    tx,
    sql`insert into status_incident_updates (incident_id, state, text) values (${incidentId}, ${state}, ${text})`,
  );
}

export const setUpdateText = async (tx: Db, incidentId: number, id: number, text: string): Promise<boolean> =>
  (await changed(
    tx,
    sql`update status_incident_updates set text = ${text} where id = ${id} and incident_id = ${incidentId}`,
  )) === 1;

export const deleteUpdateRow = async (tx: Db, incidentId: number, id: number): Promise<boolean> =>
  (await changed(tx, sql`delete from status_incident_updates where id = ${id} and incident_id = ${incidentId}`)) === 1;

/** An incident is in the state of its newest update. */
export async function followUpdates(tx: Db, incidentId: number): Promise<void> {
  await changed(
    tx,
    sql`
      update status_incidents i set state = newest.state, updated_at = clock_timestamp(),
        resolved_at = case when newest.state = 'resolved' then coalesce(i.resolved_at, clock_timestamp()) end
      from (select state from status_incident_updates where incident_id = ${incidentId} order by id desc limit 1) newest
      where i.id = ${incidentId}
    `,
  );
}

// Publishing ---------------------------------------------------------------------------------------------------------------

export interface PublishedPage {
  id: number;
  name: string;
  description: string;
  slug: string;
  domain: string | null;
}

/** A page as visitors find it; undefined if it does not exist or is not public. */
export const findPublished = (db: Db, slug: string): Promise<PublishedPage | undefined> =>
  row(db, sql`select id, name, description, slug, domain from status_pages where slug = ${slug} and is_public`);

export const listDomains = (db: Db): Promise<{ domain: string; slug: string }[]> =>
  rows(db, sql`select domain, slug from status_pages where domain is not null`);

export interface PublishedMonitor {
  id: number;
  name: string;
  state: "up" | "down" | "pending" | "unobserved";
}

export const listPublishedMonitors = (db: Db, pageId: number): Promise<PublishedMonitor[]> =>
  rows(
    db,
    sql`
      select m.id, coalesce(pm.label, m.name) as name,
        case when open.state = 'unobserved' then 'unobserved' else m.current_status end as state
      from status_page_monitors pm
      join status_pages sp on sp.id = pm.page_id
      join monitors m on m.id = pm.monitor_id and m.organization_id = sp.organization_id
      left join monitor_intervals open on open.monitor_id = m.id and open.ended_at is null
      where pm.page_id = ${pageId} and m.is_active and ${isPresent} order by pm.position
    `,
  );

/** Seconds of a UTC day in which a monitor was up and down. */
export interface ObservedDay {
  monitor_id: number;
  day: string;
  up: number;
  down: number;
}

export const listObservedDays = (db: Db, monitorIds: readonly number[], days: number): Promise<ObservedDay[]> =>
  rows(
    db,
    sql`
      select monitor_id, to_char(day, 'YYYY-MM-DD') as day,
        coalesce(sum(seconds) filter (where state = 'up'), 0)::float8 as up,
        coalesce(sum(seconds) filter (where state = 'down'), 0)::float8 as down
      from (
        select i.monitor_id, i.state, d.day, extract(epoch from
          least(i.until, d.day + interval '1 day') - greatest(i.started_at at time zone 'UTC', d.day)) as seconds
        from (
          select i.monitor_id, i.state, i.started_at,
            least(coalesce(i.ended_at, m.observed_until), now()) at time zone 'UTC' as until
          from monitor_intervals i join monitors m on m.id = i.monitor_id
          where i.monitor_id = any(${[...monitorIds]}::bigint[]) and i.state <> 'unobserved'
            and (i.ended_at is null or i.ended_at > now() - make_interval(days => ${days}))
        ) i cross join lateral generate_series(
          greatest(date_trunc('day', i.started_at at time zone 'UTC'),
            date_trunc('day', now() at time zone 'UTC') - make_interval(days => ${days - 1})),
          i.until, interval '1 day') d (day)
      ) pieces
      where seconds > 0 group by monitor_id, day
    `,
  );

/** Open incidents, and those that were resolved within so many days; the newest first. */
export const listPublishedIncidents = (db: Db, pageId: number, resolvedDays: number): Promise<IncidentRow[]> =>
  rows(
    db,
    sql`
      select ${incidentColumns} from status_incidents i
      where i.page_id = ${pageId}
        and (i.resolved_at is null or i.resolved_at > now() - make_interval(days => ${resolvedDays}))
      order by i.resolved_at is not null, i.id desc limit 50
    `,
  );
