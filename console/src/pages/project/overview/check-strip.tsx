import type { Monitor } from "../../../../../contract/types.ts";

const most = 60;
const [width, gap, height] = [2, 1, 16];

/** The last checks of a monitor as bars: the higher, the slower; failed ones are full and red. */
export function CheckStrip({ checks }: { checks: Monitor["recent"] }) {
  const shown = checks.slice(-most);
  const slowest = Math.max(1, ...shown.map(({ ms }) => ms ?? 0));
  const failed = shown.filter(({ ok }) => !ok).length;
  const label = shown.length === 0 ? "No checks yet" : `${shown.length} checks, ${failed} failed`;
  return (
    <svg role="img" aria-label={label} width={most * (width + gap)} height={height} className="block">
      {shown.map(({ ok, ms }, index) => {
        const high = ok ? Math.max(2, Math.round(((ms ?? 0) / slowest) * (height - 4))) : height;
        const x = (most - shown.length + index) * (width + gap);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the checks have no ids, and all move at once.
            key={index}
            x={x}
            y={height - high}
            width={width}
            height={high}
            className={ok ? "fill-ok-dot" : "fill-bad-dot"}
          />
        );
      })}
    </svg>
  );
}
