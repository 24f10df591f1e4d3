import { useQuery } from "@tanstack/react-query";
import type { ProjectReply } from "../../../../../contract/types.ts";
import { projectMonitors } from "../../../data/monitors.ts";
import { useOrganization } from "../../../data/organization.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { MonitorTable } from "../../../parts/monitor/monitor-table.tsx";
import { paths } from "../../../paths.ts";
import { Link } from "../../../ui/link.tsx";
import { Section } from "../../../ui/section.tsx";

export function MonitorsSection({ project: { id } }: { project: ProjectReply }) {
  const o = useOrganization();
  const monitors = useQuery(projectMonitors(o, id));
  return (
    <Section title="Monitors" actions={<Link href={paths.project(o, id, "monitors")}>All monitors</Link>}>
      <Loaded query={monitors} what="The monitors could not be read." rows={2}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="text-text-2">Nothing watches this project.</p>
          ) : (
            <MonitorTable monitors={rows} />
          )
        }
      </Loaded>
    </Section>
  );
}
