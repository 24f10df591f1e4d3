import { type ProjectLayout, unitPrefix } from "../layout.ts";
import { scriptsBeside, textsBeside } from "../script-file.ts";
import { type Script, sh } from "../sh.ts";
import { jobUnitPattern, journalNamespace } from "./unit.ts";

const sync = sh`journalctl ${`--namespace=${journalNamespace}`} --sync 2> /dev/null || true`;

/**
 * Prints the last lines that a project's units wrote; `pattern` is a unit's name or a pattern of names. systemd records
 * the unit of each process, so that no project can write into another's log. Both lines and bytes are bounded.
 */
const printJournal = (pattern: string, lines: number): Script => sh`
  ${sync}
  journalctl ${`--namespace=${journalNamespace}`} --quiet --no-pager --output=cat ${`--lines=${lines}`} ${`--unit=${pattern}`} |
    tail -c 500000 | tail -n ${lines}`;

/** The units whose output is a project's log: of its PHP, or of a Node project's processes on both of its ports. */
export const phpUnits = ({ phpService }: ProjectLayout): string => phpService;
export const nodeUnits = (layout: ProjectLayout): string => `${unitPrefix(layout)}*.service`;

/** Prints the last lines of a job's log. */
export const printJobLog = (layout: ProjectLayout, jobId: number, lines: number): Script =>
  printJournal(jobUnitPattern(layout, jobId), lines);

/** Prints the last lines that a Node project's processes wrote. */
export const printNodeLog = (layout: ProjectLayout, lines: number): Script => printJournal(nodeUnits(layout), lines);

// With times, and following ------------------------------------------------------------------------------------------------

/** Limits of one read. `bytes` together are less than the longest answer to a command (ssh/connection.ts); `width` is that of a line. */
export interface LogLimits {
  lines: number;
  bytes: number;
  width: number;
}

/** A line of a log, and when it was written; null when it does not show that. */
export interface LogLine {
  at: string | null;
  text: string;
}

/** A piece of a log. */
export interface LogPiece {
  entries: LogLine[];
  /** Number of lines before these that are left out because too many came at once. */
  leftOut: number;
  /** Where to continue reading; undefined as long as nothing was ever printed. */
  cursor: string | undefined;
}

/** Where a read begins: after a place, at a time (in milliseconds since 1970), or with the last lines. */
export type LogStart = { cursor: string } | { since?: number | undefined };

/** A place in the journal as journald names it. A cursor from a client or a server is passed on only when it has this form. */
export const isCursor = (text: string): boolean =>
  text.length <= 400 && /^s=[0-9a-f]{1,32}(?:;[a-z]=[0-9a-f]{1,32}){1,10}$/.test(text);

/** A place in a log file, which is followed across its rotation. */
export const isFilePlace = (text: string): boolean => /^file=\d{1,20};offset=\d{1,15}$/.test(text);

const program = textsBeside(import.meta.url)("print-log.pl");
const scripts = scriptsBeside(import.meta.url);
const printLog = sh`timeout 10 perl -e ${program} --`;
const argumentsOf = ({ lines, bytes, width }: LogLimits): string[] => [lines, bytes, width].map(String);

/**
 * Prints what units wrote after a place in the journal, or their last lines, and the place to continue from; see `readPiece`. It
 * prints the last of too many lines, so that the reader never falls behind; the lines and their number are bounded.
 */
export const printUnits = (pattern: string, start: LogStart, limits: LogLimits): Script => sh`
  ${"cursor" in start ? sh`` : sync}
  timeout 10 journalctl ${`--namespace=${journalNamespace}`} --quiet --no-pager --output=export --output-fields=MESSAGE \
    ${"cursor" in start ? [`--after-cursor=${start.cursor}`] : lastEntries(start.since, limits.lines)} \
    ${`--unit=${pattern}`} 2> /dev/null | ${printLog} ${argumentsOf(limits)}`;

const lastEntries = (since: number | undefined, lines: number): string[] => [
  `--lines=${lines}`,
  ...(since === undefined ? [] : [`--since=@${(since / 1_000).toFixed(6)}`]),
];

/** As far back as a file is read for its last lines, and for those that contain a text or follow a place. */
const windowBytes = { last: 500_000, longest: 64 * 2 ** 20 };

/**
 * The same for a file and the one that it was rotated to, for the lines that contain the text on standard input in any case. Lines before
 * `since` are not left out.
 */
export const printFile = (path: string, start: LogStart, limits: LogLimits, isSearch: boolean): Script => {
  const window = "cursor" in start || isSearch ? windowBytes.longest : windowBytes.last;
  return sh`${printLog} ${argumentsOf(limits)} ${path} ${String(window)} ${"cursor" in start ? [start.cursor] : []}`;
};

/**
 * The same for the newest log file of a framework, in `directories` of the project's directory `root`. Its user finds and reads it, so
 * that nothing is shown that the project's own code could not read. Without one nothing is printed.
 */
export function printNewestLog(
  { user }: Pick<ProjectLayout, "user">,
  { root, directories }: { root: string; directories: readonly string[] },
  [start, limits, isSearch]: [LogStart, LogLimits, boolean],
): Script {
  const window = "cursor" in start || isSearch ? windowBytes.longest : windowBytes.last;
  const asUser = sh`timeout 10 setpriv ${[`--reuid=${user}`, `--regid=${user}`]} --clear-groups --no-new-privs --`;
  return sh`
    cd /
    found=$(${asUser} bash -c ${scripts("newest-logs.sh", { root, directories }).script})
    if [ -z "$found" ]; then echo 0; exit; fi
    ${asUser} perl -e ${program} -- ${argumentsOf(limits)} "$found" ${String(window)} ${"cursor" in start ? [start.cursor] : []}`;
}

/** Reads the output of `printUnits` or `printFile`. Undefined when it is incomplete. */
export function readPiece(text: string): LogPiece | undefined {
  const [count = "", ...lines] = text.replace(/\n$/, "").split("\n");
  if (!/^\d{1,12}$/.test(count)) return undefined;
  const [, cursor = ""] = /^-- cursor: (.+)$/.exec(lines.at(-1) ?? "") ?? [];
  const hasCursor = isCursor(cursor) || isFilePlace(cursor);
  return {
    entries: (hasCursor ? lines.slice(0, -1) : lines).map(lineOf),
    leftOut: Number(count),
    cursor: hasCursor ? cursor : undefined,
  };
}

function lineOf(line: string): LogLine {
  const [, time = "", text = line] = /^(\d{1,16}|-) (.*)$/s.exec(line) ?? [];
  return { at: isoOf(time), text };
}

function isoOf(micros: string): string | null {
  const date = new Date(Math.floor(Number(micros) / 1_000));
  if (micros === "" || micros === "-" || Number.isNaN(date.getTime())) return null;
  return date.toISOString().replace(/Z$/, `${micros.slice(-3).padStart(3, "0")}Z`);
}
