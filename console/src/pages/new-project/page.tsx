import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { LoaderFunctionArgs } from "react-router";
import { prefetch } from "../../data/cache.ts";
import { useMay } from "../../data/me.ts";
import { appServers } from "../../data/new-project.ts";
import { useOrganization } from "../../data/organization.ts";
import { gitHosts } from "../../data/overview.ts";
import { frameworks } from "../../data/projects.ts";
import { type AppServer, firstAccepting, isWhole, whyNot } from "../../parts/app-servers.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { paths } from "../../paths.ts";
import { Empty } from "../../ui/empty.tsx";
import { ButtonLink, Link } from "../../ui/link.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { NewProjectForm } from "./new-project-form.tsx";

export const loader = ({ params }: LoaderFunctionArgs) => {
  const o = Number(params.organization);
  return prefetch(appServers(o), gitHosts(o), frameworks(o));
};

/** From a repository to a project whose first deployment runs. */
export function Component(): ReactNode {
  const o = useOrganization();
  useTitle("New project");
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="New project" parent={{ href: paths.projects(o), label: "Projects" }} />
      {useMay("project:create") ? <Body /> : <Empty title="Your role cannot create projects">Ask an Owner.</Empty>}
    </div>
  );
}

function Body() {
  const o = useOrganization();
  const servers = useQuery(appServers(o));
  const known = useQuery(frameworks(o));
  return (
    <Loaded query={servers} what="The servers could not be read.">
      {({ data }) =>
        data.some(isWhole) ? (
          <Loaded query={known} what="The frameworks could not be read.">
            {(read) => (
              <>
                <NoneAccepts servers={data.filter(isWhole)} />
                <NewProjectForm key={o} servers={data.filter(isWhole)} frameworks={read.data} />
              </>
            )}
          </Loaded>
        ) : (
          <NoServer />
        )
      }
    </Loaded>
  );
}

/** Why the page leads nowhere now. */
function NoneAccepts({ servers }: { servers: readonly AppServer[] }) {
  const o = useOrganization();
  if (firstAccepting(servers) !== null) return null;
  return (
    <Notice tone="warn" title="No server accepts a project now">
      <ul>
        {servers.map((server) => (
          <li key={server.id}>
            <Link href={paths.server(o, server.id)}>
              <bdi>{server.name}</bdi>
            </Link>
            {`: ${whyNot(server)}`}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function ConnectServer() {
  const o = useOrganization();
  if (!useMay("server:create")) return null;
  return (
    <ButtonLink href={paths.newServer(o)} kind="primary">
      Connect server
    </ButtonLink>
  );
}

function NoServer() {
  const mayConnect = useMay("server:create");
  return (
    <Empty title="No server yet" action={<ConnectServer />}>
      {mayConnect ? connectFirst : askFirst}
    </Empty>
  );
}

const connectFirst = "A project runs on a server of yours. Connect one first, then come back here.";
const askFirst = "A project runs on a server. Ask an Owner to connect one, or to put one in your reach.";
