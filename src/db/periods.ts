import { allOf } from "./filters.ts";
import { type Db, rowsOnce, type Sql, sql } from "./sql.ts";

export interface Period {
  /** Not before. */
  from?: string | undefined;
  /** Before. */
  to?: string | undefined;
}

/** A table whose ids follow `created_at` nearly, but not exactly, with an index of `organization_id, (id >> 12), created_at`. */
interface Timed {
  /** With its alias. */
  table: Sql;
  id: Sql;
  createdAt: Sql;
  /** The condition of the organization. */
  ours: Sql;
}

/**
 * The condition of the rows of a period, with bounds of their ids for a list in the order of these: the first and the last block of 4,096
 * ids that have a row of the period. The index shows for each block whether it has.
 */
export async function isInPeriod(db: Db, { table, id, createdAt, ours }: Timed, { from, to }: Period): Promise<Sql> {
  if (from === undefined && to === undefined) return sql`true`;
  const period = allOf([
    from === undefined ? undefined : sql`${createdAt} >= ${from}::timestamptz`,
    to === undefined ? undefined : sql`${createdAt} < ${to}::timestamptz`,
  ]);
  // A subquery with a limit, since a join would be planned for "exists": of everything in the period.
  const firstBlock = (first: Sql, last: Sql, step: Sql) => sql`
    select block from generate_series(${first}, ${last}, ${step}) block
    where (select true from ${table} where ${ours} and ${period} and ${id} >> 12 = block limit 1) limit 1
  `;
  const [blocks] = await rowsOnce<{ lowest: number | null; highest: number | null }>(
    db,
    sql`
      with ends as materialized (select min(${id}) >> 12 as first, max(${id}) >> 12 as last from ${table} where ${ours})
      select (${firstBlock(sql`(select first from ends)`, sql`(select last from ends)`, sql`1::bigint`)}) as lowest,
        (${firstBlock(sql`(select last from ends)`, sql`(select first from ends)`, sql`-1::bigint`)}) as highest
    `,
  );
  const { lowest, highest } = blocks ?? { lowest: null, highest: null };
  if (lowest === null || highest === null) return sql`false`;
  return sql`(${period} and ${id} >= ${lowest}::bigint << 12 and ${id} < (${highest}::bigint + 1) << 12)`;
}
