import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Restriction } from "../../../../contract/types.ts";
import { projectNames } from "../../data/names.ts";
import { useOrganization } from "../../data/organization.ts";
import { projectsOn } from "../../data/reach.ts";
import { formatCount, formatNumber } from "../../ui/format.ts";

/** The most names of a preview. */
const mostNamed = 12;

/** The projects that a restriction reaches now, by name. */
export function ReachPreview({ value: { server_ids, project_ids } }: { value: Restriction }) {
  const o = useOrganization();
  const ofServers = useQuery({
    ...projectsOn(o, server_ids),
    enabled: server_ids.length > 0,
    placeholderData: keepPreviousData,
  });
  const further = useQuery({
    ...projectNames(o, project_ids.slice(0, 100)),
    enabled: project_ids.length > 0,
    placeholderData: keepPreviousData,
  });
  const onServers = server_ids.length > 0 ? ofServers.data : undefined;
  const alone = (project_ids.length > 0 ? (further.data?.data ?? []) : []).filter(
    ({ id, server }) => project_ids.includes(id) && !server_ids.includes(server.id),
  );
  const named = [...(onServers?.data ?? []), ...alone];
  const count = (onServers?.total_items ?? 0) + alone.length;
  if (server_ids.length === 0 && project_ids.length === 0) {
    return <p role="status">Nothing is chosen: the member reaches no server and no project.</p>;
  }
  return (
    <p role="status">
      {count === 0 ? "Reaches no project yet." : `Reaches ${formatCount(count, "project")}: `}
      {named.slice(0, mostNamed).map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <bdi className="font-medium">{name}</bdi>
        </span>
      ))}
      {count > mostNamed && ` and ${formatNumber(count - Math.min(named.length, mostNamed))} more`}
    </p>
  );
}
