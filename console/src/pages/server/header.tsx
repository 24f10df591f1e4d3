import { useLocation } from "react-router";
import { useOrganization } from "../../data/organization.ts";
import { type ServerType, serverTypes, type WholeServer } from "../../data/servers.ts";
import { ServerState } from "../../parts/server-state/server-state.tsx";
import { diskOf, loadOf, memoryOf, ShareLine } from "../../parts/server-state/usage.tsx";
import { paths, type ServerTab } from "../../paths.ts";
import { Copy } from "../../ui/copy.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { PropertyStrip } from "../../ui/properties.tsx";
import { TabLinks } from "../../ui/tab-links.tsx";
import { Time } from "../../ui/time.tsx";

/** The tabs of a server, in their order; each has a route below the server's. */
const tabs: readonly { tab?: ServerTab; label: string; types?: readonly ServerType[] }[] = [
  { label: "Overview" },
  { tab: "setup", label: "Setup" },
  { tab: "services", label: "Services" },
  { tab: "projects", label: "Projects" },
  { tab: "apps", label: "Applications", types: [0] },
  { tab: "databases", label: "Databases" },
  { tab: "settings", label: "Settings" },
];

export function ServerHeader({ server }: { server: WholeServer }) {
  return (
    <PageHeader
      title={server.name}
      parent={{ href: paths.servers(useOrganization()), label: "Servers" }}
      state={<ServerState server={server} />}
      details={<Details server={server} />}
      tabs={
        <>
          {server.usage && <Usage server={server} />}
          <Tabs server={server} />
        </>
      }
    />
  );
}

function Details({ server }: { server: WholeServer }) {
  const { public_ip: address, server_type: type, is_this_machine: isOwn } = server;
  return (
    <>
      {address && (
        <span className="inline-flex items-center gap-1">
          <code>{address}</code>
          <Copy text={address} label="Copy address" />
        </span>
      )}
      <span>{serverTypes[type]}</span>
      {isOwn && <span>Longshore runs here</span>}
    </>
  );
}

/** What stays of the last measurement while the server does not answer is dated. */
function Usage({ server: { usage, last_seen_at: seenAt } }: { server: WholeServer }) {
  return (
    <PropertyStrip
      items={[
        { label: "Load", value: <ShareLine value={loadOf(usage)} /> },
        { label: "Memory", value: <ShareLine value={memoryOf(usage)} /> },
        { label: "Disk", value: <ShareLine value={diskOf(usage)} /> },
        { label: "Last seen", value: seenAt && <Time at={seenAt} /> },
      ]}
    />
  );
}

function Tabs({ server: { id, projects_count: count, server_type: type } }: { server: WholeServer }) {
  const organization = useOrganization();
  const shown = tabs.filter(({ types }) => types?.includes(type) ?? true);
  const items = shown.map(({ tab, label }) => ({
    href: paths.server(organization, id, tab),
    label,
    ...(tab === "projects" && { count }),
  }));
  return <TabLinks label="Server" items={items} current={useLocation().pathname.replace(/\/$/, "")} />;
}
