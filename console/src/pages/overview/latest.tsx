import type { UseQueryResult } from "@tanstack/react-query";
import type { Deployment, DeploymentSlice } from "../../../../contract/types.ts";
import { useOrganization } from "../../data/organization.ts";
import { CommitLine } from "../../parts/commit-line.tsx";
import { Initiator } from "../../parts/initiator.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { DeploymentStateBadge } from "../../parts/state-badge.tsx";
import { paths } from "../../paths.ts";
import { Link } from "../../ui/link.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, SmallTable } from "../../ui/small-table.tsx";
import { Time } from "../../ui/time.tsx";

/** The deployments that were requested last. */
export function Latest({ query }: { query: UseQueryResult<DeploymentSlice, Error> }) {
  const o = useOrganization();
  return (
    <Section title="Latest deployments" actions={<Link href={paths.deployments(o)}>All deployments</Link>}>
      <Loaded query={query} what="The deployments could not be read." rows={8}>
        {({ data }) => <LatestTable deployments={data} />}
      </Loaded>
    </Section>
  );
}

const columns: readonly Column<Deployment>[] = [
  { id: "project", label: "Project", render: ({ project }) => <ProjectName name={project.name} /> },
  { id: "state", label: "State", render: (deployment) => <DeploymentStateBadge deployment={deployment} /> },
  {
    id: "commit",
    label: "Commit",
    grow: true,
    phone: "hidden",
    render: (deployment) => <CommitLine commit={deployment} plain truncates />,
  },
  { id: "by", label: "By", phone: "hidden", render: ({ initiator }) => <Initiator initiator={initiator} /> },
  { id: "at", label: "When", align: "end", render: ({ created_at }) => <Time plain at={created_at} /> },
];

function ProjectName({ name }: { name: string }) {
  return (
    <span dir="auto" className="block truncate sm:w-48">
      {name}
    </span>
  );
}

export function LatestTable({ deployments }: { deployments: readonly Deployment[] }) {
  const o = useOrganization();
  return (
    <SmallTable
      label="Latest deployments"
      columns={columns}
      rows={deployments}
      rowKey={({ id }) => id}
      rowHref={({ id }) => paths.deployment(o, id)}
    />
  );
}
