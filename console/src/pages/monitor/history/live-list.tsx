import type { Deployment } from "../../../../../contract/types.ts";
import { useOrganization } from "../../../data/organization.ts";
import { CommitLine } from "../../../parts/commit-line.tsx";
import { kindNames } from "../../../parts/state-badge.tsx";
import { paths } from "../../../paths.ts";
import { type Column, SmallTable } from "../../../ui/small-table.tsx";
import { Time } from "../../../ui/time.tsx";

const most = 5;

const columns: readonly Column<Deployment>[] = [
  {
    id: "commit",
    label: "Deployments in this time",
    grow: true,
    render: (each) => <CommitLine commit={each} plain truncates />,
  },
  { id: "kind", label: "Kind", phone: "hidden", render: ({ process_type }) => kindNames[process_type] },
  { id: "at", label: "Ended", align: "end", render: ({ ended_at: at }) => at && <Time at={at} plain /> },
];

/** The newest of the deployments that are marked in the chart. */
export function LiveList({ deployments }: { deployments: readonly Deployment[] }) {
  const o = useOrganization();
  if (deployments.length === 0) return null;
  return (
    <SmallTable
      label="Deployments in this time"
      columns={columns}
      rows={deployments.slice(0, most)}
      rowKey={({ id }) => id}
      rowHref={({ id }) => paths.deployment(o, id)}
    />
  );
}
