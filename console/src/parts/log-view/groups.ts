import type { DeploymentStep } from "../../../../contract/types.ts";

// The steps of a run as groups of the lines that they printed.

type Times = Pick<DeploymentStep, "started_at" | "finished_at" | "duration_ms">;

/** A step as a record shows it; a step of a stream has no place in the log yet. */
export interface LogStep extends Pick<DeploymentStep, "key" | "label" | "status" | "detail">, Times {
  first_line?: number | null;
  lines?: number;
}

export interface Group extends LogStep {
  /** Its place among the steps. */
  index: number;
  /** Its lines, with those that follow until the next group; undefined: it has printed nothing. */
  from?: number;
  to?: number;
  /** The last line that it printed itself. */
  lastOwn?: number;
  /** It has the newest lines, and more may come. */
  isNewest?: boolean;
}

const progress = { pending: 0, running: 1, completed: 2, failed: 2, skipped: 2, unreported: 2 };

/** Where a step begins to print. */
export interface Section {
  key: string | null;
  line: number;
}

/** The steps of the record with what the stream has sent since: of the two, what is further. */
export function mergeSteps(
  recorded: readonly LogStep[],
  live: ReadonlyMap<number, LogStep>,
  sections: readonly Section[],
): LogStep[] {
  const length = Math.max(recorded.length, ...[...live.keys()].map((index) => index + 1));
  const steps = Array.from({ length }, (_, index): LogStep => {
    const known = recorded[index];
    const sent = live.get(index);
    const isNewer = sent && (!known || progress[sent.status] >= progress[known.status]);
    return { ...unknown, ...known, lines: finalLines(known), ...(isNewer && sent) };
  });
  for (const { key, line } of sections) {
    // A move has steps of the same name: it is the newest that prints.
    const step = steps.findLast((each) => each.key === key && each.status !== "pending");
    if (step) step.first_line ??= line;
  }
  return steps;
}

/** How much it has printed; of a step that was running when it was read, more may have come since. */
const finalLines = (step: LogStep | undefined): number | undefined =>
  step && progress[step.status] > progress.running ? step.lines : undefined;

const unknown: LogStep = {
  key: "",
  label: "",
  status: "pending",
  detail: null,
  started_at: null,
  finished_at: null,
  duration_ms: null,
};

/** What has begun, or has printed something, of a log with so many lines. */
export function groupsOf(steps: readonly LogStep[], total: number, isComplete: boolean): Group[] {
  const newest = isComplete ? undefined : Math.max(...steps.flatMap(({ first_line: first }) => first ?? []));
  const starts = steps.flatMap(({ first_line: first }) => first ?? []).sort((one, other) => one - other);
  return steps.flatMap((step, index): Group[] => {
    const from = step.first_line ?? undefined;
    if (from === undefined || from > total)
      return step.status === "pending" || step.status === "skipped" ? [] : [{ ...step, index }];
    const next = starts.find((start) => start > from) ?? total + 1;
    const to = Math.min(next - 1, total);
    const lastOwn = step.lines ? Math.min(to, from + step.lines - 1) : to;
    return [{ ...step, index, from, to, lastOwn, isNewest: from === newest }];
  });
}

/** The group of a line. */
export const groupOfLine = (groups: readonly Group[], line: number): Group | undefined =>
  groups.find(({ from, to }) => from !== undefined && from <= line && line <= (to ?? 0));

/**
 * A done step is folded, once the next one prints; what runs or has failed is open. What the reader has chosen stays.
 */
export const isOpen = ({ index, status, isNewest }: Group, chosen: ReadonlyMap<number, boolean>): boolean =>
  chosen.get(index) ?? (isNewest || ["running", "failed", "unreported"].includes(status));
