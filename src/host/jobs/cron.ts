import { Cron } from "croner";

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

interface Field {
  name: string;
  low: number;
  high: number;
  names?: readonly string[];
}

const fields: readonly Field[] = [
  { name: "minute", low: 0, high: 59 },
  { name: "hour", low: 0, high: 23 },
  { name: "day of the month", low: 1, high: 31 },
  {
    name: "month",
    low: 1,
    high: 12,
    names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  },
  { name: "day of the week", low: 0, high: 7, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];

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
  if (parts.length !== fields.length) {
    return {
      error: "The cron expression must have five fields (minute, hour, day, month, weekday), such as 30 4 * * 1.",
    };
  }
  const wrong = fields.find((field, at) => {
    const text = parts[at] as string;
    return text.length > 150 || !text.split(",").every((part) => isPart(part, field));
  });
  if (wrong)
    return {
      error: `The cron expression's ${wrong.name} must be ${wrong.low} to ${wrong.high}, a range, a list, * or a step such as */5.`,
    };
  const expression = parts.join(" ");
  if (nextRun(expression, "UTC") === undefined) return { error: "The cron expression names a day that never comes." };
  return { expression };
}

function isPart(text: string, field: Field): boolean {
  const [range = "", step, more] = text.split("/");
  if (more !== undefined) return false;
  const ends = range === "*" ? [field.low, field.high] : range.split("-").map((end) => numberOf(end, field));
  if (ends.length > 2 || ends.includes(undefined)) return false;
  const [from = 0, to] = ends;
  if (to !== undefined && to < from) return false;
  return step === undefined || (to !== undefined && /^\d{1,2}$/.test(step) && Number(step) >= 1);
}

function numberOf(text: string, { low, high, names }: Field): number | undefined {
  const named = names?.indexOf(text) ?? -1;
  if (named !== -1) return named + (low === 1 ? 1 : 0);
  if (!/^\d{1,2}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= low && value <= high ? value : undefined;
}

/** The next time of a parsed expression, in the server's time zone; undefined: never, or at the next boot. */
export function nextRun(expression: string, timezone: string, after: Date = new Date()): Date | undefined {
  if (expression === atBoot) return undefined;
  const fieldsOf = nicknames[expression] ?? expression;
  const cron = new Cron(fieldsOf, { timezone });
  let next = cron.nextRun(after) ?? undefined;
  // When clocks are set back, the server's cron runs a job with fixed times once, and a job whose minute or hour begins
  // with an asterisk again (cron(8)); croner runs both again.
  const isFixed = !/^\*|^\S+ \*/.test(fieldsOf);
  while (isFixed && next !== undefined && isRepeated(next, timezone)) next = cron.nextRun(next) ?? undefined;
  return next;
}

// By how much clocks can be set back: an hour, on Lord Howe half an hour, at Troll two.
const setBackMinutes = [60, 30, 120];

/** Whether the clocks of the time zone have shown the same time before. */
function isRepeated(date: Date, timezone: string): boolean {
  const zone = zoneOf(timezone);
  const shown = zone.format(date);
  // Almost always: the offset has not changed within the last hours.
  if (minuteOf(shown) === (minuteOf(zone.format(date.getTime() - 180 * 60_000)) + 180) % 1_440) return false;
  return setBackMinutes.some((minutes) => zone.format(date.getTime() - minutes * 60_000) === shown);
}

/** The minute of the day from a text that ends with `HH:MM`. */
const minuteOf = (shown: string): number => Number(shown.slice(-5, -3)) * 60 + Number(shown.slice(-2));

const zones = new Map<string, Intl.DateTimeFormat>();

function zoneOf(timezone: string): Intl.DateTimeFormat {
  const known = zones.get(timezone);
  if (known) return known;
  const shape = { day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: timezone } as const;
  const zone = new Intl.DateTimeFormat("en-GB", shape);
  zones.set(timezone, zone);
  return zone;
}
