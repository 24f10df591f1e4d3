import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { LoaderFunctionArgs } from "react-router";
import type { MaintenanceWindowPage } from "../../../../contract/types.ts";
import { prefetch } from "../../data/cache.ts";
import { maintenanceWindows } from "../../data/maintenance-windows.ts";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { pageNumberIn, usePageNumber } from "../../data/page-number.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { PageLinks } from "../../ui/page-links.tsx";
import { MonitorTabs } from "../monitors/tabs.tsx";
import { useTargetNames } from "./use-target-names.ts";
import { msUntilChange } from "./window.ts";
import { type Opened, WindowDialogs } from "./window-dialogs.tsx";
import { WindowSections } from "./window-sections.tsx";

export const loader = ({ params, request }: LoaderFunctionArgs) =>
  prefetch(maintenanceWindows(Number(params.organization), pageNumberIn(new URL(request.url).searchParams)));

/** `…/monitors/windows`: when monitors do not count failures. */
export function Component(): ReactNode {
  const page = usePageNumber();
  const query = useWindows(page);
  const [opened, setOpened] = useState<Opened>();
  const mayManage = useMay("monitor:manage");
  const plan = mayManage && (
    <Button kind="primary" onPress={() => setOpened({ kind: "plan" })}>
      Plan maintenance
    </Button>
  );
  const isNone = query.data?.total_items === 0;
  useTitle("Maintenance");
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <PageHeader title="Maintenance" tabs={<MonitorTabs />} actions={!isNone && plan} />
      <Loaded query={query} what="The maintenance windows could not be read." rows={4}>
        {(list) =>
          isNone ? (
            <NoWindows plan={plan} />
          ) : (
            <List list={list} page={page} onOpen={mayManage ? setOpened : undefined} />
          )
        }
      </Loaded>
      <WindowDialogs opened={opened} onClose={() => setOpened(undefined)} />
    </div>
  );
}

function useWindows(page: number) {
  return useQuery({
    ...maintenanceWindows(useOrganization(), page),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data ? msUntilChange(state.data.data, Date.now()) : false),
  });
}

interface ListProps {
  list: MaintenanceWindowPage;
  page: number;
  onOpen: ((opened: Opened) => void) | undefined;
}

function List({ list, page, onOpen }: ListProps) {
  const names = useTargetNames();
  return (
    <>
      <WindowSections windows={list.data} names={names} onOpen={onOpen} />
      <PageLinks href={paths.maintenanceWindows(useOrganization())} page={page} pages={list.total_pages} />
    </>
  );
}

const NoWindows = ({ plan }: { plan: ReactNode }) => (
  <Empty title="No maintenance is planned" action={plan}>
    While a window is open, its monitors count neither as up nor as down, and no notices are sent: for an upgrade
    tonight, or for the hour each Sunday in which backups run.
  </Empty>
);
