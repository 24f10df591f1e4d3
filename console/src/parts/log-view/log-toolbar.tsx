import { ArrowDown, ArrowUp, Clock, Copy as CopyIcon, Download, Search, WrapText } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { ToggleButton } from "react-aria-components";
import { classNames } from "../../ui/class-names.ts";
import { formatCount, formatNumber } from "../../ui/format.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Ring } from "../../ui/ring.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import { useSlash } from "../../ui/use-slash.ts";
import type { LogState } from "./log-reader.ts";
import type { LogSearch } from "./use-log-search.ts";

export interface LogToolbarProps {
  state: LogState;
  search?: LogSearch;
  wraps: boolean;
  setWraps: (wraps: boolean) => void;
  /** Undefined: the log has no times. */
  showsTimes: boolean | undefined;
  setShowsTimes: (shows: boolean) => void;
  raw: string | undefined;
  /** Copies the lines of the address; undefined: it has none. */
  onCopy: (() => void) | undefined;
}

export function LogToolbar(props: LogToolbarProps) {
  const { state, search, wraps, showsTimes, raw, onCopy } = props;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b bg-surface px-2 py-1">
      {search && <SearchField search={search} />}
      <span className="ml-auto flex items-center gap-1">
        <Progress state={state} />
        {onCopy && <IconButton label="Copy lines" icon={CopyIcon} compact onPress={onCopy} />}
        {showsTimes !== undefined && <Toggle label="Times" icon={Clock} isOn={showsTimes} set={props.setShowsTimes} />}
        <Toggle label="Wrap lines" icon={WrapText} isOn={wraps} set={props.setWraps} />
        {raw && (
          <Tooltip text="Raw log">
            <a href={raw} target="_blank" rel="noreferrer" aria-label="Raw log" className={toolClasses}>
              <Download aria-hidden size={16} strokeWidth={1.75} />
            </a>
          </Tooltip>
        )}
      </span>
    </div>
  );
}

const toolClasses =
  "inline-flex size-7 shrink-0 cursor-pointer items-center justify-center rounded-control text-text-2 hover:bg-text/6 " +
  "hover:text-text pointer-coarse:size-10";

interface ToggleProps {
  label: string;
  icon: typeof Clock;
  isOn: boolean;
  set: (isOn: boolean) => void;
}

function Toggle({ label, icon: Icon, isOn, set }: ToggleProps) {
  return (
    <Tooltip text={label}>
      <ToggleButton
        aria-label={label}
        isSelected={isOn}
        onChange={set}
        className={classNames(toolClasses, "data-selected:bg-text/10 data-selected:text-text")}
      >
        <Icon aria-hidden size={16} strokeWidth={1.75} />
      </ToggleButton>
    </Tooltip>
  );
}

function Progress({ state: { isOpen, isComplete, connection, total } }: { state: LogState }) {
  if (!isOpen) return null;
  const isLost = !isComplete && connection === "lost";
  return (
    <span
      role={isLost ? "status" : undefined}
      className={classNames("flex items-center gap-1.5 px-2 text-meta tabular", isLost ? "text-warn" : "text-text-3")}
    >
      {!isComplete && !isLost && <Ring size={12} />}
      {isLost ? "Not connected. What is printed now follows later." : formatCount(total, "line")}
    </span>
  );
}

function SearchField({ search }: { search: LogSearch }) {
  const { text, setText, move } = search;
  const input = useRef<HTMLInputElement>(null);
  useSlash(input);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") move(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") setText("");
    else return;
    event.preventDefault();
  };
  return (
    <search className="flex min-w-0 items-center gap-1">
      <span className="flex h-7 items-center gap-1.5 rounded-control border border-control bg-surface px-2 focus-within:border-focus pointer-coarse:h-10">
        <Search aria-hidden size={14} className="shrink-0 text-text-3" />
        <input
          ref={input}
          type="search"
          aria-label="Search log"
          placeholder="Search"
          dir="auto"
          maxLength={200}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          className="w-40 bg-transparent text-prose outline-none max-sm:w-28 max-sm:text-touch [&::-webkit-search-cancel-button]:hidden"
        />
      </span>
      {text !== "" && <SearchPlace {...search} />}
    </search>
  );
}

function SearchPlace({ place, total, isSearching, message, move }: LogSearch) {
  return (
    <>
      <span role="status" className={classNames("px-1 text-meta tabular", message ? "text-bad" : "text-text-2")}>
        {message ?? (isSearching ? "Searching" : placeOf(place, total))}
      </span>
      <IconButton compact label="Previous match" icon={ArrowUp} onPress={() => move(-1)} isDisabled={place <= 1} />
      <IconButton compact label="Next match" icon={ArrowDown} onPress={() => move(1)} isDisabled={place === 0} />
    </>
  );
}

/** From this many on, matches are not counted. */
const mostCounted = 10_000;

function placeOf(place: number, total: number | null): string {
  if (place === 0) return "No matches";
  if (total === null) return `${formatNumber(place)} of many`;
  return `${formatNumber(place)} of ${formatNumber(total)}${total >= mostCounted ? "+" : ""}`;
}
