import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type ReactNode, useCallback, useMemo, useState } from "react";
import { type LoaderFunctionArgs, useSearchParams } from "react-router";
import { ApiError, messageOf } from "../../api/errors.ts";
import { prefetch } from "../../data/cache.ts";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { type ProjectList, useProjectList } from "../../data/project-list.ts";
import { projectFacets, projectPage } from "../../data/projects.ts";
import { useTitle } from "../../parts/use-title.ts";
import { paths } from "../../paths.ts";
import { Empty } from "../../ui/empty.tsx";
import { ErrorPanel } from "../../ui/error-panel.tsx";
import { ButtonLink, Link } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { BulkBar } from "./bulk/bulk-bar.tsx";
import { DeployDialog } from "./bulk/deploy-dialogs.tsx";
import { isFiltered, type ProjectView, searchOf, viewIn } from "./filters.ts";
import { useLook } from "./look.ts";
import { ProjectFilters } from "./project-filters.tsx";
import { ProjectsGrid } from "./projects-grid.tsx";
import { type Selection, useSelection } from "./use-selection.ts";

export const loader = ({ params, request }: LoaderFunctionArgs) => {
  const { filter, sort } = viewIn(new URL(request.url).searchParams);
  return prefetch(projectPage(Number(params.organization), filter, sort, 1));
};

/** All projects, however many: filtered by the address, and read where one looks. */
export function Component(): ReactNode {
  const o = useOrganization();
  const [view, setView] = useView();
  const list = useProjectList(o, view.filter, view.sort);
  const isNone = list.total === 0 && !list.isFormer && !isFiltered(view);
  useTitle("Projects");
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <PageHeader title="Projects" actions={!isNone && <NewProject />} />
      {isNone ? <None /> : <Projects list={list} view={view} onView={setView} />}
    </div>
  );
}

/** The view that the address names. Typing replaces the address, so that "back" leads to another page. */
function useView(): [ProjectView, (view: ProjectView) => void] {
  const [search, setSearch] = useSearchParams();
  const view = useMemo(() => viewIn(search), [search]);
  const setView = useCallback(
    (next: ProjectView) => {
      const given = Object.entries(searchOf(next)).filter(([, value]) => value !== undefined);
      setSearch(Object.fromEntries(given) as Record<string, string>, { replace: true });
    },
    [setSearch],
  );
  return [view, setView];
}

interface ProjectsProps {
  list: ProjectList;
  view: ProjectView;
  onView: (view: ProjectView) => void;
}

function Projects({ list, view, onView }: ProjectsProps) {
  const [look, setLook] = useLook();
  const selection = useSelection(view);
  const mayDeploy = useMay("deployment:create");
  const mayChange = useMay("project:update") || mayDeploy;
  const [deployed, setDeployed] = useState<readonly number[]>();
  const groupName = useGroupName();
  const { total } = list;
  return (
    <>
      <ProjectFilters view={view} onChange={onView} look={look} onLook={setLook} total={total} />
      {selection.ids.size > 0 && <BulkBar selection={selection} matching={total ?? 0} />}
      {total === undefined ? (
        <Reading list={list} />
      ) : total === 0 ? (
        <NoMatch />
      ) : (
        <ProjectsGrid
          list={list}
          total={total}
          view={view}
          look={look}
          groupName={groupName}
          selection={mayChange ? selection : undefined}
          onDeploy={mayDeploy ? (id) => setDeployed(selection.ids.size > 0 ? [...selection.ids] : [id]) : undefined}
          onSort={(sort) => onView({ ...view, sort })}
        />
      )}
      {deployed && <Deploying ids={deployed} onEnd={() => setDeployed(undefined)} selection={selection} />}
    </>
  );
}

/** By the key `d`. */
const Deploying = ({ ids, onEnd, selection }: { ids: readonly number[]; onEnd: () => void; selection: Selection }) => (
  <DeployDialog
    ids={ids}
    isOpen
    onClose={onEnd}
    onDone={() => {
      onEnd();
      selection.clear();
    }}
  />
);

/** Names of groups, of those that have projects. */
function useGroupName(): (id: number) => string | undefined {
  const groups = useQuery(projectFacets(useOrganization(), {})).data?.data.project_groups;
  return useMemo(() => {
    const names = new Map(groups?.map(({ id, name }) => [id, name ?? undefined]));
    return (id) => names.get(id);
  }, [groups]);
}

function Reading({ list: { error, isReading, readAgain } }: { list: ProjectList }) {
  if (!error) return <SkeletonRows rows={12} label="Reading the projects" />;
  return (
    <ErrorPanel
      what="The projects could not be read."
      message={messageOf(error)}
      requestId={(error instanceof ApiError && error.requestId) || undefined}
      onRetry={readAgain}
      isRetrying={isReading}
    />
  );
}

function NewProject() {
  const o = useOrganization();
  if (!useMay("project:create")) return null;
  return (
    <ButtonLink kind="primary" href={paths.newProject(o)} icon={Plus}>
      New project
    </ButtonLink>
  );
}

const None = () => (
  <Empty title="No projects yet" action={<NewProject />}>
    A project is a website or an application: a git repository or an app of the catalog, on one of your servers, with
    its domains, its environment variables and its jobs. Each deployment makes a commit of it live.
  </Empty>
);

const NoMatch = () => (
  <Empty title="No project matches" action={<Link href="?">Clear filters</Link>}>
    Filters are combined: a project has to match each of them.
  </Empty>
);
