import { useQuery } from "@tanstack/react-query";
import type { Operations } from "../../../../../contract/types.ts";
import { appsOnServer, serverApps } from "../../../data/apps.ts";
import { useOrganization } from "../../../data/organization.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { ProjectState } from "../../../parts/project-state/project-state.tsx";
import { paths } from "../../../paths.ts";
import { formatNumber } from "../../../ui/format.ts";
import { Link } from "../../../ui/link.tsx";
import { Section } from "../../../ui/section.tsx";
import { type Column, SmallTable } from "../../../ui/small-table.tsx";

type Listed = Operations["GET /api/v1/projects"]["reply"]["data"][number];
export type InstalledApp = Extract<Listed, { app_slug: string | null }>;

const columnsWith = (nameOf: (slug: string) => string): readonly Column<InstalledApp>[] => [
  { id: "name", label: "Name", grow: true, render: ({ name }) => <span dir="auto">{name}</span> },
  {
    id: "application",
    label: "Application",
    render: ({ app_slug: slug, app_version: version }) => [nameOf(slug ?? ""), version].filter(Boolean).join(" "),
  },
  { id: "state", label: "State", render: (project) => <ProjectState project={project} /> },
  {
    id: "domain",
    label: "Domain",
    phone: "hidden",
    render: ({ primary_domain: domain }) => <span className="block max-w-72 truncate">{domain}</span>,
  },
];

/** The applications on a server; nothing where there is none. */
export function InstalledSection({ serverId }: { serverId: number }) {
  const o = useOrganization();
  const installed = useQuery(appsOnServer(o, serverId));
  const catalog = useQuery(serverApps(o, serverId)).data?.data;
  const nameOf = (slug: string) => catalog?.find((app) => app.slug === slug)?.name ?? slug;
  if (installed.data?.total_items === 0) return null;
  return (
    <Section title="Installed">
      <Loaded query={installed} what="The installed applications could not be read." rows={2}>
        {({ data, total_items: total }) => (
          <>
            <InstalledTable apps={data as InstalledApp[]} nameOf={nameOf} />
            {total > data.length && (
              <Link href={paths.projects(o, { server_id: String(serverId) })} className="self-start">
                All {formatNumber(total)} applications, among the projects
              </Link>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

interface TableProps {
  apps: readonly InstalledApp[];
  nameOf: (slug: string) => string;
}

export function InstalledTable({ apps, nameOf }: TableProps) {
  const o = useOrganization();
  return (
    <SmallTable
      label="Installed applications"
      columns={columnsWith(nameOf)}
      rows={apps}
      rowKey={({ id }) => id}
      rowHref={({ id }) => paths.project(o, id)}
    />
  );
}
