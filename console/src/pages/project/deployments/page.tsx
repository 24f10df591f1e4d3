import { type ReactNode, useMemo } from "react";
import { DeploymentTable } from "../../../parts/deployment-table/deployment-table.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { useProject } from "../use-project.ts";

/** All deployments of the project, the newest first. */
export function Component(): ReactNode {
  const { id } = useProject();
  const filter = useMemo(() => ({ project_id: [id] }), [id]);
  return (
    <DeploymentTable
      filter={filter}
      isOfProject
      empty={
        <Empty title="No deployments yet">The first one installs the project on its server and makes it live.</Empty>
      }
    />
  );
}
