import { type KeyboardEvent, useRef, useState } from "react";
import { messageOf } from "../../api/errors.ts";
import { readStored, store } from "../../data/stored.ts";
import { Button } from "../../ui/button.tsx";
import { copyText } from "../../ui/copy.tsx";
import { formatCount, formatNumber } from "../../ui/format.ts";
import { useHeightLeft } from "../../ui/height-left.ts";
import { announce } from "../announce.tsx";
import type { LogStep } from "./groups.ts";
import { plainText } from "./line-text.ts";
import type { LineRange, LogReader, LogState } from "./log-reader.ts";
import { LogRows } from "./log-rows.tsx";
import { LogToolbar } from "./log-toolbar.tsx";
import type { LogSource } from "./source.ts";
import { useLogView } from "./use-log-view.ts";

export interface LogViewProps {
  /** Another log needs another `key`. */
  source: LogSource;
  /** As the record has them; the stream brings what is newer. */
  steps?: readonly LogStep[];
  label?: string;
  /** Half of the window, as in a dialog; otherwise all that the window has left. */
  isShort?: boolean;
}

const noSteps: readonly LogStep[] = [];

/**
 * A log of any length, as it is printed.
 *
 * | key | does |
 * |---|---|
 * | Arrows, Page Up, Page Down, Home | scroll |
 * | End | shows the end, and follows it |
 * | / | goes to the search, by the page's key; Enter and n go to the next match, Shift+Enter and N to the one before |
 * | l | reads out the newest line |
 */
export function LogView({ source, steps = noSteps, label = "Log", isShort = false }: LogViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const left = useHeightLeft(box, "50dvh");
  const view = useLogView(source, steps);
  const { reader, state, search, linked, groups } = view;
  const [wraps, setWraps] = useStored("log-wraps", () => matchMedia("(max-width: 639px)").matches);
  const [showsTimes, setShowsTimes] = useStored("log-times", () => false);
  const hasTimes = groups.some(({ started_at: at }) => at !== null) || reader.pages.timeOf(state.total) != null;
  const copy = async (lines: LineRange) => announce(await copyLines(reader, lines));
  const keys = new Map<string, () => void>([
    ["End", view.follow],
    ["Home", () => view.goTo({ line: 1, align: "start" })],
    ["n", () => search.move(1)],
    ["N", () => search.move(-1)],
    ["l", () => announce(newestLine(reader, state))],
  ]);
  const onKey = (event: KeyboardEvent) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys.get(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    <div
      ref={box}
      style={{ height: isShort ? undefined : left }}
      className="relative flex h-[56dvh] min-h-80 flex-col overflow-hidden rounded-panel border border-line"
    >
      <LogToolbar
        state={state}
        {...(source.search && { search })}
        wraps={wraps}
        setWraps={setWraps}
        showsTimes={hasTimes ? showsTimes : undefined}
        setShowsTimes={setShowsTimes}
        raw={source.raw}
        onCopy={linked && (() => void copy(linked))}
      />
      <div className="relative min-h-0 grow">
        <LogRows
          view={view}
          label={label}
          wraps={wraps}
          timeOf={hasTimes && showsTimes ? clockOf : undefined}
          onCopy={(lines) => void copy(lines)}
          onKey={onKey}
        />
        <LogNotices reader={reader} state={state} isEmpty={view.rows.count === 0} />
        {view.newLines > 0 && (
          <Button compact kind="primary" onPress={view.follow} className="absolute! right-4 bottom-3 shadow-float">
            {formatCount(view.newLines, "new line")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** In the place of lines that are not there, or could not be read. */
function LogNotices({ reader, state, isEmpty }: { reader: LogReader; state: LogState; isEmpty: boolean }) {
  const { error, problem, failure, isOpen, isComplete } = state;
  if (error !== undefined) {
    return (
      <div role="alert" className="absolute inset-x-0 bottom-0 flex items-center gap-3 bg-bad-bg px-3 py-1.5 text-bad">
        <span className="min-w-0 grow">The log could not be read. {messageOf(error)}</span>
        <Button compact onPress={() => reader.retry()}>
          Try again
        </Button>
      </div>
    );
  }
  const text = problem ?? (isEmpty ? (failure ?? emptyText(isOpen, isComplete)) : undefined);
  return text && <p className="absolute inset-x-0 top-0 animate-late px-4 py-3 text-text-2">{text}</p>;
}

function emptyText(isOpen: boolean, isComplete: boolean): string {
  if (!isOpen) return "Reading the log";
  return isComplete
    ? "The log has no lines. Logs are kept for a limited time; what was printed longer ago is gone."
    : "Nothing was printed yet. Lines appear here as they are printed.";
}

/** More is a matter for the raw log. */
const mostCopied = 20_000;

async function copyLines(reader: LogReader, { from, to }: LineRange): Promise<string> {
  const count = to - from + 1;
  if (count > mostCopied)
    return `Only ${formatNumber(mostCopied)} lines can be copied at once. The raw log has all of them.`;
  try {
    const lines = await reader.lines(from, to);
    const isCopied = await copyText(lines.map(plainText).join("\n"));
    return isCopied ? `Copied ${formatCount(count, "line")}` : "The browser did not allow to copy.";
  } catch (error) {
    return messageOf(error);
  }
}

const newestLine = (reader: LogReader, { total }: LogState): string =>
  `Line ${total}: ${plainText(reader.pages.line(total) ?? "")}`;

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const clockOf = (at: string | null | undefined): string => (at ? clock.format(new Date(at)) : "");

/** A choice of this browser. */
function useStored(name: string, otherwise: () => boolean): [boolean, (value: boolean) => void] {
  const [value, setValue] = useState(() => (readStored(name) ?? String(otherwise())) === "true");
  return [
    value,
    (next) => {
      store(name, String(next));
      setValue(next);
    },
  ];
}
