import { ProgressBar as AriaProgressBar, Label } from "react-aria-components";

export interface ProgressBarProps {
  /** What progresses: "Uploading shop.sql.gz". */
  label: string;
  value: number;
  max: number;
  /** At the end of the line: "12 MB of 320 MB". */
  text: string;
}

/** How much of something is done, with a known end. What has none is a Ring. */
export function ProgressBar({ label, value, max, text }: ProgressBarProps) {
  return (
    <AriaProgressBar value={value} maxValue={Math.max(max, 1)} valueLabel={text} className="flex flex-col gap-1.5">
      {({ percentage = 0 }) => (
        <>
          <span className="flex flex-wrap justify-between gap-x-4">
            <Label dir="auto" className="min-w-0 [overflow-wrap:anywhere]">
              {label}
            </Label>
            <span className="text-text-2 tabular">{text}</span>
          </span>
          <span className="block h-1 overflow-hidden rounded-full bg-line">
            <span className="block h-full rounded-full bg-run-dot" style={{ width: `${percentage}%` }} />
          </span>
        </>
      )}
    </AriaProgressBar>
  );
}
