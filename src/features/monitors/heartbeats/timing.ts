import { nextRun } from "../../../host/jobs/cron.ts";
import { listenerIntervalSeconds } from "./schema.ts";

// When a report is expected and when it is late. Nothing here reads the clock.

/** When a job is expected to report. */
export interface Timing {
  /** For scheduled jobs, as `readCronExpression` returns it; null: a background job. */
  schedule: string | null;
  /** The server's time zone, in which cron reads the schedule. */
  timezone: string;
  /** null: by the schedule, or as often as the server's listener reports. */
  periodSeconds: number | null;
  /** null: half of the period and at least a minute; 150 seconds for a background job. */
  graceSeconds: number | null;
}

/** When a report is expected, and from when on it is late. */
export interface Expected {
  expectedAt: Date;
  lateAt: Date;
}

/** A time in which reports could not be received. */
export interface Gap {
  startedAt: Date;
  endedAt: Date;
}

const backgroundGraceSeconds = 150;
const leastGraceSeconds = 60;
// The server's clock may be ahead of ours: a report up to this much early still counts for that run, not as an extra one.
const mostLeadSeconds = 30;
const comparedRuns = 8;

/** The next report after one at `since`; undefined if none is expected, for example from a job that runs only at boot. */
export function nextExpected(timing: Timing, since: Date): Expected | undefined {
  const period = periodOf(timing, since);
  if (period === undefined) return undefined;
  const { schedule, timezone, periodSeconds, graceSeconds } = timing;
  const expectedAt =
    schedule === null || periodSeconds !== null
      ? later(since, period)
      : nextRun(schedule, timezone, later(since, Math.min(mostLeadSeconds, period / 4)));
  if (expectedAt === undefined) return undefined;
  return { expectedAt, lateAt: later(expectedAt, graceSeconds ?? usualGraceSeconds(schedule, period)) };
}

const usualGraceSeconds = (schedule: string | null, period: number): number =>
  schedule === null ? backgroundGraceSeconds : Math.max(leastGraceSeconds, Math.round(period / 2));

/** The period and the grace in force at a time. Without a period, as of a job that runs only at boot, no report is expected. */
export function timingInForce(timing: Timing, at: Date): Pick<Timing, "periodSeconds" | "graceSeconds"> {
  const periodSeconds = periodOf(timing, at) ?? null;
  const usual = periodSeconds === null ? null : usualGraceSeconds(timing.schedule, periodSeconds);
  return { periodSeconds, graceSeconds: timing.graceSeconds ?? usual };
}

/** The seconds between two reports; for an uneven schedule the shortest. */
function periodOf({ schedule, timezone, periodSeconds }: Timing, since: Date): number | undefined {
  if (periodSeconds !== null) return periodSeconds;
  if (schedule === null) return listenerIntervalSeconds;
  const key = `${schedule} ${timezone}`;
  const known = periods.get(key);
  if (known !== undefined) return known;
  let shortest: number | undefined;
  let before = nextRun(schedule, timezone, since);
  for (let count = 0; before !== undefined && count < comparedRuns; count++) {
    const after = nextRun(schedule, timezone, before);
    if (after === undefined) break;
    shortest = Math.min(shortest ?? Number.POSITIVE_INFINITY, (after.getTime() - before.getTime()) / 1_000);
    before = after;
  }
  if (periods.size >= rememberedPeriods) periods.clear();
  if (shortest !== undefined) periods.set(key, shortest);
  return shortest;
}

// Computing several runs takes milliseconds, and there are far fewer schedules than evaluations.
const periods = new Map<string, number>();
const rememberedPeriods = 10_000;

/**
 * The first report after one at `since` that no gap excuses: late when its `lateAt` has passed. A report that may have been sent
 * in a gap counts as received.
 */
export function firstUnexcused(timing: Timing, since: Date, gaps: readonly Gap[]): Expected | undefined {
  let from = since;
  for (;;) {
    const next = nextExpected(timing, from);
    if (next === undefined) return undefined;
    const gap = gaps.findLast(
      ({ startedAt, endedAt }) =>
        startedAt.getTime() < next.lateAt.getTime() &&
        endedAt.getTime() > next.expectedAt.getTime() - mostLeadSeconds * 1_000,
    );
    if (gap === undefined) return next;
    from = new Date(Math.max(gap.endedAt.getTime(), next.expectedAt.getTime()));
  }
}

const later = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1_000);
