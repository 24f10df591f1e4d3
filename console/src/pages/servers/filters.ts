import {
  type ProviderType,
  type ServerFilter,
  type ServerSort,
  type ServerState,
  serverTypes,
} from "../../data/servers.ts";

/** What the list of servers shows, and in which order: kept in the address, in the API's words. */
export interface ServerView {
  filter: ServerFilter;
  sort: ServerSort;
}

export const states: readonly ServerState[] = ["unreachable", "provisioning", "installing", "ready"];
export const providerTypes: readonly ProviderType[] = ["cloud_a", "cloud_b", "cloud_c", "custom"];
export const types = Object.keys(serverTypes);
export const sortFields = ["name", "last_seen_at", "load", "memory", "disk", "created_at"] as const;
export type SortField = (typeof sortFields)[number];
export const defaultSort: ServerSort = "name";

const sorts: readonly string[] = sortFields.flatMap((field) => [field, `-${field}`]);
const longestText = 200;

/** What an address asks for. Anything that the API would refuse is left out: addresses are typed, and outlive versions. */
export function viewIn(search: URLSearchParams): ServerView {
  const sort = search.get("sort") ?? "";
  const q = search.get("q")?.trim().slice(0, longestText);
  const state = namesIn(search.get("state"), states);
  const provider_type = namesIn(search.get("provider_type"), providerTypes);
  const server_type = namesIn(search.get("server_type"), types).map(Number) as NonNullable<ServerFilter["server_type"]>;
  const filter: ServerFilter = {
    ...(q && { q }),
    ...(server_type.length > 0 && { server_type }),
    ...(state.length > 0 && { state }),
    ...(provider_type.length > 0 && { provider_type }),
  };
  return { filter, sort: sorts.includes(sort) ? (sort as ServerSort) : defaultSort };
}

/** The address of a view, without what is the default. */
export const searchOf = ({ filter, sort }: ServerView): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)])),
  ...(sort !== defaultSort && { sort }),
});

/** The filter with other values of a field. */
export function withFilter({ filter }: ServerView, id: string, selected: readonly string[]): ServerFilter {
  const { [id as keyof ServerFilter]: _, ...rest } = filter;
  if (selected.length === 0) return rest;
  if (id === "q") return { ...rest, q: selected.join() };
  return { ...rest, [id]: id === "server_type" ? selected.map(Number) : selected };
}

export const isFiltered = ({ filter }: ServerView): boolean => Object.keys(filter).length > 0;

const namesIn = <Name extends string>(text: string | null, known: readonly Name[]): Name[] =>
  known.filter((name) => text?.split(",").includes(name));
