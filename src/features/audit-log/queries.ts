import { limitOf } from "../../db/page.ts";
import { type Db, empty, row, rows, type Sql, sql } from "../../db/sql.ts";
import type { CallingProgram } from "../../http/calling-program.ts";
import type { PageRequest } from "../../http/pagination.ts";

export interface AuditFilter {
  action?: string | undefined;
  userId?: number | undefined;
  subject?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface AuditEntryRow {
  id: number;
  user_id: number | null;
  user_email: string;
  token_id: number | null;
  ip: string | null;
  action: string;
  summary: string;
  subjects: string[];
  fields: string[];
  request_id: string;
  client: CallingProgram | null;
  created_at: string;
}

const entriesOf = (organizationId: number, { action, userId, subject, from, to }: AuditFilter): Sql => sql`
  from audit_log where organization_id = ${organizationId}
  ${action === undefined ? empty : sql`and action = ${action}`}
  ${userId === undefined ? empty : sql`and user_id = ${userId}`}
  ${subject === undefined ? empty : sql`and subjects @> array[${subject}::text]`}
  ${from === undefined ? empty : sql`and created_at >= ${from}::timestamptz`}
  ${to === undefined ? empty : sql`and created_at < ${to}::timestamptz`}`;

/** Newest first. */
export const listEntries = (
  db: Db,
  organizationId: number,
  filter: AuditFilter,
  page: PageRequest,
): Promise<AuditEntryRow[]> =>
  rows(
    db,
    sql`select id, user_id, user_email, token_id, host(ip) as ip, action, summary, subjects, fields, request_id,
        client, created_at
      ${entriesOf(organizationId, filter)} order by id desc ${limitOf(page)}`,
  );

export const countEntries = async (db: Db, organizationId: number, filter: AuditFilter): Promise<number> =>
  (await row<{ count: number }>(db, sql`select count(*) ${entriesOf(organizationId, filter)}`))?.count ?? 0;
