import type { MonitorFilter, MonitorStatus, MonitorType } from "../../data/monitors.ts";

// What the list of monitors shows: kept in the address, in the API's words.

export const statuses: readonly MonitorStatus[] = ["down", "up", "pending"];
export const types: readonly MonitorType[] = ["http", "heartbeat"];
export const typeNames: Record<MonitorType, string> = { http: "Health check", heartbeat: "Heartbeat" };

const longestText = 200;
const mostIds = 100;

/** What an address asks for. Anything that the API would refuse is left out: addresses are typed, and outlive versions. */
export function filterIn(search: URLSearchParams): MonitorFilter {
  const q = search.get("q")?.trim().slice(0, longestText);
  const [status] = namesIn(search.get("status"), statuses);
  const [type] = namesIn(search.get("type"), types);
  const project_id = idsIn(search.get("project_id"));
  const server_id = idsIn(search.get("server_id"));
  return {
    ...(q && { q }),
    ...(status && { status }),
    ...(type && { type }),
    ...(project_id.length > 0 && { project_id }),
    ...(server_id.length > 0 && { server_id }),
  };
}

/** The address of a filter. */
export const searchOf = (filter: MonitorFilter): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]));

/** The filter with other values of a field. */
export function withFilter(filter: MonitorFilter, id: string, selected: readonly string[]): MonitorFilter {
  const { [id as keyof MonitorFilter]: _, ...rest } = filter;
  if (selected.length === 0) return rest;
  if (id === "project_id" || id === "server_id") return { ...rest, [id]: selected.map(Number) };
  return { ...rest, [id]: selected[0] };
}

export const isFiltered = (filter: MonitorFilter): boolean => Object.keys(filter).length > 0;

const partsOf = (text: string | null): string[] => [...new Set(text?.split(",") ?? [])].slice(0, mostIds);

const namesIn = <Name extends string>(text: string | null, known: readonly Name[]): Name[] =>
  known.filter((name) => partsOf(text).includes(name));

const idsIn = (text: string | null): number[] =>
  partsOf(text)
    .filter((part) => /^[1-9]\d{0,8}$/.test(part))
    .map(Number);
