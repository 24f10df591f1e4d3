import { fieldCount, nextMatch, readSchedule, type Schedule } from "./schedule.ts";

/** A line of a crontab in /etc/cron.d. */
export interface CronLine {
  /** As returned by `cronExpression`. */
  schedule: string;
  user: string;
  /** One line of shell. */
  command: string;
}

/** A percent sign would end the command and start its input; a newline would start another line. */
export function cronLine({ schedule, user, command }: CronLine): string {
  const line = `${schedule} ${user} ${command.replaceAll("%", "\\%")}`;
  if (/[\r\n\0]/.test(line)) throw new Error("A line of a crontab has no newlines");
  return `${line}\n`;
}

const nicknames: Record<string, string> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** Runs once after the server has booted. */
const atBoot = "@reboot";

/** An expression in the form for a crontab, or a sentence about what is wrong with it. */
export type ReadExpression = { expression: string } | { error: string };

/**
 * Reads a cron expression in the dialect of the servers' cron: five fields or a nickname. Extensions of other crons
 * (seconds, L, W, #, ?, a step after a single number) are refused: cron ignores a whole file when it cannot parse one
 * line.
 */
export function readCronExpression(text: string): ReadExpression {
  const parts = text
    .trim()
    .toLowerCase()
    .split(/[ \t]+/);
  const [first = ""] = parts;
  if (first.startsWith("@")) {
    if (parts.length > 1) return { error: "A nickname stands alone." };
    if (first === atBoot || Object.hasOwn(nicknames, first)) return { expression: first };
    const known = [...Object.keys(nicknames), atBoot].join(", ");
    return { error: `The cron expression must be five fields or one of ${known}.` };
  }
  if (parts.length !== fieldCount) {
    return {
      error: "The cron expression must have five fields (minute, hour, day, month, weekday), such as 30 4 * * 1.",
    };
  }
  const schedule = readSchedule(parts);
  if ("wrong" in schedule) {
    const { name, low, high } = schedule.wrong;
    return {
      error: `The cron expression's ${name} must be ${low} to ${high}, a range, a list, * or a step such as */5.`,
    };
  }
  if (nextMatch(schedule, 0) === undefined) return { error: "The cron expression names a day that never comes." };
  return { expression: parts.join(" ") };
}

// When cron runs a job ---------------------------------------------------------------------------------------------------

// Cron's clock is what clocks in the server's time zone show. When they change by up to three hours, jobs with fixed times run for
// each skipped minute at once, and not again in repeated minutes; jobs whose minute or hour begins with an asterisk run in the
// minutes that are shown. After a larger change cron starts afresh (main and find_jobs in Debian's cron.c).
const largestChange = 180;
// No time zone changes twice within this time.
const steadyMinutes = 4 * 1_440;

/** The next time of a parsed expression, in the server's time zone; undefined: never, or at the next boot. */
export function nextRun(expression: string, timezone: string, after: Date = new Date()): Date | undefined {
  if (expression === atBoot) return undefined;
  const schedule = readSchedule((nicknames[expression] ?? expression).split(" "));
  if ("wrong" in schedule) throw new Error(`${expression} is not a cron expression`);
  const offset = offsetsOf(timezone);
  const minute = nextMinute(schedule, offset, Math.floor(after.getTime() / 60_000));
  return minute === undefined ? undefined : new Date(minute * 60_000);
}

/** What has to be added to a minute since 1970 for what clocks show. */
type Offset = (minute: number) => number;

function nextMinute(schedule: Schedule, offset: Offset, after: number): number | undefined {
  const { isWildcard } = schedule;
  let now = after;
  let done = doneAt(now, offset);
  for (;;) {
    const shown = now + offset(now);
    if (isWildcard) done = shown;
    const match = nextMatch(schedule, done);
    if (match === undefined) return undefined;
    const distance = match - shown;
    const change = changeBetween(now, now + Math.min(distance, steadyMinutes), offset);
    if (change === undefined) {
      if (distance <= steadyMinutes) return now + distance;
      now += distance - steadyMinutes / 2;
      done = now + offset(now);
      continue;
    }
    const before = Math.max(done, change - 1 + offset(now));
    const shownThen = change + offset(change);
    const jump = shownThen - before;
    const isSmall = jump > -largestChange && jump <= largestChange;
    const runs =
      isWildcard || !isSmall ? nextMatch(schedule, shownThen - 1) === shownThen : jump > 0 && match <= shownThen;
    if (runs) return change;
    now = change;
    done = isSmall ? Math.max(before, shownThen) : shownThen;
  }
}

/** The latest minute on the clocks whose jobs with fixed times have run: ahead of the clocks after they were set back. */
function doneAt(now: number, offset: Offset): number {
  const shown = now + offset(now);
  const change = changeBetween(now - largestChange, now, offset);
  if (change === undefined) return shown;
  const before = change - 1 + offset(change - 1);
  return before - (change + offset(change)) < largestChange ? Math.max(shown, before) : shown;
}

/** The first minute after `from`, up to `to`, with another offset. */
function changeBetween(from: number, to: number, offset: Offset): number | undefined {
  const former = offset(from);
  if (offset(to) === former) return undefined;
  let [before, after] = [from, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offset(middle) === former) before = middle;
    else after = middle;
  }
  return after;
}

const zones = new Map<string, Intl.DateTimeFormat>();

function offsetsOf(timezone: string): Offset {
  const zone = zones.get(timezone) ?? new Intl.DateTimeFormat("en", { timeZone: timezone, timeZoneName: "longOffset" });
  zones.set(timezone, zone);
  return (minute) => {
    const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(zone.format(minute * 60_000)) ?? [];
    const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
    return sign === "-" ? -size : size;
  };
}
