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

/** Where the kept events begin and end. */
export interface Ends {
  /** The positions of the oldest and the newest event; 0 without events. */
  oldest: number;
  newest: number;
  newestAt: string | null;
  /** When the event at the requested position was recorded: it tells whether the database still has the same event there. */
  thereAt: string | null;
}

export async function findEnds(db: Db, position: number): Promise<Ends> {
  const ends = await row<Ends>(
    db,
    sql`
      select coalesce((select min(position) from events), 0) as oldest, coalesce(newest.position, 0) as newest,
        newest.created_at as "newestAt", (select created_at from events where position = ${position}) as "thereAt"
      from (values (1)) one left join (
        select position, created_at from events where position is not null order by position desc limit 1) newest on true
    `,
  );
  return ends ?? { oldest: 0, newest: 0, newestAt: null, thereAt: null };
}
