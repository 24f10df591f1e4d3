import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Deployment, ProjectReply } from "../../../../../contract/types.ts";
import { deployments } from "../../../data/deployments.ts";
import { useOrganization } from "../../../data/organization.ts";
import { CommitLine } from "../../../parts/commit-line.tsx";
import { Initiator } from "../../../parts/initiator.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { DeploymentStateBadge } from "../../../parts/state-badge.tsx";
import { paths } from "../../../paths.ts";
import { Link } from "../../../ui/link.tsx";
import { Section } from "../../../ui/section.tsx";
import { type Column, SmallTable } from "../../../ui/small-table.tsx";
import { Time } from "../../../ui/time.tsx";

const most = 5;

const columns: readonly Column<Deployment>[] = [
  {
    id: "commit",
    label: "Deployment",
    grow: true,
    render: (deployment) => <CommitLine commit={deployment} plain truncates />,
  },
  { id: "state", label: "State", render: (deployment) => <DeploymentStateBadge deployment={deployment} /> },
  { id: "by", label: "Started by", phone: "hidden", render: ({ initiator }) => <Initiator initiator={initiator} /> },
  { id: "at", label: "Requested", align: "end", render: ({ created_at }) => <Time at={created_at} plain /> },
];

/** The same read as of the tab Deployments, which then has them at once. */
export function LatestDeployments({ project: { id } }: { project: ProjectReply }) {
  const o = useOrganization();
  const filter = useMemo(() => ({ project_id: [id] }), [id]);
  const list = useInfiniteQuery(deployments(o, filter));
  return (
    <Section
      title="Latest deployments"
      actions={<Link href={paths.project(o, id, "deployments")}>All deployments</Link>}
    >
      <Loaded query={list} what="The deployments could not be read.">
        {({ pages: [newest] }) => <Latest deployments={newest?.data.slice(0, most) ?? []} />}
      </Loaded>
    </Section>
  );
}

function Latest({ deployments: rows }: { deployments: readonly Deployment[] }) {
  const o = useOrganization();
  if (rows.length === 0) return <p className="text-text-2">It was not deployed yet.</p>;
  return (
    <SmallTable
      label="Latest deployments"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      rowHref={({ id }) => paths.deployment(o, id)}
    />
  );
}
