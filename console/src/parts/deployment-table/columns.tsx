import type { Deployment } from "../../../../contract/types.ts";
import { Duration } from "../../ui/duration.tsx";
import type { GridColumn } from "../../ui/grid-row.tsx";
import { Time } from "../../ui/time.tsx";
import { CommitLine } from "../commit-line.tsx";
import { Initiator } from "../initiator.tsx";
import { DeploymentStateBadge, kindNames } from "../state-badge.tsx";

type Column = GridColumn<Deployment>;

const project: Column = {
  id: "project",
  label: "Project",
  width: "minmax(120px, 1fr)",
  render: (deployment) => <span dir="auto">{deployment.project.name}</span>,
};

const columns: readonly Column[] = [
  { id: "commit", label: "Deployment", width: "minmax(220px, 3fr)", render: (deployment) => <What {...deployment} /> },
  {
    id: "state",
    label: "State",
    width: "116px",
    phone: "end",
    render: (deployment) => <DeploymentStateBadge deployment={deployment} />,
  },
  {
    id: "initiator",
    drop: 3,
    label: "Started by",
    width: "minmax(110px, 1fr)",
    phone: "hidden",
    render: (deployment) => <Initiator initiator={deployment.initiator} />,
  },
  {
    id: "server",
    drop: 1,
    label: "Server",
    width: "minmax(90px, 1fr)",
    phone: "hidden",
    render: ({ server }) => server.name && <span dir="auto">{server.name}</span>,
  },
  {
    id: "waited",
    drop: 2,
    label: "Waited",
    width: "80px",
    align: "end",
    phone: "hidden",
    render: (each) => <Waited {...each} />,
  },
  { id: "took", label: "Took", width: "80px", align: "end", phone: "hidden", render: (each) => <Took {...each} /> },
  {
    id: "age",
    label: "Requested",
    width: "88px",
    align: "end",
    render: ({ created_at: at }) => <Time at={at} plain />,
  },
];

const [commit, state, ...rest] = columns as [Column, Column, ...Column[]];

/** Of all deployments, and of those of a project. */
export const allColumns: readonly Column[] = [commit, state, project, ...rest];
export const projectColumns: readonly Column[] = [commit, state, ...rest];

function What(deployment: Deployment) {
  const { id, process_type: kind } = deployment;
  return (
    <span className="inline-flex max-w-full min-w-0 items-baseline gap-2 font-normal">
      <span className="shrink-0 font-medium tabular">
        {kind === "deployment" ? "" : `${kindNames[kind]} `}
        {id}
      </span>
      <CommitLine commit={deployment} plain truncates />
    </span>
  );
}

/** Whole seconds are enough in a list. */
function Waited({ created_at: from, started_at: startedAt, ended_at: endedAt }: Deployment) {
  const to = startedAt ?? endedAt;
  return to === null ? <Duration since={from} /> : <Duration ms={Date.parse(to) - Date.parse(from)} />;
}

function Took({ started_at: from, ended_at: to }: Deployment) {
  if (from === null) return null;
  return to === null ? <Duration since={from} /> : <Duration ms={Date.parse(to) - Date.parse(from)} />;
}
