import type { ActivityFilter } from "../../data/activity.ts";

const longestText = 200;
const texts = ["q", "action", "subject", "from", "to"] as const;
const ids = ["user_id", "before"] as const;

/** What an address asks for. What the API would refuse is left out: addresses are typed, and outlive versions. */
export function filterIn(search: URLSearchParams): ActivityFilter {
  const filter: Record<string, string | number> = {};
  for (const name of texts) {
    const text = search.get(name)?.trim().slice(0, longestText);
    if (text && (!["from", "to"].includes(name) || isDay(text))) filter[name] = text;
  }
  for (const name of ids) {
    const id = Number(search.get(name));
    if (Number.isSafeInteger(id) && id > 0) filter[name] = id;
  }
  return filter;
}

const isDay = (text: string): boolean => !Number.isNaN(Date.parse(text));

/** The query of an address with other filters: back to the newest entries. */
export function searchWith(filter: ActivityFilter, changed: ActivityFilter): string {
  const { before: _, ...others } = filter;
  const given = Object.entries({ ...others, ...changed }).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}

/** Where the browser downloads the entries that the filters leave. */
export function exportAddress(organization: number, format: "csv" | "ndjson", filter: ActivityFilter): string {
  const query = searchWith(filter, {}).slice(1);
  return `/api/v1/organizations/${organization}/audit-log?${query}${query && "&"}format=${format}`;
}
