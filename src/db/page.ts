import { type Sql, sql } from "./sql.ts";

/** `limit` and `offset` of a page. */
export const limitOf = ({ limit, offset }: { limit: number; offset: number }): Sql =>
  sql`limit ${limit} offset ${offset}`;
