import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import { Import, Plus } from "lucide-react";
import { type ReactNode, useCallback, useMemo } from "react";
import { type LoaderFunctionArgs, useSearchParams } from "react-router";
import { cache, waitShortly } from "../../data/cache.ts";
import { useMay } from "../../data/me.ts";
import { type Monitor, type MonitorFilter, monitors } from "../../data/monitors.ts";
import { useOrganization } from "../../data/organization.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { paths } from "../../paths.ts";
import { Empty } from "../../ui/empty.tsx";
import { ButtonLink, Link } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { filterIn, isFiltered, searchOf } from "./filters.ts";
import { MonitorFilters } from "./monitor-filters.tsx";
import { MonitorsGrid } from "./monitors-grid.tsx";
import { MonitorTabs } from "./tabs.tsx";
import { useProjects } from "./use-projects.ts";

export const loader = ({ params, request }: LoaderFunctionArgs) => {
  const filter = filterIn(new URL(request.url).searchParams);
  return waitShortly(cache.prefetchInfiniteQuery(monitors(Number(params.organization), filter)));
};

export function Component(): ReactNode {
  const [filter, setFilter] = useFilter();
  const list = useInfiniteQuery(monitors(useOrganization(), filter));
  const total = list.data?.pages[0]?.total_items;
  const isNone = total === 0 && !isFiltered(filter);
  useTitle("Monitors");
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <PageHeader title="Monitors" actions={!isNone && <Additions />} tabs={<MonitorTabs />} />
      {isNone ? (
        <None />
      ) : (
        <>
          <MonitorFilters filter={filter} onChange={setFilter} total={total} />
          <Rows list={list} />
        </>
      )}
    </div>
  );
}

/** The filter that the address names. Typing replaces the address, so that "back" leads to another page. */
function useFilter(): [MonitorFilter, (filter: MonitorFilter) => void] {
  const [search, setSearch] = useSearchParams();
  const filter = useMemo(() => filterIn(search), [search]);
  const setFilter = useCallback((next: MonitorFilter) => setSearch(searchOf(next), { replace: true }), [setSearch]);
  return [filter, setFilter];
}

interface Page {
  data: Monitor[];
  total_items: number;
}

function Rows({ list }: { list: UseInfiniteQueryResult<InfiniteData<Page>> }) {
  const projects = useProjects(list.data?.pages ?? []);
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data]);
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = list;
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
  return (
    <Loaded query={list} what="The monitors could not be read." rows={8}>
      {({ pages: [first] }) =>
        rows.length === 0 ? (
          <NoMatch />
        ) : (
          <MonitorsGrid rows={rows} total={first?.total_items ?? rows.length} projects={projects} onReachEnd={readOn} />
        )
      }
    </Loaded>
  );
}

function Additions() {
  const o = useOrganization();
  if (!useMay("monitor:manage")) return null;
  return (
    <>
      <ButtonLink href={paths.importMonitors(o)} icon={Import}>
        Import monitors
      </ButtonLink>
      <ButtonLink kind="primary" href={paths.newMonitor(o)} icon={Plus}>
        New monitor
      </ButtonLink>
    </>
  );
}

const None = () => (
  <Empty
    title="No monitors yet"
    action={
      <div className="flex flex-wrap gap-2">
        <Additions />
      </div>
    }
  >
    A health check requests an address every minute and reports when it fails; a heartbeat reports when a job did not
    run. Uptime and response times are kept.
  </Empty>
);

const NoMatch = () => (
  <Empty title="No monitor matches" action={<Link href="?">Clear filters</Link>}>
    Filters are combined: a monitor has to match each of them.
  </Empty>
);
