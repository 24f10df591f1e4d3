import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type LoaderFunctionArgs, useSearchParams } from "react-router";
import { prefetch } from "../../data/cache.ts";
import { useMay } from "../../data/me.ts";
import { monitorOptions } from "../../data/monitors.ts";
import { projectNames, projectsNamed } from "../../data/names.ts";
import { useOrganization } from "../../data/organization.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { paths } from "../../paths.ts";
import { Empty } from "../../ui/empty.tsx";
import { ButtonLink } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { NewMonitorForm } from "./new-monitor-form.tsx";

/** The project that the address names: `?project=7`. */
const projectIn = (search: URLSearchParams): number => Number(search.get("project")) || 0;

export const loader = ({ params, request }: LoaderFunctionArgs) => {
  const o = Number(params.organization);
  const id = projectIn(new URL(request.url).searchParams);
  return prefetch(monitorOptions(o), projectsNamed(o, ""), ...(id > 0 ? [projectNames(o, [id])] : []));
};

export function Component(): ReactNode {
  const o = useOrganization();
  useTitle("New monitor");
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <PageHeader title="New monitor" parent={{ href: paths.monitors(o), label: "Monitors" }} />
      {useMay("monitor:manage") ? (
        <Begin />
      ) : (
        <p className="text-text-2">Your role in this organization does not allow to add monitors.</p>
      )}
    </div>
  );
}

function Begin() {
  const o = useOrganization();
  const id = projectIn(useSearchParams()[0]);
  const options = useQuery(monitorOptions(o));
  const project = useQuery({ ...projectNames(o, [id]), enabled: id > 0 });
  const projects = useQuery(projectsNamed(o, "")).data;
  if (project.isLoading) return null;
  if (projects?.total_items === 0) return <NoProjects />;
  return (
    <Loaded query={options} what="The kinds of monitors could not be read.">
      {({ data }) => <NewMonitorForm options={data} project={project.data?.data[0]} />}
    </Loaded>
  );
}

function NoProjects() {
  const action = (
    <ButtonLink kind="primary" href={paths.newProject(useOrganization())}>
      New project
    </ButtonLink>
  );
  return (
    <Empty title="There is nothing to watch yet" action={useMay("project:create") && action}>
      A monitor watches a project, one of its domains or one of its jobs. Create a project first.
    </Empty>
  );
}
