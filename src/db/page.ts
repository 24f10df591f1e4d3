import { raw, type Sql, sql } from "./sql.ts";

const usualLimits = new Set([10, 15, 25, 50]);
const firstPages = 10;

/**
 * `limit` and `offset` of a page. Those of the first pages are part of the statement: where PostgreSQL does not know them it
 * reckons with a tenth of the table, finds that so dear that it plans anew at each request, and takes longer to plan than to
 * read. The number of statements stays small: lists have few sizes.
 */
export function limitOf({ limit, offset }: { limit: number; offset: number }): Sql {
  const isUsual = usualLimits.has(limit) && offset % limit === 0 && offset < firstPages * limit;
  return isUsual ? raw(`limit ${limit} offset ${offset}`) : sql`limit ${limit} offset ${offset}`;
}
