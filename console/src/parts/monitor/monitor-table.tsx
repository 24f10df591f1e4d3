import type { Monitor } from "../../data/monitors.ts";
import { useOrganization } from "../../data/organization.ts";
import { paths } from "../../paths.ts";
import { type Column, SmallTable } from "../../ui/small-table.tsx";
import { CertificateExpiry, LatencyLine, Uptime } from "./cells.tsx";
import { MonitorSince, MonitorStateIcon } from "./monitor-state.tsx";

const columns: readonly Column<Monitor>[] = [
  { id: "name", label: "Name", grow: true, render: ({ name }) => <span dir="auto">{name}</span> },
  {
    id: "state",
    label: "State",
    render: (monitor) => (
      <span className="inline-flex flex-wrap items-baseline gap-x-2">
        <MonitorStateIcon monitor={monitor} />
        <span className="text-text-2">
          <MonitorSince monitor={monitor} plain />
        </span>
      </span>
    ),
  },
  { id: "latency", label: "Response time", phone: "hidden", render: ({ recent }) => <LatencyLine checks={recent} /> },
  {
    id: "day",
    label: "24 h",
    align: "end",
    phone: "labelled",
    render: ({ uptime_24h: value }) => <Uptime value={value} />,
  },
  {
    id: "week",
    label: "7 d",
    align: "end",
    phone: "labelled",
    render: ({ uptime_7d: value }) => <Uptime value={value} />,
  },
  {
    id: "certificate",
    label: "Certificate",
    phone: "hidden",
    render: ({ certificate_expires_at: at }) => <CertificateExpiry at={at} plain />,
  },
];

/** The monitors of a project. */
export function MonitorTable({ monitors }: { monitors: readonly Monitor[] }) {
  const o = useOrganization();
  return (
    <SmallTable
      label="Monitors"
      columns={columns}
      rows={monitors}
      rowKey={({ id }) => id}
      rowHref={({ id }) => paths.monitor(o, id)}
    />
  );
}
