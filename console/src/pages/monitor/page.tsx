import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type LoaderFunctionArgs, useParams } from "react-router";
import { ApiError, isStatus, messageOf } from "../../api/errors.ts";
import { prefetch } from "../../data/cache.ts";
import { useMay } from "../../data/me.ts";
import { type MonitorDetails, monitor } from "../../data/monitors.ts";
import { useOrganization } from "../../data/organization.ts";
import { useTitle } from "../../parts/use-title.ts";
import { paths } from "../../paths.ts";
import { ErrorPanel } from "../../ui/error-panel.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Skeleton, SkeletonRows } from "../../ui/skeleton.tsx";
import { DeleteSection } from "./delete-section.tsx";
import { EventsSection } from "./events/events-section.tsx";
import { MonitorFacts } from "./facts.tsx";
import { MonitorHeader } from "./header.tsx";
import { HistorySection } from "./history/history-section.tsx";
import { OutageNotice } from "./outage-notice.tsx";
import { ReportsSection } from "./reports/reports-section.tsx";
import { SettingsSection } from "./settings/settings-section.tsx";

export const loader = ({ params }: LoaderFunctionArgs) =>
  prefetch(monitor(Number(params.organization), Number(params.id)));

/** A monitor: whether it is up, what its checks found, what changed, and how it checks. */
export function Component(): ReactNode {
  const id = Number(useParams().id);
  const { data, error, isFetching, refetch } = useQuery(monitor(useOrganization(), id));
  useTitle(data?.name ?? "Monitor");
  // One that was deleted elsewhere is not shown any longer.
  if (data && !isStatus(error, 404)) return <Monitor key={id} record={data} />;
  return error ? (
    <Unreadable error={error} isRetrying={isFetching} onRetry={() => void refetch()} />
  ) : (
    <MonitorSkeleton />
  );
}

function Monitor({ record }: { record: MonitorDetails }) {
  return (
    <div className="flex flex-col gap-8">
      <div className="flex flex-col gap-4">
        <MonitorHeader monitor={record} />
        <OutageNotice monitor={record} />
        <MonitorFacts monitor={record} />
      </div>
      <HistorySection monitor={record} />
      <EventsSection monitor={record} />
      {record.type === "heartbeat" && <ReportsSection monitor={record} />}
      <SettingsSection monitor={record} />
      {useMay("monitor:manage") && <DeleteSection monitor={record} />}
    </div>
  );
}

function Unreadable({ error, ...retrying }: { error: Error; isRetrying: boolean; onRetry: () => void }) {
  const parent = { href: paths.monitors(useOrganization()), label: "Monitors" };
  const isMissing = isStatus(error, 404, 422);
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={isMissing ? "There is no such monitor" : "Monitor"} parent={parent} />
      {isMissing ? (
        <p className="text-text-2">It was deleted, or you cannot see it.</p>
      ) : (
        <ErrorPanel
          what="The monitor could not be read."
          message={messageOf(error)}
          requestId={(error instanceof ApiError && error.requestId) || undefined}
          {...retrying}
        />
      )}
    </div>
  );
}

function MonitorSkeleton() {
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-3">
        <Skeleton className="h-7 w-60" />
        <Skeleton className="h-4 w-96 max-w-full" />
        <Skeleton className="h-55 w-full" />
      </div>
      <SkeletonRows rows={4} />
    </div>
  );
}
