import type { ServerUsage } from "../../../../contract/types.ts";
import { classNames } from "../../ui/class-names.ts";
import { formatBytes, formatCount } from "../../ui/format.ts";

/** A part of what there is; from here on it is scarce. */
const scarceAbove = 0.9;

interface Share {
  /** Between 0 and 1, and more when processes wait for a processor. */
  share: number;
  /** "3.1 GB of 4 GB". */
  text: string;
}

type Space = NonNullable<ServerUsage["memory"]>;

/** Processes that run or wait, and how many can run at once. */
export const loadOf = (usage: ServerUsage | null): Share | undefined => {
  const load = usage?.load;
  return load
    ? { share: load.one_minute / load.cores, text: `${load.one_minute.toFixed(2)} on ${coresText(load.cores)}` }
    : undefined;
};

const coresText = (cores: number): string => formatCount(cores, "core");

const spaceOf = (space: Space | null | undefined): Share | undefined => {
  if (!space || space.total_bytes === 0) return undefined;
  const used = space.total_bytes - space.available_bytes;
  return { share: used / space.total_bytes, text: `${formatBytes(used)} of ${formatBytes(space.total_bytes)}` };
};

export const memoryOf = (usage: ServerUsage | null): Share | undefined => spaceOf(usage?.memory);
export const diskOf = (usage: ServerUsage | null): Share | undefined => spaceOf(usage?.disk);

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** "62 %" with a bar; what is scarce has the colour of a warning. */
export function ShareCell({ value }: { value: Share | undefined }) {
  if (!value) return <span className="text-text-3">–</span>;
  const isScarce = value.share > scarceAbove;
  return (
    <span className="flex items-center gap-2" title={value.text}>
      <ShareBar share={value.share} className="w-9 shrink-0 max-sm:hidden" />
      <span className={classNames("tabular", isScarce && "font-medium text-warn")}>{percent(value.share)}</span>
    </span>
  );
}

/** The same with its words, for a property of the server. */
export function ShareLine({ value }: { value: Share | undefined }) {
  if (!value) return null;
  return (
    <span className="flex flex-col gap-1">
      <span>
        <span className={classNames("tabular", value.share > scarceAbove && "font-medium text-warn")}>
          {percent(value.share)}
        </span>{" "}
        <span className="text-text-2">{value.text}</span>
      </span>
      <ShareBar share={value.share} className="w-36" />
    </span>
  );
}

function ShareBar({ share, className }: { share: number; className: string }) {
  const width = `${Math.min(100, Math.max(share * 100, 2))}%`;
  return (
    <span aria-hidden className={classNames("h-1 overflow-hidden rounded-full bg-line", className)}>
      <span
        style={{ width }}
        className={classNames("block h-full", share > scarceAbove ? "bg-warn-dot" : "bg-text-3")}
      />
    </span>
  );
}
