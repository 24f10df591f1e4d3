import { useLocation } from "react-router";
import type { ProjectReply } from "../../../../contract/types.ts";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { ProjectState } from "../../parts/project-state/project-state.tsx";
import { paths } from "../../paths.ts";
import { ExternalLink, Link } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TabLinks } from "../../ui/tab-links.tsx";
import { DeployActions } from "./deploy/deploy-actions.tsx";
import { LiveCommit } from "./live-commit.tsx";
import { tabsOf } from "./tabs.ts";

export function ProjectHeader({ project }: { project: ProjectReply }) {
  const organization = useOrganization();
  return (
    <PageHeader
      title={project.name}
      parent={{ href: paths.projects(organization), label: "Projects" }}
      state={<ProjectState project={project} />}
      details={<Details project={project} />}
      actions={<DeployActions project={project} />}
      tabs={<Tabs project={project} />}
    />
  );
}

function Details({ project }: { project: ProjectReply }) {
  const organization = useOrganization();
  const { server, live_deployment: live } = project;
  const mayReadServers = useMay("server:read");
  const name = <span dir="auto">{server.name}</span>;
  return (
    <>
      <ExternalLink href={project.url}>{project.primary_domain}</ExternalLink>
      {live && <LiveCommit deployment={live} />}
      {mayReadServers ? (
        <Link href={paths.server(organization, server.id)} kind="quiet">
          {name}
        </Link>
      ) : (
        name
      )}
    </>
  );
}

function Tabs({ project: { id, source_type } }: { project: ProjectReply }) {
  const organization = useOrganization();
  const items = tabsOf(source_type).map(({ tab, label }) => ({ href: paths.project(organization, id, tab), label }));
  return <TabLinks label="Project" items={items} current={useLocation().pathname.replace(/\/$/, "")} />;
}
