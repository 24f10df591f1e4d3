import type { MonitorDetails } from "../../data/monitors.ts";
import { CertificateExpiry, Uptime } from "../../parts/monitor/cells.tsx";
import { formatDuration, formatNumber } from "../../ui/format.ts";
import { PropertyStrip } from "../../ui/properties.tsx";
import { Time } from "../../ui/time.tsx";

/** Uptime, and how it is watched. */
export function MonitorFacts({ monitor }: { monitor: MonitorDetails }) {
  const { uptime_24h: day, uptime_7d: week, last_checked_at: at } = monitor;
  return (
    <PropertyStrip
      items={[
        { label: "Uptime 24 h", value: <Uptime value={day} /> },
        { label: "Uptime 7 d", value: <Uptime value={week} /> },
        ...(monitor.type === "http" ? checkFacts(monitor) : reportFacts(monitor)),
        { label: "Last checked", value: at && <Time at={at} /> },
      ]}
    />
  );
}

function checkFacts({ config, recent, certificate_expires_at: expiry }: MonitorDetails) {
  const ms = recent.at(-1)?.ms;
  return [
    { label: "Last response", value: ms == null ? null : `${formatNumber(ms)} ms` },
    { label: "Checked", value: config.interval_seconds && `every ${formatDuration(config.interval_seconds * 1_000)}` },
    ...(config.url?.startsWith("https:")
      ? [{ label: "Certificate expires", value: <CertificateExpiry at={expiry} /> }]
      : []),
  ];
}

const reportFacts = ({ last_ping_at: at, config }: MonitorDetails) => [
  { label: "Last report", value: at && <Time at={at} /> },
  {
    label: "Expected",
    value: config.expected_period_seconds
      ? `every ${formatDuration(config.expected_period_seconds * 1_000)}`
      : "no report: the job runs only at boot",
  },
  { label: "Grace", value: config.grace_seconds && formatDuration(config.grace_seconds * 1_000) },
];
