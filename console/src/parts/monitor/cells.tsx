import type { Monitor } from "../../data/monitors.ts";
import { useClock } from "../../ui/clock.ts";
import { formatNumber, formatPercent } from "../../ui/format.ts";
import { Sparkline } from "../../ui/sparkline.tsx";
import { Time } from "../../ui/time.tsx";

// What a monitor shows in lists.

const Nothing = () => <span className="text-text-3">–</span>;

/** Percent of the observed time; a dash while too little of it was observed. */
export const Uptime = ({ value }: { value: number | null }) =>
  value === null ? <Nothing /> : <span className="whitespace-nowrap tabular">{formatPercent(value)}</span>;

/** The response times of the last checks, with those that failed. */
export function LatencyLine({ checks }: { checks: Monitor["recent"] }) {
  if (checks.length === 0) return <Nothing />;
  return (
    <Sparkline
      values={checks.map(({ ms }) => ms)}
      failed={checks.flatMap(({ ok }, index) => (ok ? [] : [index]))}
      label={latencyText(checks)}
    />
  );
}

/** "Last 60 checks: 45 to 320 ms, 2 failed" */
export function latencyText(checks: Monitor["recent"]): string {
  const times = checks.flatMap(({ ms }) => ms ?? []);
  const failed = checks.filter(({ ok }) => !ok).length;
  const range = times.length === 0 ? "no answer" : rangeText(Math.min(...times), Math.max(...times));
  const of = checks.length === 1 ? "Last check" : `Last ${checks.length} checks`;
  return `${of}: ${range}${failed === 0 ? "" : `, ${failed} failed`}`;
}

const rangeText = (low: number, high: number): string =>
  low === high ? `${formatNumber(low)} ms` : `${formatNumber(low)} to ${formatNumber(high)} ms`;

const dayMs = 86_400_000;

/** When the certificate that a check got expires: from three weeks before in the colour of a warning, as notices are sent. */
export function CertificateExpiry({ at, plain = false }: { at: string | null | undefined; plain?: boolean }) {
  const days = useClock((now) => (at ? Math.floor((Date.parse(at) - now) / dayMs) : 0), Boolean(at));
  if (!at) return <Nothing />;
  const tone = days < 7 ? "text-bad" : days < 21 ? "text-warn" : "";
  return (
    <span className={tone}>
      {days < 0 && "expired "}
      <Time at={at} plain={plain} />
    </span>
  );
}
