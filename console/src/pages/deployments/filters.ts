import type { DeploymentFilter, DeploymentState } from "../../data/deployments.ts";

// What the list of deployments shows: kept in the address, in the API's words.

type Kind = NonNullable<DeploymentFilter["process_type"]>[number];

export const states: readonly DeploymentState[] = ["running", "queued", "cancelling", "failed", "success", "cancelled"];
export const kinds: readonly Kind[] = ["deployment", "rollback", "recycle", "move"];

/** Days until now. */
export const periods = { "1": "Last 24 hours", "7": "Last 7 days", "30": "Last 30 days" } as const;
export type Period = keyof typeof periods;

/** What is shown: the filter of the API, and the period by which its `from` was chosen. */
export interface DeploymentView {
  filter: DeploymentFilter;
  days?: Period;
}

const longestText = 200;
const mostIds = 100;

/** What an address asks for. Anything that the API would refuse is left out: addresses are typed, and outlive versions. */
export function viewIn(search: URLSearchParams, now: number): DeploymentView {
  const q = search.get("q")?.trim().slice(0, longestText);
  const status = namesIn(search.get("status"), states);
  const process_type = namesIn(search.get("process_type"), kinds);
  const project_id = idsIn(search.get("project_id"));
  const server_id = idsIn(search.get("server_id"));
  const initiator = partsOf(search.get("initiator")).filter((part) => /^(push|monitor|[1-9]\d{0,14})$/.test(part));
  const [days] = namesIn(search.get("days"), Object.keys(periods) as Period[]);
  const from = days ? new Date(now - Number(days) * dayMs).toISOString() : timeIn(search.get("from"));
  const to = timeIn(search.get("to"));
  const filter = {
    ...(q && { q }),
    ...(status.length > 0 && { status }),
    ...(process_type.length > 0 && { process_type }),
    ...(project_id.length > 0 && { project_id }),
    ...(server_id.length > 0 && { server_id }),
    ...(initiator.length > 0 && { initiator }),
    ...(from && { from }),
    ...(to && { to }),
  };
  return days ? { filter, days } : { filter };
}

const dayMs = 86_400_000;

/** The address of a view: `?…`. */
export function searchWith({ filter, days }: DeploymentView): string {
  const { from, ...rest } = filter;
  const values = Object.entries({ ...rest, ...(days ? { days } : { from }) }).map(([name, value]) => [
    name,
    String(value ?? ""),
  ]);
  return `?${new URLSearchParams(values.filter(([, value]) => value !== ""))}`;
}

export const isFiltered = ({ filter }: DeploymentView): boolean => Object.keys(filter).length > 0;

const partsOf = (text: string | null): string[] => [...new Set(text?.split(",") ?? [])].slice(0, mostIds);

const namesIn = <Name extends string>(text: string | null, known: readonly Name[]): Name[] =>
  partsOf(text).filter((part): part is Name => (known as readonly string[]).includes(part));

const idsIn = (text: string | null): number[] =>
  partsOf(text)
    .filter((part) => /^[1-9]\d{0,8}$/.test(part))
    .map(Number);

/** A day of this browser's calendar, or a time with its zone. */
function timeIn(text: string | null): string | undefined {
  if (!text || !/^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d))?$/.test(text)) return undefined;
  const time = new Date(text.length === 10 ? `${text}T00:00:00` : text);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
