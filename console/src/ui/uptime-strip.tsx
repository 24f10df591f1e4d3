import type { Tone } from "./tones.ts";

export interface UptimeMark {
  /** `idle`: no check, or a maintenance window. */
  tone: Tone;
  /** Shown on hover: "14 Nov: down for 3 min". */
  label: string;
}

export interface UptimeStripProps {
  /** Oldest first. */
  marks: readonly UptimeMark[];
  /** For screen readers: "Last 60 checks: 2 failed". */
  label: string;
  height?: number;
}

const fills: Record<Tone, string> = {
  ok: "fill-ok-dot",
  bad: "fill-bad-dot",
  run: "fill-run-dot",
  warn: "fill-warn-dot",
  idle: "fill-line",
};

/** Checks or days as bars; what is not well is full height, so that it shows without colour. */
export function UptimeStrip({ marks, label, height = 20 }: UptimeStripProps) {
  return (
    <svg
      role="img"
      aria-label={label}
      width={marks.length * 4 - 1}
      height={height}
      viewBox={`0 0 ${marks.length * 4 - 1} ${height}`}
      className="block max-w-full"
    >
      {marks.map((mark, index) => {
        const bar = mark.tone === "ok" || mark.tone === "idle" ? Math.round(height * 0.6) : height;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place.
          <rect key={index} x={index * 4} y={height - bar} width="3" height={bar} rx="1" className={fills[mark.tone]}>
            <title>{mark.label}</title>
          </rect>
        );
      })}
    </svg>
  );
}
