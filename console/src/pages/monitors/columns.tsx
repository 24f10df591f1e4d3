import type { ProjectSummary } from "../../../../contract/types.ts";
import type { Monitor } from "../../data/monitors.ts";
import { CertificateExpiry, LatencyLine, Uptime } from "../../parts/monitor/cells.tsx";
import { MonitorSince, MonitorStateIcon } from "../../parts/monitor/monitor-state.tsx";
import type { GridColumn } from "../../ui/grid-row.tsx";
import { Time } from "../../ui/time.tsx";

/** The projects of monitors, by their ids. */
export type Projects = ReadonlyMap<number, Pick<ProjectSummary, "name" | "server">>;

export const columnsWith = (projects: Projects): readonly GridColumn<Monitor>[] => [
  { id: "name", label: "Name", width: "minmax(160px, 3fr)", render: (monitor) => <NameCell monitor={monitor} /> },
  { id: "state", label: "State", width: "136px", phone: "end", render: (monitor) => <StateCell monitor={monitor} /> },
  {
    id: "latency",
    label: "Response time",
    width: "96px",
    drop: 4,
    phone: "hidden",
    render: (monitor) => <LatencyCell monitor={monitor} />,
  },
  {
    id: "day",
    label: "24 h",
    width: "72px",
    align: "end",
    render: ({ uptime_24h: value }) => <Uptime value={value} />,
  },
  {
    id: "week",
    label: "7 d",
    width: "72px",
    drop: 2,
    align: "end",
    phone: "hidden",
    render: ({ uptime_7d: value }) => <Uptime value={value} />,
  },
  {
    id: "certificate",
    label: "Certificate",
    width: "88px",
    drop: 1,
    phone: "hidden",
    render: ({ certificate_expires_at: at }) => <CertificateExpiry at={at} plain />,
  },
  {
    id: "project",
    label: "Project",
    width: "minmax(112px, 2fr)",
    drop: 3,
    phone: "hidden",
    render: ({ project_id: id }) => <ProjectCell project={projects.get(id)} />,
  },
];

/** With what is requested. */
function NameCell({ monitor: { name, config, type } }: { monitor: Monitor }) {
  return (
    <span className="flex min-w-0 flex-col leading-4">
      <span dir="auto" className="truncate">
        {name}
      </span>
      <span className="min-w-0 truncate font-normal text-meta text-text-2">
        {type === "heartbeat" ? "Heartbeat" : config.url?.replace(/^https?:\/\//, "")}
      </span>
    </span>
  );
}

function StateCell({ monitor }: { monitor: Monitor }) {
  return (
    <span className="flex min-w-0 flex-col leading-4">
      <MonitorStateIcon monitor={monitor} />
      <span className="truncate text-meta text-text-2 max-sm:sr-only">
        <MonitorSince monitor={monitor} plain />
      </span>
    </span>
  );
}

/** A heartbeat has no response times: when its job reported last. */
function LatencyCell({ monitor: { type, recent, last_ping_at: at } }: { monitor: Monitor }) {
  if (type === "http") return <LatencyLine checks={recent} />;
  return at ? <Time at={at} plain className="text-text-2" /> : <span className="text-text-3">–</span>;
}

function ProjectCell({ project }: { project: Pick<ProjectSummary, "name" | "server"> | undefined }) {
  if (!project) return null;
  return (
    <span className="flex min-w-0 flex-col leading-4">
      <span dir="auto" className="truncate">
        {project.name}
      </span>
      <span dir="auto" className="truncate text-meta text-text-2">
        {project.server.name}
      </span>
    </span>
  );
}
