import { allOf } from "../../../db/filters.ts";
import { type Db, join, raw, rows, type Sql, sql } from "../../../db/sql.ts";
import { type Actor, projectReach, serverReach } from "../../accounts/reach.ts";
import { type AuditFilter, entriesOf, mentions } from "../../audit-log/queries.ts";

// Names of records that entries of the audit log name -----------------------------------------------------------------------

const ofOrganization = (table: string, name = "name"): Sql =>
  raw(`select id, ${name} as name, organization_id from ${table}`);
const ofProject = (table: string, name: string): Sql =>
  raw(
    `select each.id, each.${name} as name, p.organization_id from ${table} each join projects p on p.id = each.project_id`,
  );

/** Id, name and organization of the records of each kind, as http/audit.ts names it after paths and fields. */
const named: Record<string, Sql> = {
  project: ofOrganization("projects"),
  server: ofOrganization("servers"),
  deployment: sql`select d.id, p.name, d.organization_id from deployments d join projects p on p.id = d.project_id`,
  domain: ofProject("domains", "domain_name"),
  database: sql`
    select db.id, db.database_name as name, s.organization_id from databases db join servers s on s.id = db.server_id`,
  certificate: sql`
    select c.id, p.name, p.organization_id from certificates c join projects p on p.id = c.project_id`,
  job: ofProject("project_jobs", "name"),
  "scheduler-job": ofProject("project_jobs", "name"),
  "background-job": ofProject("project_jobs", "name"),
  monitor: ofOrganization("monitors"),
  "maintenance-window": ofOrganization("maintenance_windows"),
  "status-page": ofOrganization("status_pages"),
  "project-group": ofOrganization("project_groups"),
  "notification-channel": ofOrganization("notification_channels"),
  "server-provider": ofOrganization("server_providers"),
  "source-provider": ofOrganization("source_providers"),
  "server-order": ofOrganization("server_orders", "server_name"),
  "server-snapshot": ofOrganization("server_snapshots"),
  "ssh-key": sql`select id, name, organization_id from ssh_keys where organization_id is not null`,
  organization: raw("select id, name, id as organization_id from organizations"),
  user: sql`select u.id, u.name, m.organization_id from users u join memberships m on m.user_id = u.id`,
  member: sql`select u.id, u.name, m.organization_id from users u join memberships m on m.user_id = u.id`,
  invitation: ofOrganization("invitations", "email"),
  token: sql`
    select t.id, t.name, m.organization_id from tokens t join memberships m on m.user_id = t.user_id`,
};

/** The present names of an organization's records, by subject. */
export async function namesOf(
  db: Db,
  organizationId: number,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = Map.groupBy(subjects.map(partsOf), ({ kind }) => kind);
  const parts = [...ids].flatMap(([kind, found]) => {
    const source = Object.hasOwn(named, kind) ? named[kind] : undefined;
    return source === undefined ? [] : [lookUp(source, { kind, ids: found.map(({ id }) => id), organizationId })];
  });
  if (parts.length === 0) return new Map();
  const found = await rows<{ subject: string; name: string }>(db, join(parts, " union all "));
  return new Map(found.map(({ subject, name }) => [subject, name]));
}

function partsOf(subject: string): { kind: string; id: number } {
  const [kind = "", id] = subject.split(":");
  return { kind, id: Number(id) };
}

const lookUp = (
  source: Sql,
  { kind, ids, organizationId }: { kind: string; ids: number[]; organizationId: number },
): Sql => sql`
  select ${kind}::text || ':' || record.id as subject, record.name from (${source}) record
  where record.id = any(${ids.filter(Number.isSafeInteger)}::bigint[]) and record.organization_id = ${organizationId}`;

// Activity -----------------------------------------------------------------------------------------------------------------

export interface ActivityRow {
  id: number;
  user_id: number | null;
  user_email: string;
  action: string;
  summary: string;
  subjects: string[];
  fields: string[];
  created_at: string;
}

/** The first word of the path of an entry. */
const area = sql`substring(e.action from '^[A-Z]+ /api/v1/([a-z-]+)')`;

/** Which subjects a restricted member reaches: `subject` is one of an entry. */
const isReached = (actor: Actor): Sql => sql`
  case split_part(subject, ':', 1)
    when 'project' then exists (
      select 1 from projects p where p.id = split_part(subject, ':', 2)::bigint and ${projectReach(actor)})
    when 'server' then exists (
      select 1 from servers s where s.id = split_part(subject, ':', 2)::bigint and ${serverReach(actor)})
    when 'deployment' then exists (
      select 1 from deployments d join projects p on p.id = d.project_id
      where d.id = split_part(subject, ':', 2)::bigint and ${projectReach(actor)})
    else false end`;

/** The subjects that the actor may see; empty when it reaches none, and the entry is not for it. */
const visibleSubjects = (actor: Actor): Sql =>
  actor.restriction
    ? sql`array(select subject from unnest(e.subjects) with ordinality found (subject, place)
        where ${isReached(actor)} order by place)`
    : sql`e.subjects`;

interface Listing {
  filter: AuditFilter;
  /** The first words of paths whose entries the actor may read. */
  areas: readonly string[];
  before: number | undefined;
  limit: number;
}

export interface ActivityPage {
  entries: ActivityRow[];
  /** The oldest entry that was searched, if older ones are left. */
  end: number | null;
}

/** Entries that one request looks through. */
const searchedAtOnce = 5_000;

/** The newest entries about records that the actor may read. */
export async function listActivity(
  db: Db,
  actor: Actor,
  { filter, areas, before, limit }: Listing,
): Promise<ActivityPage> {
  const conditions = allOf([
    sql`${area} = any(${areas}::text[])`,
    filter.q === undefined ? undefined : mentions(filter.q, sql`seen.subjects`),
    // Filters do not reveal what else an entry changed.
    actor.restriction ? sql`cardinality(seen.subjects) > 0` : undefined,
    filter.subject === undefined ? undefined : sql`${filter.subject}::text = any(seen.subjects)`,
  ]);
  const searched = sql`
    select e.* from audit_log e
    where ${entriesOf(actor.organizationId, filter)} ${before === undefined ? sql`` : sql`and e.id < ${before}`}
    order by e.id desc limit ${searchedAtOnce}`;
  const entries = await rows<ActivityRow>(
    db,
    sql`
      select e.id, e.user_id, e.user_email, e.action, e.summary, seen.subjects, e.fields, e.created_at
      from (${searched}) e cross join lateral (select ${visibleSubjects(actor)} as subjects) seen
      where ${conditions} order by e.id desc limit ${limit}
    `,
  );
  if (entries.length === limit) return { entries, end: null };
  const [bounds] = await rows<{ end: number | null }>(
    db,
    sql`select case when count(*) = ${searchedAtOnce} then min(e.id) end as end from (${searched}) e`,
  );
  return { entries, end: bounds?.end ?? null };
}
