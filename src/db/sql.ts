import { createHash } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import sql, { raw, type Sql } from "sql-template-tag";

export { empty, join, raw, Sql } from "sql-template-tag";
export { sql };

/** The pool, or one connection inside a transaction: the first parameter of every query. */
export type Db = Pool | PoolClient;

/**
 * Numbers as constants in the text of a query, such as the states of a column. PostgreSQL uses a partial index for a constant, and
 * not for a parameter.
 */
export const constants = <Name extends string>(values: Readonly<Record<Name, number>>): Record<Name, Sql> =>
  Object.fromEntries(Object.entries<number>(values).map(([name, value]) => [name, raw(String(value))])) as Record<
    Name,
    Sql
  >;

// Statements are prepared under a name derived from their text: building and planning queries at each request costs
// half the throughput. The cache is bounded by the number of distinct texts in the code.
const names = new Map<string, string>();

/** A statement for `query`, prepared once per connection; for a limited number of texts. */
export function prepared(text: string, values: unknown[]) {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash("sha1").update(text).digest("base64url");
    names.set(text, name);
  }
  return { name, text, values };
}

// The text of a query is built from its parts at each access.
const preparedQuery = ({ text, values }: Sql) => prepared(text, values);

/** All rows of a query, prepared once per connection. The caller promises that `Row` matches the selected columns. */
export async function rows<Row>(db: Db, query: Sql): Promise<Row[]> {
  const result = await db.query(preparedQuery(query));
  return result.rows as Row[];
}

/** The first row, or undefined. */
export async function row<Row>(db: Db, query: Sql): Promise<Row | undefined> {
  return (await rows<Row>(db, query))[0];
}

/** How many rows a statement changed: the result of a compare-and-set. */
export async function changed(db: Db, query: Sql): Promise<number> {
  const result = await db.query(preparedQuery(query));
  return result.rowCount ?? 0;
}
