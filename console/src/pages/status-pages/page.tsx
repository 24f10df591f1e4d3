import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { LoaderFunctionArgs } from "react-router";
import type { StatusPagePage } from "../../../../contract/types.ts";
import { prefetch } from "../../data/cache.ts";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { pageNumberIn, usePageNumber } from "../../data/page-number.ts";
import { statusPages } from "../../data/status-pages.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { paths } from "../../paths.ts";
import { Empty } from "../../ui/empty.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { PageLinks } from "../../ui/page-links.tsx";
import { MonitorTabs } from "../monitors/tabs.tsx";
import { NewStatusPage } from "./new-status-page.tsx";
import { StatusPageTable } from "./status-page-table.tsx";

export const loader = ({ params, request }: LoaderFunctionArgs) =>
  prefetch(statusPages(Number(params.organization), pageNumberIn(new URL(request.url).searchParams)));

/** `…/monitors/status-pages`: what the public sees of the monitors. */
export function Component(): ReactNode {
  const page = usePageNumber();
  const query = useQuery({ ...statusPages(useOrganization(), page), placeholderData: keepPreviousData });
  const mayManage = useMay("monitor:manage");
  const isNone = query.data?.total_items === 0;
  useTitle("Status pages");
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <PageHeader
        title="Status pages"
        tabs={<MonitorTabs />}
        actions={mayManage && !isNone && <NewStatusPage kind="primary" />}
      />
      <Loaded query={query} what="The status pages could not be read." rows={3}>
        {(list) => (isNone ? <NoStatusPages mayManage={mayManage} /> : <List list={list} page={page} />)}
      </Loaded>
    </div>
  );
}

function List({ list, page }: { list: StatusPagePage; page: number }) {
  const o = useOrganization();
  return (
    <>
      <StatusPageTable pages={list.data} hrefOf={({ id }) => paths.statusPage(o, id)} />
      <PageLinks href={paths.statusPages(o)} page={page} pages={list.total_pages} />
    </>
  );
}

const NoStatusPages = ({ mayManage }: { mayManage: boolean }) => (
  <Empty title="No status pages yet" action={mayManage && <NewStatusPage kind="primary" />}>
    A public page with the state of chosen monitors, their last 90 days and what you write about incidents. Visitors see
    the names that you give the monitors, and nothing else of the organization.
  </Empty>
);
