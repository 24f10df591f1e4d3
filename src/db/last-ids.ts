import type { Pool } from "pg";
import { row, sql } from "./sql.ts";
import { bookkeeping } from "./transaction.ts";

/** The last id that each sequence gave, by its name. */
export type LastIds = Readonly<Record<string, number>>;

export async function readLastIds(pool: Pool): Promise<LastIds> {
  const found = await row<{ ids: LastIds }>(
    pool,
    sql`
      select coalesce(json_object_agg(sequencename, last_value), '{}') as ids
      from pg_sequences where schemaname = current_schema() and last_value is not null
    `,
  );
  return found?.ids ?? {};
}

/** Makes every sequence continue after these ids; none goes back. Returns the names of those that were behind. */
export async function continueIds(pool: Pool, ids: LastIds): Promise<string[]> {
  const moved = await bookkeeping(pool, (tx) =>
    row<{ names: string[] }>(tx, sql`select continue_ids(${JSON.stringify(ids)}::jsonb) as names`),
  );
  return moved?.names ?? [];
}
