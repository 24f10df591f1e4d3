import { ChevronRight, Copy as CopyIcon } from "lucide-react";
import { classNames } from "../../ui/class-names.ts";
import { Duration } from "../../ui/duration.tsx";
import { formatCount, formatNumber } from "../../ui/format.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { StateIcon } from "../../ui/state-icon.tsx";
import type { Tone } from "../../ui/tones.ts";
import type { Group } from "./groups.ts";

const looks: Record<Group["status"], { word: string; tone: Tone }> = {
  pending: { word: "Waiting", tone: "idle" },
  running: { word: "Running", tone: "run" },
  completed: { word: "Done", tone: "ok" },
  failed: { word: "Failed", tone: "bad" },
  skipped: { word: "Skipped", tone: "idle" },
  unreported: { word: "Not reported", tone: "warn" },
};

interface GroupRowProps {
  group: Group;
  isOpen: boolean;
  /** When it began, if times are shown. */
  time: string | undefined;
  onToggle: () => void;
  onCopy: () => void;
}

/** The head of a step: its state, how long it took, and how much it has printed. */
export function GroupRow({ group, isOpen, time, onToggle, onCopy }: GroupRowProps) {
  const hasLines = group.from !== undefined;
  return (
    <div className="group sticky left-0 flex h-7 w-[100cqw] items-center gap-2 border-line border-t pr-2 font-sans text-body">
      <button
        type="button"
        aria-expanded={hasLines ? isOpen : undefined}
        disabled={!hasLines}
        onClick={onToggle}
        className="flex h-full min-w-0 grow items-center gap-2 pl-2 text-left enabled:cursor-pointer enabled:hover:bg-text/4"
      >
        <ChevronRight
          aria-hidden
          size={14}
          className={classNames("shrink-0 text-text-3", isOpen && "rotate-90", !hasLines && "invisible")}
        />
        <StateIcon {...looks[group.status]} state={group.status} iconOnly />
        <span dir="auto" className={classNames("truncate", group.status === "failed" && "font-medium text-bad")}>
          {group.label}
        </span>
        <span className="ml-auto flex shrink-0 gap-3 pl-3 text-meta text-text-3 tabular">
          {time && <span className="max-sm:hidden">{time}</span>}
          <GroupSize group={group} />
          <GroupTime group={group} />
        </span>
      </button>
      {hasLines && <IconButton label="Copy step" icon={CopyIcon} compact onPress={onCopy} className="max-sm:hidden" />}
    </div>
  );
}

function GroupSize({ group: { from, to, lastOwn } }: { group: Group }) {
  if (from === undefined) return null;
  const lines = (lastOwn ?? to ?? from) - from + 1;
  return (
    <span className="max-sm:hidden">
      {formatCount(lines, "line")} from {formatNumber(from)}
    </span>
  );
}

function GroupTime({ group: { status, started_at: startedAt, duration_ms: ms } }: { group: Group }) {
  if (status === "running" && startedAt) return <Duration since={startedAt} />;
  return ms === null ? null : <Duration ms={ms} />;
}
