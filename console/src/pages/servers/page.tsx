import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type ReactNode, useCallback, useMemo } from "react";
import { type LoaderFunctionArgs, useSearchParams } from "react-router";
import type { ServerPage } from "../../../../contract/types.ts";
import { ApiError, messageOf } from "../../api/errors.ts";
import { cache, waitShortly } from "../../data/cache.ts";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { providers, servers } from "../../data/servers.ts";
import { useTitle } from "../../parts/use-title.ts";
import { paths } from "../../paths.ts";
import { Empty } from "../../ui/empty.tsx";
import { ErrorPanel } from "../../ui/error-panel.tsx";
import { ButtonLink, Link } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import type { ProviderNames } from "./columns.tsx";
import { isFiltered, type ServerView, searchOf, viewIn } from "./filters.ts";
import { ServerFilters } from "./server-filters.tsx";
import { ServersGrid } from "./servers-grid.tsx";

export const loader = ({ params, request }: LoaderFunctionArgs) => {
  const { filter, sort } = viewIn(new URL(request.url).searchParams);
  return waitShortly(cache.prefetchInfiniteQuery(servers(Number(params.organization), filter, sort)));
};

export function Component(): ReactNode {
  const o = useOrganization();
  const [view, setView] = useView();
  const list = useInfiniteQuery(servers(o, view.filter, view.sort));
  const total = list.data?.pages[0]?.total_items;
  const names = useProviderNames();
  const isNone = total === 0 && !isFiltered(view);
  useTitle("Servers");
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <PageHeader title="Servers" actions={!isNone && <ConnectServer />} />
      {isNone ? (
        <None />
      ) : (
        <>
          <ServerFilters view={view} onChange={setView} names={names} total={total} />
          <Rows list={list} view={view} onView={setView} names={names} />
        </>
      )}
    </div>
  );
}

/** The view that the address names. Typing replaces the address, so that "back" leads to another page. */
function useView(): [ServerView, (view: ServerView) => void] {
  const [search, setSearch] = useSearchParams();
  const view = useMemo(() => viewIn(search), [search]);
  const setView = useCallback((next: ServerView) => setSearch(searchOf(next), { replace: true }), [setSearch]);
  return [view, setView];
}

/** The names of the providers that the organization has accounts at. */
function useProviderNames(): ProviderNames {
  const known = useQuery(providers(useOrganization())).data?.data;
  return useMemo(() => new Map(known?.map(({ provider_type: type, label }) => [type, label])), [known]);
}

interface RowsProps {
  list: UseInfiniteQueryResult<InfiniteData<ServerPage>>;
  view: ServerView;
  onView: (view: ServerView) => void;
  names: ProviderNames;
}

function Rows({ list, view, onView, names }: RowsProps) {
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data]);
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = list;
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
  if (!rows) return list.error ? <Failure list={list} /> : <SkeletonRows rows={8} label="Reading the servers" />;
  if (rows.length === 0) return <NoMatch />;
  return (
    <ServersGrid
      rows={rows}
      total={list.data?.pages[0]?.total_items ?? rows.length}
      sort={view.sort}
      onSort={(sort) => onView({ ...view, sort })}
      names={names}
      onReachEnd={readOn}
    />
  );
}

const Failure = ({ list: { error, refetch, isFetching } }: Pick<RowsProps, "list">) => (
  <ErrorPanel
    what="The servers could not be read."
    message={messageOf(error)}
    requestId={(error instanceof ApiError && error.requestId) || undefined}
    onRetry={() => void refetch()}
    isRetrying={isFetching}
  />
);

/** The page of a new server also orders them. */
function ConnectServer() {
  const o = useOrganization();
  if (!useMay("server:create")) return null;
  return (
    <ButtonLink kind="primary" href={paths.newServer(o)} icon={Plus}>
      Connect server
    </ButtonLink>
  );
}

const None = () => (
  <Empty title="No servers yet" action={<ConnectServer />}>
    Projects run on your own servers. Connect a machine that you have, or order one from a cloud provider: Longshore
    sets it up with web server, database, firewall and updates.
  </Empty>
);

const NoMatch = () => (
  <Empty title="No server matches" action={<Link href="?">Clear filters</Link>}>
    Filters are combined: a server has to match each of them.
  </Empty>
);
