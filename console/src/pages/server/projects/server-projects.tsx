import { useQuery } from "@tanstack/react-query";
import type { ProjectSummary } from "../../../../../contract/types.ts";
import { useOrganization } from "../../../data/organization.ts";
import { projectsOnServer } from "../../../data/servers.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { ProjectState } from "../../../parts/project-state/project-state.tsx";
import { paths } from "../../../paths.ts";
import { Empty } from "../../../ui/empty.tsx";
import { formatNumber } from "../../../ui/format.ts";
import { Link } from "../../../ui/link.tsx";
import { type Column, SmallTable } from "../../../ui/small-table.tsx";
import { Time } from "../../../ui/time.tsx";

const columns: readonly Column<ProjectSummary>[] = [
  { id: "name", label: "Name", grow: true, render: ({ name }) => <span dir="auto">{name}</span> },
  { id: "state", label: "State", render: (project) => <ProjectState project={project} /> },
  { id: "domain", label: "Domain", grow: true, phone: "hidden", render: ({ primary_domain: domain }) => domain },
  { id: "framework", label: "Framework", phone: "hidden", render: ({ framework }) => framework.label },
  {
    id: "last",
    label: "Last deployment",
    align: "end",
    render: ({ last_deployment: last }) => last && <Time at={last.at} plain />,
  },
];

/** The projects on a server; the list of projects has all of them where they are many. */
export function ServerProjects({ serverId }: { serverId: number }) {
  const o = useOrganization();
  const query = useQuery(projectsOnServer(o, serverId));
  return (
    <Loaded query={query} what="The projects could not be read.">
      {({ data, total_items: total }) =>
        data.length === 0 ? (
          <None />
        ) : (
          <div className="flex flex-col gap-3">
            <SmallTable
              label="Projects"
              columns={columns}
              rows={data}
              rowKey={({ id }) => id}
              rowHref={({ id }) => paths.project(o, id)}
            />
            {total > data.length && (
              <Link href={paths.projects(o, { server_id: String(serverId) })} className="self-start">
                All {formatNumber(total)} projects
              </Link>
            )}
          </div>
        )
      }
    </Loaded>
  );
}

const None = () => (
  <Empty title="No projects on this server">Create one here, or move one from another server to this.</Empty>
);
