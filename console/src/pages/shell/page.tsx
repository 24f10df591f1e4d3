import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Outlet } from "react-router";
import { isStatus } from "../../api/errors.ts";
import { useLiveData } from "../../data/live.ts";
import { me } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { SkipLink } from "../../ui/skip-link.tsx";
import { NotFound } from "../not-found/not-found.tsx";
import { BarePage } from "../root/bare-page.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { ConnectionBar } from "./connection-bar.tsx";
import { Header } from "./header.tsx";
import { ShellDialogs } from "./shell-dialogs.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useDeploymentReports } from "./use-deployment-reports.ts";
import { useRecentRecord } from "./use-recent-record.ts";
import { VersionBar } from "./version-bar.tsx";

/** What the pages of an organization are in: navigation, live data, keys. */
export function Component(): ReactNode {
  const organization = useOrganization();
  useLiveData(organization);
  useRecentRecord(organization);
  useDeploymentReports(organization);
  const { error } = useQuery(me(organization));
  // The membership ended while the page was open.
  if (isStatus(error, 403, 404)) {
    return (
      <BarePage>
        <NotFound />
      </BarePage>
    );
  }
  return (
    <ShellDialogs>
      <SkipLink />
      <div className="min-h-dvh md:grid md:grid-cols-[13.5rem_minmax(0,1fr)]">
        <Sidebar />
        <div className="flex min-w-0 flex-col pb-[var(--below,0px)]">
          <Header />
          <ConnectionBar />
          <VersionBar />
          <main
            id="main"
            tabIndex={-1}
            className="mx-auto w-full max-w-320 grow px-4 pt-4 pb-(--page-end) outline-none sm:px-6 sm:pt-6"
          >
            <Outlet />
          </main>
        </div>
      </div>
      <BottomBar />
    </ShellDialogs>
  );
}
