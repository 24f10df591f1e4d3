import { openPool } from "./pool.ts";
import { row, sql } from "./sql.ts";

/** Bytes that the database of this address takes on its server's disk, with its indexes. Throws what PostgreSQL or the network does. */
export async function databaseBytes(url: string): Promise<number> {
  const pool = openPool(url, { max: 1, applicationName: "longshore service" });
  try {
    const found = await row<{ bytes: string }>(pool, sql`select pg_database_size(current_database())::text as bytes`);
    return Number(found?.bytes ?? 0);
  } finally {
    await pool.end();
  }
}
