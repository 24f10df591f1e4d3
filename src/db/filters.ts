import { join, raw, type Sql, sql } from "./sql.ts";

// Conditions and orders of lists, for the parameters of http/lists.ts.

/**
 * For `order by`: the column, and the id where it is the same. Without a value stands at the end in both directions. With `optional`,
 * all other columns always have a value, so that one index serves both directions.
 */
export function orderOf<Name extends string>(
  columns: Record<Name, Sql>,
  sort: Name | `-${Name}`,
  id: Sql,
  { optional }: { optional?: readonly Name[] } = {},
): Sql {
  const name = sort.replace(/^-/, "") as Name;
  const direction = raw(sort.startsWith("-") ? "desc" : "asc");
  const nulls = optional && !optional.includes(name) ? sql`` : sql` nulls last`;
  return sql`${columns[name]} ${direction}${nulls}, ${id} ${direction}`;
}

/** That one of the columns contains the text, in any case. */
export const contains = (columns: readonly Sql[], text: string): Sql =>
  sql`(${join(
    columns.map((column) => sql`strpos(lower(${column}), lower(${text}::text)) > 0`),
    " or ",
  )})`;

/** The conditions of the filters that a request has, joined by `and`. */
export const allOf = (conditions: readonly (Sql | undefined)[]): Sql => {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? sql`true` : join(given, " and ");
};
