import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export interface Property {
  label: string;
  /** What is missing is shown as a dash. */
  value: ReactNode;
}

/** Names and values of a record; ruled lines, label before value, above it on a phone. `narrow` is for a column of 360 px. */
export function Properties({ items, narrow }: { items: readonly Property[]; narrow?: boolean }) {
  return (
    <dl className="border-line border-t">
      {items.map(({ label, value }) => (
        <div
          key={label}
          className="flex gap-x-4 border-line border-b py-1.5 max-sm:flex-col sm:min-h-8 sm:items-baseline"
        >
          <dt className={classNames("shrink-0 text-text-2", narrow ? "w-24" : "w-44")}>{label}</dt>
          <dd className="min-w-0 grow [overflow-wrap:anywhere]">{shown(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The same as a strip: label above value, side by side. For the few that matter most. */
export function PropertyStrip({ items }: { items: readonly Property[] }) {
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3">
      {items.map(({ label, value }) => (
        <div key={label} className="min-w-0">
          <dt className="text-meta text-text-3">{label}</dt>
          <dd className="[overflow-wrap:anywhere]">{shown(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

const shown = (value: ReactNode): ReactNode =>
  value === undefined || value === null || value === "" ? <span className="text-text-3">–</span> : value;
