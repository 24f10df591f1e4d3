import { createHash } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import sql, { join, raw, type Sql } from "sql-template-tag";

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

/** The columns of a query, by their names in its rows: one for each field of `Row`. */
export type Columns<Row> = { readonly [Name in keyof Row]-?: Sql };

/** Columns of a table that the query knows as `alias`. */
export const columnsOf = <const Name extends string>(alias: string, names: readonly Name[]): Record<Name, Sql> =>
  Object.fromEntries(names.map((name) => [name, raw(`${alias}.${name}`)])) as Record<Name, Sql>;

/** Columns as a `select` lists them. `part`: the field of the row that contains them, for `rowsInParts`. */
export const selected = (columns: Readonly<Record<string, Sql>>, part?: string): Sql =>
  join(
    Object.entries(columns).map(
      ([name, column]) => sql`${column} as ${raw(part === undefined ? name : `"${part}.${name}"`)}`,
    ),
  );

/** `(column, …) values (value, …)` of an `insert`; the names are those of columns. */
export const columnsAndValues = (values: object): Sql =>
  sql`(${join(Object.keys(values).map((name) => raw(name)))}) values (${join(Object.values(values))})`;

/** `column = value, …` of an `update`; the names are those of columns. */
export const assignments = (values: object): Sql =>
  join(Object.entries(values).map(([name, value]) => sql`${raw(name)} = ${value}`));

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

/** Like `rows`, for a query whose text depends on the request: planned for its values, and not kept. */
export async function rowsOnce<Row>(db: Db, { text, values }: Sql): Promise<Row[]> {
  const result = await db.query({ text, values });
  return result.rows as Row[];
}

/** Like `rows`; a column `part.name` is the field `name` of the row's field `part`. */
export const rowsInParts = async <Row>(db: Db, query: Sql): Promise<Row[]> =>
  (await rows<Record<string, unknown>>(db, query)).map((flat) => inParts(flat) as Row);

function inParts(flat: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(flat)) {
    const [name, part] = column.split(".").toReversed() as [string, string?];
    if (part !== undefined) whole[part] ??= {};
    const fields = part === undefined ? whole : (whole[part] as Record<string, unknown>);
    fields[name] = value;
  }
  return whole;
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
