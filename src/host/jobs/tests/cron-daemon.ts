// Debian's cron as its daemon does it, written from its manual and its main loop: bit maps and flags of an entry (entry.c), and a
// loop over all minutes of a year that finds the jobs of each (cron.c). It shares nothing with the product.

const names = [
  [],
  [],
  [],
  ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
];
const lows = [0, 0, 1, 1, 0];
const highs = [59, 23, 31, 12, 7];

interface Entry {
  /** Of minute, hour, day of the month, month and day of the week. */
  bits: Uint8Array[];
  /** Whether the field begins with an asterisk. */
  stars: boolean[];
}

export function entryOf(expression: string): Entry {
  const texts = expression.split(" ");
  const bits = texts.map((text, at) => {
    const field = new Uint8Array(64);
    for (const part of text.split(",")) {
      const [, from, to, step] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d+))?$/.exec(part) ?? [];
      const number = (word: string) => {
        const named = names[at]?.indexOf(word) ?? -1;
        return named === -1 ? Number(word) : named + (lows[at] as number);
      };
      const first = from === "*" ? (lows[at] as number) : number(from as string);
      const last = from === "*" ? (highs[at] as number) : to === undefined ? first : number(to);
      for (let value = first; value <= last; value += Number(step ?? 1)) field[value] = 1;
    }
    return field;
  });
  const weekdays = bits[4] as Uint8Array;
  if (weekdays[0] || weekdays[7]) weekdays[0] = weekdays[7] = 1;
  return { bits, stars: texts.map((text) => text[0] === "*") };
}

/** The minutes of a year in a time zone. */
interface Year {
  /** The first minute, in real time. */
  start: number;
  /** What clocks show, as minutes since 1970. */
  shown: Int32Array;
  /** Of the minutes at which a day begins: whether clocks advance evenly until its end. */
  isEven: Uint8Array;
}

const day = 1_440;

export function yearIn(timezone: string, year: number): Year {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: timezone, dateStyle: "short", timeStyle: "short" });
  const start = Date.UTC(year, 0, 1) / 60_000;
  const shown = new Int32Array(366 * day);
  const read = (minute: number) => Date.parse(`${format.format(minute * 60_000).replace(" ", "T")}Z`) / 60_000;
  // Clocks change at a full half-hour.
  for (let minute = 0; minute < shown.length; minute++) {
    shown[minute] = minute % 30 === 0 ? read(start + minute) : (shown[minute - 1] as number) + 1;
  }
  const isEven = shown.map((now, at) => Number(now % day === 0 && shown[at + day - 1] === now + day - 1));
  return { start, shown, isEven: Uint8Array.from(isEven) };
}

/** Whether a day of the calendar suits the entry. */
function isDay({ bits, stars }: Entry, shown: number): boolean {
  const [, , days, months, weekdays] = bits as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const date = new Date(shown * 60_000);
  const [dom, dow] = [days[date.getUTCDate()] === 1, weekdays[date.getUTCDay()] === 1];
  return months[date.getUTCMonth() + 1] === 1 && (stars[2] || stars[4] ? dom && dow : dom || dow);
}

/** Whether `find_jobs` takes the entry in a minute that clocks show. */
function isFound(entry: Entry, shown: number, doWild: boolean, doNonWild: boolean): boolean {
  const { bits, stars } = entry;
  if (!bits[0]?.[shown % 60] || !bits[1]?.[Math.floor(shown / 60) % 24] || !isDay(entry, shown)) return false;
  const isWild = stars[0] || stars[1];
  return (doNonWild && !isWild) || (doWild && isWild === true);
}

/** The first minute after `after`, in real time, in which the daemon runs the entry; undefined: none in that year. */
export function nextRunOfDaemon(entry: Entry, { start, shown, isEven }: Year, after: number): number | undefined {
  // The daemon has run for some hours by then.
  const first = Math.max(0, after - start - 400);
  let virtual = shown[first] as number;
  for (let at = first + 1; at < shown.length; at++) {
    const running = shown[at] as number;
    const difference = running - virtual;
    let runs = false;
    if (difference === 1) {
      virtual = running;
      if (isEven[at] && !isDay(entry, running)) {
        at += day - 1;
        virtual = running + day - 1;
        continue;
      }
      runs = isFound(entry, running, true, true);
    } else if (difference > 180 || difference <= -180) {
      virtual = running;
      runs = isFound(entry, running, true, true);
    } else if (difference > 5) {
      runs = isFound(entry, running, true, false);
      while (virtual < running) runs = isFound(entry, ++virtual, false, true) || runs;
    } else if (difference > 0) {
      while (virtual < running) runs = isFound(entry, ++virtual, true, true) || runs;
    } else {
      runs = isFound(entry, running, true, false);
    }
    if (runs && start + at > after) return start + at;
  }
  return undefined;
}
