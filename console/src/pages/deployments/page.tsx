import { type ReactNode, useMemo } from "react";
import { useSearchParams } from "react-router";
import { useOrganization } from "../../data/organization.ts";
import { DeploymentTable } from "../../parts/deployment-table/deployment-table.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { paths } from "../../paths.ts";
import { Empty } from "../../ui/empty.tsx";
import { ButtonLink, Link } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { isFiltered, viewIn } from "./filters.ts";
import { DeploymentFilters } from "./filters-bar.tsx";

export function Component(): ReactNode {
  const organization = useOrganization();
  const [search] = useSearchParams();
  // A period ends when the address was opened: reads have to stay the same.
  const view = useMemo(() => viewIn(search, Date.now()), [search]);
  useTitle("Deployments");
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <PageHeader title="Deployments" />
      <DeploymentFilters view={view} />
      <DeploymentTable
        filter={view.filter}
        empty={isFiltered(view) ? <NoMatch /> : <None organization={organization} />}
      />
    </div>
  );
}

const None = ({ organization }: { organization: number }) => (
  <Empty
    title="No deployments yet"
    action={
      <ButtonLink kind="primary" href={paths.newProject(organization)}>
        New project
      </ButtonLink>
    }
  >
    A deployment builds a commit of a project and makes it live. The first one installs the project.
  </Empty>
);

const NoMatch = () => (
  <Empty title="No deployment matches" action={<Link href="?">Clear filters</Link>}>
    Filters are combined: a deployment has to match each of them.
  </Empty>
);
