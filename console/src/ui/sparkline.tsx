export interface SparklineProps {
  /** Oldest first; null: nothing was measured. */
  values: readonly (number | null)[];
  /** Indexes of what failed, as bars behind the line. */
  failed?: readonly number[];
  /** What it shows, for screen readers: "Latency, last 60 checks: 45 to 320 ms". */
  label: string;
  width?: number;
  height?: number;
}

/** A series as a line without axes; it breaks where nothing was measured. */
export function Sparkline({ values, failed = [], label, width = 96, height = 20 }: SparklineProps) {
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      fill="none"
      className="block text-text-2"
    >
      {failed.map((index) => (
        <rect
          key={index}
          x={Math.min(index * stepOf(values, width), width - 2)}
          width="2"
          height={height}
          className="fill-bad-dot"
        />
      ))}
      <path d={pathOf(values, width, height)} stroke="currentColor" strokeWidth="1.25" strokeLinejoin="round" />
    </svg>
  );
}

const stepOf = (values: readonly unknown[], width: number): number => width / Math.max(values.length - 1, 1);

/** From 0, so that a small change of a large value does not look like a large one. */
function pathOf(values: readonly (number | null)[], width: number, height: number): string {
  const highest = Math.max(...values.map((value) => value ?? 0), 1e-9);
  const step = stepOf(values, width);
  let isGap = true;
  return values
    .map((value, index) => {
      const move = isGap ? "M" : "L";
      isGap = value === null;
      return value === null
        ? ""
        : `${move}${(index * step).toFixed(1)} ${(height - 1 - (value / highest) * (height - 2)).toFixed(1)}`;
    })
    .join("");
}
