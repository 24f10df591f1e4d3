import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import type { LoaderFunctionArgs } from "react-router";
import type { ProjectReply } from "../../../../../contract/types.ts";
import { sentenceOf } from "../../../api/errors.ts";
import { prefetchOf } from "../../../data/cache.ts";
import { useMay } from "../../../data/me.ts";
import { projectMonitors } from "../../../data/monitors.ts";
import { useOrganization } from "../../../data/organization.ts";
import { project } from "../../../data/projects.ts";
import { useWrite } from "../../../data/write.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { MonitorTable } from "../../../parts/monitor/monitor-table.tsx";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/button.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { ButtonLink } from "../../../ui/link.tsx";
import { Section } from "../../../ui/section.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { useProject } from "../use-project.ts";

export const loader = ({ params }: LoaderFunctionArgs) => {
  const [o, id] = [Number(params.organization), Number(params.project)];
  return prefetchOf(project(o, id), projectMonitors(o, id));
};

/** What watches a project and its jobs. */
export function Component(): ReactNode {
  const [o, project] = [useOrganization(), useProject()];
  const monitors = useQuery(projectMonitors(o, project.id));
  const mayManage = useMay("monitor:manage");
  return (
    <Section
      title="Monitors"
      description="Of the project, its domains and its jobs."
      actions={
        mayManage && (
          <ButtonLink href={paths.newMonitor(o, { project: project.id })} icon={Plus}>
            New monitor
          </ButtonLink>
        )
      }
    >
      <Loaded query={monitors} what="The monitors could not be read." rows={2}>
        {(rows) => (rows.length === 0 ? <None project={project} /> : <MonitorTable monitors={rows} />)}
      </Loaded>
    </Section>
  );
}

const None = ({ project }: { project: ProjectReply }) => (
  <Empty title="Nothing watches this project" action={useMay("monitor:manage") && <Watch project={project} />}>
    A monitor requests <bdi className="[overflow-wrap:anywhere]">{project.url}</bdi> every minute, and reports when it
    is down or its certificate is about to expire.
  </Empty>
);

/** A health check of the project's address, with the defaults of the plan. */
function Watch({ project: { id, name, url } }: { project: ProjectReply }) {
  const create = useWrite("POST /api/v1/monitors", {
    touches: ["monitors"],
    onDone: ({ message }) => void showToast({ text: message, tone: "ok" }),
  });
  const watch = () =>
    create.mutate({
      body: { type: "http", name, monitorable_type: "App\\Models\\Project", monitorable_id: id, config: { url } },
    });
  const refusal = sentenceOf(create.error);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button kind="primary" onPress={watch} isPending={create.isPending}>
        Watch this project
      </Button>
      {refusal && (
        <p role="alert" className="text-bad">
          {refusal}
        </p>
      )}
    </div>
  );
}
