import type { ReactNode } from "react";
import { environmentNames, type ProjectSummary } from "../../data/projects.ts";
import { ProjectState } from "../../parts/project-state/project-state.tsx";
import type { GridColumn } from "../../ui/grid-row.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { CommitText, LastDeployment, MonitorCounts, NameCell, Nothing } from "./cells.tsx";
import { isRead, type Row } from "./rows.ts";

export interface ProjectColumn extends Omit<GridColumn<Row>, "render"> {
  render: (project: ProjectSummary) => ReactNode;
  /** Not shown unless one chooses it. */
  isExtra?: boolean;
}

const nameColumn = (isDense: boolean): ProjectColumn => ({
  id: "name",
  label: "Name",
  width: "minmax(160px, 3fr)",
  sort: "name",
  render: (project) => <NameCell project={project} isDense={isDense} />,
});

/** Elsewhere it is below the name. */
const domainColumn: ProjectColumn = {
  id: "domain",
  label: "Domain",
  width: "",
  phone: "only",
  render: ({ primary_domain: domain }) => domain,
};

const extraColumns: readonly ProjectColumn[] = [
  {
    id: "framework",
    label: "Framework",
    width: "minmax(96px, 1fr)",
    phone: "hidden",
    isExtra: true,
    render: ({ framework }) => framework.label,
  },
  {
    id: "repository",
    label: "Repository",
    width: "minmax(140px, 2fr)",
    phone: "hidden",
    isExtra: true,
    render: ({ repository }) => repository && <span dir="auto">{repository}</span>,
  },
  {
    id: "created",
    label: "Created",
    width: "88px",
    phone: "hidden",
    isExtra: true,
    sort: "created_at",
    render: ({ created_at }) => <Time at={created_at} plain />,
  },
];

/** The columns that one can choose, in their order. */
export const columnsWith = (groupName: (id: number) => string | undefined): readonly ProjectColumn[] => [
  {
    id: "state",
    label: "State",
    width: "120px",
    phone: "end",
    render: (project) => <ProjectState project={project} />,
  },
  {
    id: "commit",
    label: "Live commit",
    width: "minmax(200px, 3fr)",
    phone: "hidden",
    drop: 3,
    render: ({ live_deployment: live, source_type }) =>
      live ? (
        <CommitText deployment={live} />
      ) : (
        <Nothing text={source_type === "app" ? "From the catalog" : "Nothing yet"} />
      ),
  },
  {
    id: "server",
    drop: 5,
    label: "Server",
    width: "minmax(64px, 1fr)",
    phone: "hidden",
    render: ({ server }) => <span dir="auto">{server.name}</span>,
  },
  {
    id: "environment",
    drop: 2,
    label: "Environment",
    width: "92px",
    phone: "hidden",
    render: ({ environment }) => environment && environmentNames[environment],
  },
  {
    id: "group",
    drop: 1,
    label: "Group",
    width: "minmax(64px, 1fr)",
    phone: "hidden",
    render: ({ project_group_id: id }) => id !== null && <span dir="auto">{groupName(id)}</span>,
  },
  {
    id: "monitors",
    drop: 4,
    label: "Monitors",
    width: "72px",
    phone: "hidden",
    render: ({ monitors }) => monitors && <MonitorCounts {...monitors} />,
  },
  {
    id: "last",
    label: "Last deployment",
    width: "112px",
    align: "end",
    sort: "last_deployed_at",
    render: ({ last_deployment: last, source_type }) =>
      last ? <LastDeployment deployment={last} /> : source_type === "git" && <Nothing text="Never" />,
  },
  ...extraColumns,
];

/** The columns of the grid; what was not read yet has bars in the place of its texts. */
export const gridColumns = (chosen: readonly ProjectColumn[], isDense: boolean): readonly GridColumn<Row>[] =>
  [nameColumn(isDense), domainColumn, ...chosen].map(({ render, isExtra: _, ...column }) => ({
    ...column,
    render: (row: Row) => (isRead(row) ? render(row) : <Skeleton className="h-3.5 w-3/5" />),
  }));
