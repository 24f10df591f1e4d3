import type { Database } from "../../data/databases.ts";

export type SortKey = "name" | "size_bytes" | "connections";

/** What a list of databases shows, and in which order: kept in the address. */
export interface ListView {
  q: string;
  sort: SortKey | `-${SortKey}`;
}

const sorts = new Set<string>(["name", "size_bytes", "connections"].flatMap((key) => [key, `-${key}`]));

export function viewIn(search: URLSearchParams): ListView {
  const sort = search.get("sort") ?? "";
  return { q: search.get("q") ?? "", sort: sorts.has(sort) ? (sort as ListView["sort"]) : "name" };
}

export const searchOf = ({ q, sort }: ListView): URLSearchParams =>
  new URLSearchParams({ ...(q && { q }), ...(sort !== "name" && { sort }) });

/** The API gives all databases of a server at once: they are filtered and sorted here. */
export function databasesIn<Row extends Database>(all: readonly Row[], { q, sort }: ListView): Row[] {
  const text = q.toLowerCase();
  const matching = all.filter(
    ({ database_name: name, username, notes }) =>
      name.includes(text) || username.includes(text) || (notes ?? "").toLowerCase().includes(text),
  );
  const isReverse = sort.startsWith("-");
  const key = (isReverse ? sort.slice(1) : sort) as SortKey;
  return matching.toSorted((one, other) => (isReverse ? -1 : 1) * compare(one, other, key));
}

/** "customer_2" before "customer_10". */
const { compare: byName } = new Intl.Collator("en", { numeric: true });

function compare(one: Database, other: Database, key: SortKey): number {
  const names = byName(one.database_name, other.database_name);
  return key === "name" ? names : (one[key] ?? -1) - (other[key] ?? -1) || names;
}
