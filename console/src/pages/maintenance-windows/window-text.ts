import { countsInWords } from "../../parts/reach.ts";
import { formatDuration, formatList } from "../../ui/format.ts";

const locale = "en-GB";

/** Of the browser. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const day = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;
const clock = { hour: "2-digit", minute: "2-digit" } as const;

/** "Fri 27 Nov 2026, 22:00 – Sat 28 Nov 2026, 00:30"; the day is not repeated. */
export function spanText(from: string, until: string, timeZone: string = ownZone): string {
  const format = new Intl.DateTimeFormat(locale, { ...day, ...clock, timeZone });
  return format.formatRange(new Date(from), new Date(until));
}

/** "45 min", "2 h", "1 d 6 h" */
export const lengthText = (seconds: number): string => formatDuration(seconds * 1_000);

/** "Web shop, Mail and all on web-1"; counts where there are many, or names are not known. */
export function targetsText(targets: Targets, names: Names): string {
  const { all_monitors: isForAll, monitor_ids: monitors, server_ids: servers } = targets;
  if (isForAll) return "All monitors";
  const named = [
    ...monitors.map((id) => names.monitors.get(id)),
    ...servers.map((id) => names.servers.get(id) && `all on ${names.servers.get(id)}`),
  ];
  if (named.length <= mostNamed && named.every((name) => name !== undefined)) return formatList(named as string[]);
  return countsInWords({ monitor: monitors.length, server: servers.length });
}

const mostNamed = 4;

interface Targets {
  all_monitors: boolean;
  monitor_ids: readonly number[];
  server_ids: readonly number[];
}

export interface Names {
  monitors: ReadonlyMap<number, string>;
  servers: ReadonlyMap<number, string>;
}
