import type { Pool } from "pg";
import { allOf, contains } from "../../db/filters.ts";
import { limitOf, sharedCount } from "../../db/page.ts";
import { isInPeriod, type Period } from "../../db/periods.ts";
import { type Db, rows, type Sql, sql } from "../../db/sql.ts";
import type { CallingProgram } from "../../http/calling-program.ts";
import type { PageRequest } from "../../http/pagination.ts";

export interface AuditFilter {
  action?: string | undefined;
  userId?: number | undefined;
  subject?: string | undefined;
  /** The condition of the period. */
  period?: Sql | undefined;
  /** Text of the action, the summary, the email or a subject. */
  q?: string | undefined;
}

export interface AuditEntryRow {
  id: number;
  user_id: number | null;
  user_email: string;
  token_id: number | null;
  token_name: string | null;
  ip: string | null;
  action: string;
  summary: string;
  subjects: string[];
  fields: string[];
  request_id: string;
  client: CallingProgram | null;
  created_at: string;
}

/** Entries that one request searches for a text: some 30 ms. */
export const searchedAtOnce = 5_000;

/** `audit_log e` */
export const entriesOf = (organizationId: number, { action, userId, subject, period }: Omit<AuditFilter, "q">): Sql =>
  allOf([
    sql`e.organization_id = ${organizationId}`,
    action === undefined ? undefined : sql`e.action = ${action}`,
    userId === undefined ? undefined : sql`e.user_id = ${userId}`,
    subject === undefined ? undefined : sql`e.subjects @> array[${subject}::text]`,
    period,
  ]);

/** The condition of the entries of a period. */
export const periodOf = (db: Db, organizationId: number, period: Period): Promise<Sql> =>
  isInPeriod(
    db,
    {
      ...{ table: sql`audit_log e`, id: sql`e.id`, createdAt: sql`e.created_at` },
      ours: sql`e.organization_id = ${organizationId}`,
    },
    period,
  );

const isBefore = (before: number | undefined): Sql => (before === undefined ? sql`true` : sql`e.id < ${before}`);

/** `audit_log e`; the subjects are those that the reader may see. */
export const mentions = (text: string, subjects = sql`e.subjects`): Sql =>
  contains([sql`e.action`, sql`e.summary`, sql`e.user_email`, sql`array_to_string(${subjects}, ' ')`], text);

const columns = sql`e.id, e.user_id, e.user_email, e.token_id, (select name from tokens where id = e.token_id) as token_name,
  host(e.ip) as ip, e.action, e.summary, e.subjects, e.fields, e.request_id, e.client, e.created_at`;

interface Listing {
  organizationId: number;
  filter: AuditFilter;
  before: number | undefined;
  page: Pick<PageRequest, "limit" | "offset">;
}

/** Newest first. */
export const listEntries = (db: Db, { organizationId, filter, before, page }: Listing): Promise<AuditEntryRow[]> =>
  rows(
    db,
    sql`select ${columns} from audit_log e where ${entriesOf(organizationId, filter)} and ${isBefore(before)}
      order by e.id desc ${limitOf(page)}`,
  );

export const countEntries = (pool: Pool, organizationId: number, filter: AuditFilter): Promise<number> =>
  sharedCount({
    pool,
    query: sql`select count(*) as total from audit_log e where ${entriesOf(organizationId, filter)}`,
  });

/** The page of those that mention the text, among the newest `searchedAtOnce` entries. */
export interface Searched {
  entries: AuditEntryRow[];
  total: number;
  /** The oldest entry that was searched, if older ones are left. */
  end: number | null;
}

export async function searchEntries(
  db: Db,
  text: string,
  { organizationId, filter, before, page }: Listing,
): Promise<Searched> {
  const found = await rows<AuditEntryRow & { total: number | null; end: number | null }>(
    db,
    sql`
      with searched as materialized (
        select e.* from audit_log e where ${entriesOf(organizationId, filter)} and ${isBefore(before)}
        order by e.id desc limit ${searchedAtOnce}
      ), entries as (
        select ${columns}, count(*) over () as total from searched e where ${mentions(text)}
        order by e.id desc ${limitOf(page)}
      )
      select entries.*, bounds.end
      from (select case when count(*) = ${searchedAtOnce} then min(id) end as end from searched) bounds
      left join entries on true order by entries.id desc
    `,
  );
  const entries = found.filter((entry) => entry.total !== null);
  return { entries, total: found[0]?.total ?? 0, end: found[0]?.end ?? null };
}
