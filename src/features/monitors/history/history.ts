import type { RequestContext } from "../../../http/route.ts";
import { type FieldErrors, invalid } from "../../../lib/errors.ts";
import { timestamp } from "../../../lib/timestamp.ts";
import { getMonitor } from "../actions.ts";
import { latencyClasses } from "../schema.ts";
import { type HourRow, type IntervalRow, listHours, listIntervals, type Range } from "./queries.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

type Resolution = "hour" | "day";
const stepMs: Record<Resolution, number> = { hour: hourMs, day: dayMs };
const longestMs: Record<Resolution, number> = { hour: 31 * dayMs, day: 400 * dayMs };

const shownStates = 1_000;
const countedIntervals = 50_000;

interface Query {
  from?: string | undefined;
  to?: string | undefined;
  resolution?: Resolution | undefined;
}

/** The results of a monitor's checks: counts and response times by hour or day (UTC), and the intervals of its state. */
export async function showHistory(ctx: RequestContext, id: number, query: Query) {
  const { range, resolution } = validRange(query);
  await getMonitor(ctx, id);
  const [hours, intervals] = await Promise.all([
    listHours(ctx.pool, id, range),
    listIntervals(ctx.pool, id, range, countedIntervals),
  ]);
  const step = stepMs[resolution];
  const points = [];
  for (let at = range.from.getTime(); at < range.to.getTime(); at += step) {
    const part = { from: new Date(at), to: new Date(at + step) };
    const within = hours.filter(({ hour }) => Date.parse(hour) >= at && Date.parse(hour) < at + step);
    const overlapping = intervals.filter(
      ({ started_at, counted_until }) => Date.parse(started_at) < at + step && Date.parse(counted_until) > at,
    );
    if (within.length > 0 || overlapping.length > 0) points.push(pointOf(within, overlapping, part));
  }
  const { up, down } = secondsIn(intervals, range);
  return {
    from: timestamp(range.from),
    to: timestamp(range.to),
    resolution,
    uptime: up + down === 0 ? null : Math.floor((1e5 * up) / (up + down)) / 1_000,
    points,
    states: intervals
      .slice(-shownStates)
      .map(({ state, started_at, ended_at }) => ({ state, from: started_at, to: ended_at })),
  };
}

/** The errors of a query beyond its schema. */
export const checkHistory = (_ctx: RequestContext, { query }: { query: Query }): FieldErrors =>
  rangeOf(query, new Date()).errors ?? {};

// The check passed a moment earlier, when "now" was another time.
function validRange(query: Query): Requested {
  const read = rangeOf(query, new Date());
  if (read.errors) throw invalid(read.errors);
  return read;
}

interface Requested {
  range: Range;
  resolution: Resolution;
}

/** The requested range, widened to whole hours or days, or the errors of the query. */
function rangeOf(query: Query, now: Date): (Requested & { errors?: undefined }) | { errors: FieldErrors } {
  const to = query.to === undefined ? now : readTime(query.to);
  const from = query.from === undefined ? to && new Date(to.getTime() - dayMs) : readTime(query.from);
  if (!to || !from) {
    const fields = [...(query.from !== undefined && !from ? ["from"] : []), ...(to ? [] : ["to"])];
    return { errors: Object.fromEntries(fields.map((field) => [field, notTime(field)])) };
  }
  if (from >= to) return { errors: { from: "The from must be before the to." } };
  const length = to.getTime() - from.getTime();
  const resolution = query.resolution ?? (length <= 3 * dayMs ? "hour" : "day");
  if (length > longestMs[resolution]) {
    const days = longestMs[resolution] / dayMs;
    return { errors: { from: `With a resolution of one ${resolution}, at most ${days} days are shown at once.` } };
  }
  const step = stepMs[resolution];
  const begin = Math.floor(from.getTime() / step) * step;
  const end = Math.ceil(to.getTime() / step) * step;
  return { range: { from: new Date(begin), to: new Date(end) }, resolution };
}

const notTime = (field: string): string => `The ${field} must be a time such as 2026-03-01T10:00:00Z.`;

function readTime(text: string): Date | undefined {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : new Date(Number.NaN);
  const year = time.getUTCFullYear();
  return Number.isNaN(time.getTime()) || year < 2000 || year > 9999 ? undefined : time;
}

function pointOf(hours: readonly HourRow[], intervals: readonly IntervalRow[], part: Range) {
  const sum = (field: "checks" | "ok" | "unobserved" | "latency_sum_ms") =>
    hours.reduce((total, hour) => total + hour[field], 0);
  const latency = addAll(hours.map((hour) => hour.latency));
  const [none, one, two, three, four, five] = addAll(hours.map((hour) => hour.statuses));
  const answered = latency.reduce((total, count) => total + count, 0);
  const { up, down } = secondsIn(intervals, part);
  return {
    at: timestamp(part.from),
    checks: sum("checks"),
    ok: sum("ok"),
    unobserved: sum("unobserved"),
    average_ms: answered === 0 ? null : Math.round(sum("latency_sum_ms") / answered),
    p50_ms: percentile(latency, 0.5),
    p95_ms: percentile(latency, 0.95),
    statuses: {
      none: none ?? 0,
      "1xx": one ?? 0,
      "2xx": two ?? 0,
      "3xx": three ?? 0,
      "4xx": four ?? 0,
      "5xx": five ?? 0,
    },
    up_seconds: Math.round(up),
    down_seconds: Math.round(down),
  };
}

const addAll = (counts: readonly (readonly number[])[]): number[] =>
  counts.reduce<number[]>((sums, each) => each.map((count, at) => count + (sums[at] ?? 0)), []);

/** A percentile of the response times, interpolated within its class; null without responses. */
export function percentile(latency: readonly number[], share: number): number | null {
  const total = latency.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = total * share;
  for (const [at, count] of latency.entries()) {
    const lower = at === 0 ? 0 : (latencyClasses[at - 1] as number);
    const upper = latencyClasses[at] ?? lower * 2;
    if (left <= count) return Math.round(lower + ((upper - lower) * left) / count);
    left -= count;
  }
  return null;
}

function secondsIn(intervals: readonly IntervalRow[], { from, to }: Range): { up: number; down: number } {
  const seconds = { up: 0, down: 0 };
  for (const { state, started_at, counted_until } of intervals) {
    if (state === "unobserved") continue;
    const begin = Math.max(Date.parse(started_at), from.getTime());
    const end = Math.min(Date.parse(counted_until), to.getTime());
    if (end > begin) seconds[state] += (end - begin) / 1_000;
  }
  return seconds;
}
