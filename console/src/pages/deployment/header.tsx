import type { ReactNode } from "react";
import type { DeploymentRecord } from "../../data/deployments.ts";
import { useOrganization } from "../../data/organization.ts";
import { CommitLine } from "../../parts/commit-line.tsx";
import { Initiator } from "../../parts/initiator.tsx";
import { DeploymentStateBadge, kindNames } from "../../parts/state-badge.tsx";
import { paths } from "../../paths.ts";
import { Duration } from "../../ui/duration.tsx";
import { ExternalLink, Link } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { type Property, PropertyStrip } from "../../ui/properties.tsx";
import { Time } from "../../ui/time.tsx";

/** What is deployed, by whom and where, and how it stands. */
export function DeploymentHeader({ deployment, actions }: { deployment: DeploymentRecord; actions: ReactNode }) {
  const organization = useOrganization();
  const { id, project, process_type: kind, compare_url: compareUrl } = deployment;
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title={`${kindNames[kind]} ${id}`}
        parent={{ href: paths.project(organization, project.id, "deployments"), label: project.name }}
        state={<DeploymentStateBadge deployment={deployment} />}
        details={
          <>
            <CommitLine commit={deployment} />
            {compareUrl && <ExternalLink href={compareUrl}>Compare</ExternalLink>}
          </>
        }
        actions={actions}
      />
      <PropertyStrip items={propertiesOf(deployment, organization)} />
    </div>
  );
}

function propertiesOf(deployment: DeploymentRecord, organization: number): Property[] {
  const { server, created_at: requestedAt, started_at: startedAt, ended_at: endedAt } = deployment;
  return [
    { label: "Requested by", value: <Initiator initiator={deployment.initiator} /> },
    {
      label: "Server",
      value: server.name && (
        <Link href={paths.server(organization, server.id)}>
          <span dir="auto">{server.name}</span>
        </Link>
      ),
    },
    { label: "Requested", value: <Time at={requestedAt} /> },
    { label: "Waited", value: <Between from={requestedAt} to={startedAt ?? endedAt} /> },
    { label: "Took", value: startedAt && <Between from={startedAt} to={endedAt} /> },
  ];
}

/** Until now, while it has no end. */
const Between = ({ from, to }: { from: string; to: string | null }) =>
  to === null ? <Duration since={from} /> : <Duration ms={Date.parse(to) - Date.parse(from)} />;
