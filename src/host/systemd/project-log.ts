import { type ProjectLayout, unitPrefix } from "../layout.ts";
import { type Script, sh } from "../sh.ts";
import { jobUnitPattern, journalNamespace } from "./unit.ts";

/**
 * Prints the last lines that a project's units wrote; `pattern` is a unit's name or a pattern of names. systemd records
 * the unit of each process, so that no project can write into another's log. Both lines and bytes are bounded.
 */
const printJournal = (pattern: string, lines: number): Script => sh`
  journalctl ${`--namespace=${journalNamespace}`} --sync 2> /dev/null || true
  journalctl ${`--namespace=${journalNamespace}`} --quiet --no-pager --output=cat ${`--lines=${lines}`} ${`--unit=${pattern}`} |
    tail -c 500000 | tail -n ${lines}`;

/** The units whose output is a project's log: of its PHP, or of a Node project's processes on both of its ports. */
export const phpUnits = ({ phpService }: ProjectLayout): string => phpService;
export const nodeUnits = (layout: ProjectLayout): string => `${unitPrefix(layout)}*.service`;

/** Prints the last lines of a job's log. */
export const printJobLog = (layout: ProjectLayout, jobId: number, lines: number): Script =>
  printJournal(jobUnitPattern(layout, jobId), lines);

/** Prints the last lines that a project's PHP logged. */
export const printPhpLog = (layout: ProjectLayout, lines: number): Script => printJournal(phpUnits(layout), lines);

/** Prints the last lines that a Node project's processes wrote. */
export const printNodeLog = (layout: ProjectLayout, lines: number): Script => printJournal(nodeUnits(layout), lines);

// Following ----------------------------------------------------------------------------------------------------------------

/** Limits of one read; together they are shorter than the longest answer to a command (ssh/connection.ts). */
export const mostNewLines = 200;
const longestLine = 4_000;

/** A piece of a log that is followed. */
export interface LogPiece {
  lines: string[];
  /** Number of lines before these that are left out because too many came at once. */
  leftOut: number;
  /** Where to continue reading; undefined as long as nothing was ever printed. */
  cursor: string | undefined;
}

/** A place in the journal as journald names it. A cursor from a client or a server is passed on only when it has this form. */
export const isCursor = (text: string): boolean =>
  text.length <= 400 && /^s=[0-9a-f]{1,32}(?:;[a-z]=[0-9a-f]{1,32}){1,10}$/.test(text);

/**
 * Prints what units wrote after a place in the journal, or their last lines, and the place to continue from; see `readPiece`. It
 * prints the last of too many lines, so that the reader never falls behind; the lines and their number are bounded.
 */
export const printNew = (pattern: string, from: { cursor: string } | { lines: number }): Script => sh`
  timeout 10 journalctl ${`--namespace=${journalNamespace}`} --quiet --no-pager --output=cat --show-cursor \
    ${"cursor" in from ? `--after-cursor=${from.cursor}` : `--lines=${Math.min(from.lines, mostNewLines)}`} \
    ${`--unit=${pattern}`} 2> /dev/null | LC_ALL=C ${lastLines}`;

// The last line is the cursor. The number of lines left out comes first.
const lastLines = sh`
  awk -v most=${mostNewLines + 1} -v width=${longestLine} '
    { kept[NR % most] = substr($0, 1, width) }
    END {
      first = NR > most ? NR - most + 1 : 1
      print first - 1
      for (at = first; at <= NR; at++) print kept[at % most]
    }'`;

/** Reads the output of `printNew`. Undefined when it is incomplete. */
export function readPiece(text: string): LogPiece | undefined {
  const [count = "", ...lines] = text.replace(/\n$/, "").split("\n");
  if (!/^\d{1,12}$/.test(count)) return undefined;
  const [, cursor = ""] = /^-- cursor: (.+)$/.exec(lines.at(-1) ?? "") ?? [];
  const hasCursor = isCursor(cursor);
  return {
    lines: hasCursor ? lines.slice(0, -1) : lines,
    leftOut: Number(count),
    cursor: hasCursor ? cursor : undefined,
  };
}
