import type { ReactNode } from "react";
import { environmentNames, type ProjectSort, type ProjectSummary } from "../../data/projects.ts";
import { ProjectState } from "../../parts/project-state/project-state.tsx";
import { Time } from "../../ui/time.tsx";
import { CommitText, LastDeployment, MonitorCounts } from "./cells.tsx";
import type { sortedBy } from "./filters.ts";

export interface ProjectColumn {
  id: string;
  label: string;
  /** In pixels; the first column takes what is left. */
  width: number;
  render: (project: ProjectSummary) => ReactNode;
  sortedBy?: (typeof sortedBy)[number];
  align?: "end";
  /** Not shown unless one chooses it. */
  isExtra?: boolean;
}

/** The columns after the name, in their order. */
export const columnsWith = (groupName: (id: number) => string | undefined): readonly ProjectColumn[] => [
  { id: "state", label: "State", width: 132, render: ({ state }) => <ProjectState state={state} /> },
  {
    id: "commit",
    label: "Live commit",
    width: 240,
    render: ({ live_deployment: live }) => live && <CommitText deployment={live} />,
  },
  { id: "server", label: "Server", width: 140, render: ({ server }) => <span dir="auto">{server.name}</span> },
  {
    id: "environment",
    label: "Environment",
    width: 104,
    render: ({ environment }) => environment && environmentNames[environment],
  },
  {
    id: "group",
    label: "Group",
    width: 128,
    render: ({ project_group_id: id }) => id !== null && <span dir="auto">{groupName(id)}</span>,
  },
  {
    id: "monitors",
    label: "Monitors",
    width: 88,
    render: ({ monitors }) => monitors && <MonitorCounts {...monitors} />,
  },
  {
    id: "last",
    label: "Last deployment",
    width: 136,
    sortedBy: "last_deployed_at",
    render: ({ last_deployment: last }) => last && <LastDeployment deployment={last} />,
  },
  { id: "framework", label: "Framework", width: 132, isExtra: true, render: ({ framework }) => framework.label },
  {
    id: "repository",
    label: "Repository",
    width: 220,
    isExtra: true,
    render: ({ repository }) => repository && <span dir="auto">{repository}</span>,
  },
  {
    id: "created",
    label: "Created",
    width: 96,
    isExtra: true,
    sortedBy: "created_at",
    render: ({ created_at }) => <Time at={created_at} plain />,
  },
];

export const isSortedBy = (sort: ProjectSort, field: string | undefined): "ascending" | "descending" | undefined =>
  sort === field ? "ascending" : sort === `-${field}` ? "descending" : undefined;
