import { type Db, row, rows, sql } from "../../db/sql.ts";
import type { EventRow } from "./schema.ts";

/** Events of some organizations after a position, in order. */
export const listEvents = (
  db: Db,
  organizationIds: readonly number[],
  after: number,
  limit: number,
): Promise<EventRow[]> =>
  rows(
    db,
    sql`
      select position, organization_id, server_id, project_id, name, data, created_at from events
      where organization_id = any(${organizationIds}::bigint[]) and position > ${after}
      order by position limit ${limit}
    `,
  );

/** The positions of the oldest and the newest event; 0 without events. */
export async function findEnds(db: Db): Promise<{ oldest: number; newest: number }> {
  const ends = await row<{ oldest: number; newest: number }>(
    db,
    sql`
      select coalesce((select min(position) from events), 0) as oldest,
        coalesce((select max(position) from events), 0) as newest
    `,
  );
  return ends ?? { oldest: 0, newest: 0 };
}
