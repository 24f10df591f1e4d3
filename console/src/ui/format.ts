// Day before month and 24 hours, which reads the same everywhere.
const locale = "en-GB";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const dayAndMonth = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
const dayMonthYear = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" });
const exact = new Intl.DateTimeFormat(locale, {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short",
});
const clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
const number = new Intl.NumberFormat(locale);
const percent = new Intl.NumberFormat(locale, { maximumFractionDigits: 2, roundingMode: "floor" });

/** "12,345" */
export const formatNumber = (value: number): string => number.format(value);

/** "1 line", "12,345 lines"; `many` for other plurals, and where the verb follows: "2 projects are". */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** "Name", "Name and Branch", "Name, Branch and Notes". */
export const formatList = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** "€4.51", "US$12.00": an amount in the API's form, "4.51". */
export function formatMoney(amount: string, currency: string): string {
  // Providers name it. Intl throws at anything that does not look like a code.
  const isCode = /^[a-z]{3}$/i.test(currency);
  const style: Intl.NumberFormatOptions = isCode ? { style: "currency", currency } : { minimumFractionDigits: 2 };
  return new Intl.NumberFormat(locale, style).format(Number(amount));
}

/** "Fri 27 Nov 2026, 10:42:05 CET" */
export const formatExact = (at: string | number): string => exact.format(new Date(at));

/** "10:42" */
export const formatClock = (at: string | number): string => clock.format(new Date(at));

/** "12 Nov" */
export const formatDay = (at: string | number): string => dayAndMonth.format(new Date(at));

/** "12 Nov, 10:42" */
export const formatMoment = (at: string | number): string => `${formatDay(at)}, ${formatClock(at)}`;

/** "99.95 %": rounded down, so that "100 %" means all of it. */
export const formatPercent = (value: number): string => `${percent.format(value)} %`;

/** "now", "12 s ago", "in 3 h" within a week of `now` (milliseconds); a date beyond. */
export function formatRelative(at: string | number, now: number): string {
  const date = new Date(at);
  const seconds = Math.trunc((date.getTime() - now) / 1_000);
  const distance = Math.abs(seconds);
  if (distance < 5) return "now";
  if (distance >= 7 * day) return formatDate(date, now);
  const text = formatLargestUnit(distance);
  return seconds < 0 ? `${text} ago` : `in ${text}`;
}

const formatDate = (date: Date, now: number): string =>
  (date.getFullYear() === new Date(now).getFullYear() ? dayAndMonth : dayMonthYear).format(date);

function formatLargestUnit(seconds: number): string {
  if (seconds < minute) return `${seconds} s`;
  if (seconds < hour) return `${Math.floor(seconds / minute)} min`;
  if (seconds < day) return `${Math.floor(seconds / hour)} h`;
  return `${Math.floor(seconds / day)} d`;
}

/** "0.4 s", "12 s", "1 min 12 s", "2 h 5 min", "3 d 4 h" */
export function formatDuration(ms: number): string {
  if (ms < 10_000) return `${(Math.max(ms, 0) / 1_000).toFixed(1).replace(/\.0$/, "")} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < minute) return `${seconds} s`;
  if (seconds < hour) return pair(Math.floor(seconds / minute), "min", seconds % minute, "s");
  if (seconds < day) return pair(Math.floor(seconds / hour), "h", Math.floor((seconds % hour) / minute), "min");
  return pair(Math.floor(seconds / day), "d", Math.floor((seconds % day) / hour), "h");
}

const pair = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;

const byteUnits = ["B", "KB", "MB", "GB", "TB", "PB"];

/** "0 B", "1.5 GB", "320 MB"; 1 KB is 1,024 B, as in the API. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= 1_000 && unit < byteUnits.length - 1) {
    value /= 1_024;
    unit++;
  }
  const digits = unit === 0 || Math.abs(value) >= 10 ? 0 : 1;
  return `${Number(value.toFixed(digits))} ${byteUnits[unit]}`;
}
