import { useMemo, useState } from "react";
import { type Group, groupsOf, isOpen, type LogStep, mergeSteps } from "./groups.ts";
import type { LogReader, LogState } from "./log-reader.ts";
import { lastSegment, type Rows, reveal, rowsOf } from "./rows.ts";
import type { LogSource } from "./source.ts";
import { useLinkedLines } from "./use-linked-lines.ts";
import { useLog } from "./use-log.ts";
import { type LogSearch, useLogSearch } from "./use-log-search.ts";

/** What has to be on screen: a line, or the end. */
export type Goal = { line: number; align: "center" | "end" | "start" } | { end: true };

export interface LogViewState {
  reader: LogReader;
  state: LogState;
  groups: readonly Group[];
  rows: Rows;
  segment: number;
  search: LogSearch;
  linked: ReturnType<typeof useLinkedLines>[0];
  link: ReturnType<typeof useLinkedLines>[1];
  /** Until it was reached. */
  goal: Goal | undefined;
  reached: () => void;
  isFollowing: boolean;
  /** Lines since one scrolled away from the end. */
  newLines: number;
  /** Shows the end, and what is added to it. */
  follow: () => void;
  /** One scrolled away from the end, or to it. */
  setAtEnd: (isAtEnd: boolean) => void;
  goTo: (goal: Goal) => void;
  toggle: (group: Group) => void;
}

/** What is open, where one is, and whether the end is followed. */
export function useLogView(source: LogSource, steps: readonly LogStep[]): LogViewState {
  const [reader, state] = useLog(source);
  const [linked, link] = useLinkedLines();
  const search = useLogSearch(source);
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [segment, setSegment] = useState<number>();
  const [goal, setGoal] = useState<Goal>();
  const [leftAt, setLeftAt] = useState<number>();
  const { total, isComplete } = state;
  const groups = useMemo(
    () => groupsOf(mergeSteps(steps, state.steps, state.sections), total, isComplete),
    [steps, state.steps, state.sections, total, isComplete],
  );
  const isFollowing = leftAt === undefined && !isComplete && state.isOpen;
  const shown = isFollowing ? lastSegment(total) : (segment ?? 0);
  // Where it ends, one stays.
  if (isFollowing && segment !== shown) setSegment(shown);
  const rows = useMemo(
    () => rowsOf({ groups, total, chosen, segment: shown, isComplete }),
    [groups, total, chosen, shown, isComplete],
  );

  const leave = () => {
    // What is open stays open while one reads it.
    const open = groups.filter((group) => isOpen(group, chosen)).map(({ index }) => [index, true] as const);
    setChosen(new Map([...open, ...chosen]));
    setSegment(shown);
    setLeftAt(total);
  };
  const goTo = (next: Goal) => {
    if ("end" in next) setSegment(lastSegment(total));
    else {
      if (isFollowing) leave();
      const revealed = reveal(next.line, { groups, chosen });
      setChosen(revealed.chosen);
      setSegment(revealed.segment);
    }
    setGoal(next);
  };
  useFirstGoal({ state, groups, linked, goTo });
  useGoalOf(linked?.from, goTo);
  useGoalOf(search.line, goTo);

  return {
    reader,
    state,
    groups,
    rows,
    segment: shown,
    search,
    linked,
    link,
    goal,
    reached: () => setGoal(undefined),
    isFollowing,
    newLines: leftAt === undefined || isComplete ? 0 : total - leftAt,
    follow: () => {
      setLeftAt(undefined);
      goTo({ end: true });
    },
    setAtEnd: (isAtEnd) => {
      if (isAtEnd && shown === lastSegment(total)) setLeftAt(undefined);
      else if (isFollowing) leave();
    },
    goTo,
    toggle: (group) => setChosen(new Map([...chosen, [group.index, !isOpen(group, chosen)]])),
  };
}

interface FirstGoal {
  state: LogState;
  groups: readonly Group[];
  linked: LogViewState["linked"];
  goTo: (goal: Goal) => void;
}

/** Where the log is opened: at the linked line, the end of what failed, or the end of a log without steps. */
function useFirstGoal({ state, groups, linked, goTo }: FirstGoal): void {
  const [isPlaced, setPlaced] = useState(false);
  if (isPlaced || !state.isOpen) return;
  setPlaced(true);
  // What failed, or never reported its end.
  const open = groups.findLast((group) => group.lastOwn !== undefined && isOpen(group, new Map()));
  if (linked) goTo({ line: linked.from, align: "center" });
  else if (!state.isComplete || groups.length === 0) goTo({ end: true });
  else if (open?.lastOwn !== undefined) goTo({ line: open.lastOwn, align: "end" });
}

/** Shows a line each time that another one is named. */
function useGoalOf(line: number | undefined, goTo: (goal: Goal) => void): void {
  const [shown, setShown] = useState(line);
  if (line === shown) return;
  setShown(line);
  if (line !== undefined) goTo({ line, align: "center" });
}
