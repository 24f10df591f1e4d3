import { type ProjectLayout, unitPrefix } from "./layout.ts";
import { type Script, sh } from "./sh.ts";
import { jobUnitPattern, journalNamespace } from "./unit.ts";

/**
 * Prints the last lines that a project's units wrote; `pattern` is a unit's name or a pattern of names. The unit is what
 * systemd records of a process, so that no project can write into another's log. Bytes are bounded besides lines.
 */
const printJournal = (pattern: string, lines: number): Script => sh`
  journalctl ${`--namespace=${journalNamespace}`} --sync 2> /dev/null || true
  journalctl ${`--namespace=${journalNamespace}`} --quiet --no-pager --output=cat ${`--lines=${lines}`} ${`--unit=${pattern}`} |
    tail -c 500000 | tail -n ${lines}`;

/** Prints the last lines of a job's log. */
export const printJobLog = (layout: ProjectLayout, jobId: number, lines: number): Script =>
  printJournal(jobUnitPattern(layout, jobId), lines);

/** Prints the last lines that a project's PHP logged. */
export const printPhpLog = ({ phpService }: ProjectLayout, lines: number): Script => printJournal(phpService, lines);

/** Prints the last lines that a Node project's processes wrote, on both of its ports. */
export const printNodeLog = (layout: ProjectLayout, lines: number): Script =>
  printJournal(`${unitPrefix(layout)}*.service`, lines);
