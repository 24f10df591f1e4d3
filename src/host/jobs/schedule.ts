// The times of a cron expression, as minutes that a clock shows: minutes since 1970 without a time zone. Nothing here reads the
// real time.

/** Which minutes, hours and days fit; by value. */
export interface Schedule {
  minutes: readonly boolean[];
  hours: readonly boolean[];
  days: readonly boolean[];
  months: readonly boolean[];
  /** 0 and 7 are Sunday. */
  weekdays: readonly boolean[];
  /** Both the day of the month and the weekday have to fit, since one of them begins with an asterisk; otherwise either. */
  needsBothDays: boolean;
  /** The minute or the hour begins with an asterisk: cron then goes by the real time when clocks change. */
  isWildcard: boolean;
}

interface Field {
  name: string;
  low: number;
  high: number;
  names?: readonly string[];
}

const minuteField: Field = { name: "minute", low: 0, high: 59 };
const hourField: Field = { name: "hour", low: 0, high: 23 };
const dayField: Field = { name: "day of the month", low: 1, high: 31 };
const monthField: Field = {
  name: "month",
  low: 1,
  high: 12,
  names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
};
const weekdayField: Field = {
  name: "day of the week",
  low: 0,
  high: 7,
  names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
};

export const fieldCount = 5;
const longestField = 150;

/** Reads five fields in lower case; the first field that cannot be read instead. */
export function readSchedule(texts: readonly string[]): Schedule | { wrong: Field } {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = texts;
  const [minutes, hours, days] = [valuesOf(minute, minuteField), valuesOf(hour, hourField), valuesOf(day, dayField)];
  const [months, weekdays] = [valuesOf(month, monthField), valuesOf(weekday, weekdayField)];
  if (!minutes) return { wrong: minuteField };
  if (!hours) return { wrong: hourField };
  if (!days) return { wrong: dayField };
  if (!months) return { wrong: monthField };
  if (!weekdays) return { wrong: weekdayField };
  return {
    minutes,
    hours,
    days,
    months,
    weekdays: weekdays.with(0, (weekdays[0] || weekdays[7]) ?? false),
    needsBothDays: day.startsWith("*") || weekday.startsWith("*"),
    isWildcard: minute.startsWith("*") || hour.startsWith("*"),
  };
}

function valuesOf(text: string, field: Field): boolean[] | undefined {
  if (text.length > longestField) return undefined;
  const values = new Array<boolean>(field.high + 1).fill(false);
  for (const part of text.split(",")) {
    const range = rangeOf(part, field);
    if (range === undefined) return undefined;
    for (let value = range.from; value <= range.to; value += range.step) values[value] = true;
  }
  return values;
}

function rangeOf(part: string, field: Field): { from: number; to: number; step: number } | undefined {
  const [range = "", step = "1", more] = part.split("/");
  const ends = range === "*" ? [field.low, field.high] : range.split("-").map((end) => numberOf(end, field));
  const [from, to] = ends;
  // Cron ignores a step after a single number, which is not what its author means.
  if (from === undefined || (ends.length === 1 && part.includes("/"))) return undefined;
  if (more !== undefined || ends.length > 2 || ends.includes(undefined) || !/^\d{1,9}$/.test(step)) return undefined;
  if (Number(step) === 0 || (to ?? from) < from) return undefined;
  return { from, to: to ?? from, step: Number(step) };
}

function numberOf(text: string, { low, high, names }: Field): number | undefined {
  const named = names?.indexOf(text) ?? -1;
  if (named !== -1) return named + low;
  if (!/^\d{1,2}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= low && value <= high ? value : undefined;
}

const minutesPerDay = 1_440;
// A 29 February on a given weekday comes again after 40 years at the latest, since 2100 has none.
const daysAhead = 41 * 366;

/** The first minute after `shown` that fits; undefined: there is none, as for 30 February. */
export function nextMatch(schedule: Schedule, shown: number): number | undefined {
  const first = Math.floor((shown + 1) / minutesPerDay);
  for (let day = first; day < first + daysAhead; day++) {
    if (!fitsDay(schedule, day)) continue;
    const time = nextTime(schedule, day === first ? shown + 1 - day * minutesPerDay : 0);
    if (time !== undefined) return day * minutesPerDay + time;
  }
  return undefined;
}

function fitsDay({ days, months, weekdays, needsBothDays }: Schedule, day: number): boolean {
  const date = new Date(day * minutesPerDay * 60_000);
  if (!months[date.getUTCMonth() + 1]) return false;
  const [fitsMonth, fitsWeek] = [days[date.getUTCDate()] ?? false, weekdays[date.getUTCDay()] ?? false];
  return needsBothDays ? fitsMonth && fitsWeek : fitsMonth || fitsWeek;
}

/** The first fitting minute of a day from `from` on. */
function nextTime({ minutes, hours }: Schedule, from: number): number | undefined {
  const earliest = Math.floor(from / 60);
  for (let hour = earliest; hour < 24; hour++) {
    const minute = hours[hour] ? minutes.indexOf(true, hour === earliest ? from % 60 : 0) : -1;
    if (minute !== -1) return hour * 60 + minute;
  }
  return undefined;
}
