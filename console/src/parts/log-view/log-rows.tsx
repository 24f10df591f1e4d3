import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { classNames } from "../../ui/class-names.ts";
import { formatCount, formatNumber } from "../../ui/format.ts";
import { GroupRow } from "./group-row.tsx";
import { groupOfLine } from "./groups.ts";
import { styleBefore } from "./line-text.ts";
import { LogLine } from "./log-line.tsx";
import type { LineRange } from "./log-reader.ts";
import { firstOf, pageOf } from "./pages.ts";
import { height, type Row, segmentLines } from "./rows.ts";
import type { LogViewState } from "./use-log-view.ts";

export interface LogRowsProps {
  view: LogViewState;
  label: string;
  wraps: boolean;
  /** How a time is shown; undefined: times are not. */
  timeOf: ((at: string | null | undefined) => string) | undefined;
  onCopy: (lines: LineRange) => void;
  onKey: (event: KeyboardEvent) => void;
}

type Rows = Virtualizer<HTMLDivElement, Element>;

/** The rows on screen, in the place that all of them would take. */
export function LogRows(props: LogRowsProps) {
  const { view, label, wraps } = props;
  const element = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer<HTMLDivElement, Element>({
    count: view.rows.count,
    getScrollElement: () => element.current,
    estimateSize: (index) => (view.rows.at(index).kind === "line" ? height.line : height.other),
    overscan: 20,
  });
  const items = rows.getVirtualItems();
  useMeasuredAgain(rows, view, wraps);
  useVisibleLines(
    view,
    items.map(({ index }) => index),
  );
  useGoal(rows, element, view);
  const onScroll = useEndOfScroll(view);
  return (
    <section
      ref={element}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be within reach of the keyboard.
      tabIndex={0}
      onScroll={onScroll}
      onKeyDown={props.onKey}
      className="@container relative h-full overflow-auto bg-log font-mono text-meta leading-[18px] focus-visible:-outline-offset-2 [overflow-anchor:none]"
    >
      <div
        className={classNames("relative min-w-full", wraps ? "w-full" : "w-max")}
        style={{ height: rows.getTotalSize() }}
      >
        <div
          className={wraps ? "w-full" : "w-max min-w-full"}
          style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}
        >
          {items.map(({ index, key, size }) => (
            <div
              key={key}
              data-index={index}
              ref={wraps ? rows.measureElement : undefined}
              style={wraps ? { minHeight: height.line } : { height: size }}
            >
              <LogRow {...props} row={view.rows.at(index)} />
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

function LogRow({ row, view, wraps, timeOf, onCopy }: LogRowsProps & { row: Row }) {
  if (row.kind === "line") return <LineRow view={view} line={row.line} wraps={wraps} timeOf={timeOf} />;
  if (row.kind === "group") {
    const { group } = row;
    return (
      <GroupRow
        group={group}
        isOpen={row.isOpen}
        time={timeOf?.(group.started_at)}
        onToggle={() => view.toggle(group)}
        onCopy={() => onCopy({ from: group.from ?? 1, to: group.to ?? 0 })}
      />
    );
  }
  if (row.kind === "reason") {
    return (
      <p
        dir="auto"
        title={row.group.detail ?? ""}
        className="sticky left-0 w-[100cqw] truncate bg-bad-bg px-3 font-sans text-bad text-body leading-7"
      >
        {row.group.detail}
      </p>
    );
  }
  return <EdgeRow view={view} kind={row.kind} />;
}

function LineRow({ view, line, wraps, timeOf }: { line: number } & Pick<LogRowsProps, "view" | "wraps" | "timeOf">) {
  const { reader, groups, linked, link, search } = view;
  const textOf = (number: number) => reader.pages.line(number);
  const first = Math.max(firstOf(pageOf(line)), groupOfLine(groups, line)?.from ?? 1);
  return (
    <LogLine
      number={line}
      text={textOf(line)}
      style={styleBefore(line, first, textOf)}
      time={timeOf && (groups.length > 0 ? undefined : timeOf(reader.pages.timeOf(line)))}
      isLinked={linked !== undefined && linked.from <= line && line <= linked.to}
      isMatch={search.line === line}
      searched={search.text}
      wraps={wraps}
      onLink={link}
    />
  );
}

function EdgeRow({ view, kind }: { view: LogViewState; kind: "earlier" | "later" | "end" }) {
  const { segment, state, goTo } = view;
  const classes = "sticky left-0 h-7 w-[100cqw] border-line border-t font-sans text-body";
  if (kind === "end")
    return (
      <p data-end className={classNames(classes, "px-3 text-text-3 leading-7")}>
        End of the log, {formatCount(state.total, "line")}
      </p>
    );
  const before = segment * segmentLines;
  const goal =
    kind === "earlier" ? { line: before, align: "end" } : { line: before + segmentLines + 1, align: "start" };
  return (
    <button
      type="button"
      onClick={() => goTo(goal as { line: number; align: "end" | "start" })}
      className={classNames(classes, "cursor-pointer text-link hover:bg-text/4")}
    >
      {kind === "earlier" ? "Earlier" : "Later"} lines, from{" "}
      {formatNumber(kind === "earlier" ? before - segmentLines + 1 : goal.line)}
    </button>
  );
}

/** Rows of another kind at the same places, or other widths: what was measured is wrong. */
function useMeasuredAgain(rows: Rows, { rows: shown, groups }: LogViewState, wraps: boolean): void {
  const heads = groups.map(({ index }) => shown.indexOfGroup(index)).join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the virtualizer is the same.
  useLayoutEffect(() => rows.measure(), [heads, wraps]);
}

/** Has the lines on screen read. */
function useVisibleLines({ rows, reader, state }: LogViewState, indexes: readonly number[]): void {
  const ranges: LineRange[] = [];
  for (const index of indexes) {
    if (index >= rows.count) continue;
    const row = rows.at(index);
    if (row.kind !== "line") continue;
    const last = ranges.at(-1);
    if (last && last.to + 1 === row.line) last.to = row.line;
    else ranges.push({ from: row.line, to: row.line });
  }
  const key = ranges.map(({ from, to }) => `${from}-${to}`).join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key has the ranges.
  useEffect(() => {
    if (state.isOpen) reader.show(ranges);
  }, [reader, key, state.isOpen]);
}

/** Scrolls to the goal once its row is there; and to the end with each line that is added, while it is followed. */
function useGoal(rows: Rows, element: RefObject<HTMLDivElement | null>, view: LogViewState): void {
  const { goal, reached, isFollowing, rows: shown } = view;
  const size = rows.getTotalSize();
  useLayoutEffect(() => {
    if (!goal) return;
    const index = "end" in goal ? shown.count - 1 : shown.indexOf(goal.line);
    if (index === undefined || index < 0) return;
    const { startIndex = 0, endIndex = -1 } = rows.range ?? {};
    const isSeen = startIndex < index && index < endIndex;
    if ("end" in goal) rows.scrollToIndex(index, { align: "end" });
    else if (goal.align !== "center" || !isSeen) rows.scrollToIndex(index, { align: goal.align });
    reached();
  }, [goal, reached, rows, shown]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that something was added.
  useLayoutEffect(() => {
    if (isFollowing && element.current) element.current.scrollTop = element.current.scrollHeight;
  }, [isFollowing, size]);
}

/** Whether one has scrolled to the end, or up and away from it. What grows or is folded is no scrolling up. */
function useEndOfScroll({ setAtEnd }: LogViewState) {
  const last = useRef(0);
  return ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: { currentTarget: HTMLElement }) => {
    const isUp = scrollTop < last.current;
    last.current = scrollTop;
    if (scrollTop + clientHeight >= scrollHeight - height.line / 2) setAtEnd(true);
    else if (isUp) setAtEnd(false);
  };
}
