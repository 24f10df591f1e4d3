import type { Pool } from "pg";
import {
  findPublished,
  listObservedDays,
  listPublishedIncidents,
  listPublishedMonitors,
  type PublishedPage,
} from "./queries.ts";
import { type IncidentRow, shownDays } from "./schema.ts";

const resolvedDays = 14;
const dayMs = 86_400_000;

/** A UTC day of a monitor. `up` is the share of the observed time; undefined when nothing was observed. */
export interface Day {
  day: string;
  up: number | undefined;
  downSeconds: number;
}

export interface ShownMonitor {
  name: string;
  state: "up" | "down" | "pending" | "unobserved";
  /** The oldest first. */
  days: Day[];
  /** Percent over all days; undefined if nothing was observed. */
  uptime: number | undefined;
}

/** Everything that a status page shows. */
export interface Content {
  page: PublishedPage;
  monitors: ShownMonitor[];
  incidents: IncidentRow[];
  at: Date;
}

/** The present content of a page; undefined if there is no such page or it is not public. */
export async function readContent(pool: Pool, slug: string, at: Date): Promise<Content | undefined> {
  const page = await findPublished(pool, slug);
  if (!page) return undefined;
  const monitors = await listPublishedMonitors(pool, page.id);
  const ids = monitors.map(({ id }) => id);
  const [observed, incidents] = await Promise.all([
    listObservedDays(pool, ids, shownDays),
    listPublishedIncidents(pool, page.id, resolvedDays),
  ]);
  const byDay = new Map(observed.map((each) => [`${each.monitor_id} ${each.day}`, each]));
  const days = Array.from({ length: shownDays }, (_, back) =>
    new Date(at.getTime() - (shownDays - 1 - back) * dayMs).toISOString().slice(0, 10),
  );
  const shown = monitors.map(({ id, name, state }) => {
    const seen = days.map((day) => ({ day, ...(byDay.get(`${id} ${day}`) ?? { up: 0, down: 0 }) }));
    return { name, state, days: seen.map(dayOf), uptime: uptimeOf(seen) };
  });
  return { page, monitors: shown, incidents, at };
}

interface Seconds {
  day: string;
  up: number;
  down: number;
}

const dayOf = ({ day, up, down }: Seconds): Day => ({
  day,
  up: up + down > 0 ? up / (up + down) : undefined,
  downSeconds: Math.round(down),
});

/** Rounded down, so that 100 means no outage. */
function uptimeOf(days: readonly Seconds[]): number | undefined {
  const up = days.reduce((sum, day) => sum + day.up, 0);
  const down = days.reduce((sum, day) => sum + day.down, 0);
  return up + down > 0 ? Math.floor((up / (up + down)) * 100_000) / 1_000 : undefined;
}

export type Overall = "up" | "part" | "down" | "maintenance" | "none";

/** The overall status: the first thing visitors look for. */
export function overallOf({ monitors, incidents }: Pick<Content, "monitors" | "incidents">): Overall {
  const down = monitors.filter(({ state }) => state === "down").length;
  if (down > 0) return down === monitors.length ? "down" : "part";
  if (incidents.some(({ resolved_at: resolvedAt }) => resolvedAt === null)) return "part";
  if (monitors.some(({ state }) => state === "up")) return "up";
  return monitors.some(({ state }) => state === "unobserved") ? "maintenance" : "none";
}

export const overallWords: Record<Overall, string> = {
  up: "All systems are working",
  part: "Some systems have problems",
  down: "All systems are down",
  maintenance: "Under maintenance",
  none: "Nothing is known yet",
};
