import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type LoaderFunctionArgs, Outlet } from "react-router";
import { ApiError, isStatus, messageOf } from "../../api/errors.ts";
import { prefetch } from "../../data/cache.ts";
import { useOrganization } from "../../data/organization.ts";
import { isWhole, server, type WholeServer } from "../../data/servers.ts";
import { hasGivenUp } from "../../parts/server-state/server-state.tsx";
import { type TitleState, useTitle } from "../../parts/use-title.ts";
import { paths } from "../../paths.ts";
import { ErrorPanel } from "../../ui/error-panel.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Skeleton, SkeletonRows } from "../../ui/skeleton.tsx";
import { ServerHeader } from "./header.tsx";
import { ServerProjects } from "./projects/server-projects.tsx";
import { useServerId } from "./use-server.ts";

export const loader = ({ params }: LoaderFunctionArgs) =>
  prefetch(server(Number(params.organization), Number(params.server)));

/** A server: what is true for all of its tabs, and the tab that the address names. */
export function Component(): ReactNode {
  const id = useServerId();
  const { data: reply, error, isFetching, refetch } = useQuery(server(useOrganization(), id));
  const record = reply?.data;
  useTitle(record?.name ?? "Server", record && isWhole(record) ? titleState(record) : undefined);
  if (record) return isWhole(record) ? <WholePage record={record} /> : <NamedPage id={id} name={record.name} />;
  return error ? <Unreadable error={error} isRetrying={isFetching} onRetry={() => void refetch()} /> : <Reading />;
}

const titleState = (record: WholeServer): TitleState | undefined =>
  record.state !== "provisioning" ? undefined : hasGivenUp(record) ? "failed" : "running";

const WholePage = ({ record }: { record: WholeServer }) => (
  <div className="flex min-w-0 flex-col gap-6">
    <ServerHeader server={record} />
    <Outlet context={record} key={record.id} />
  </div>
);

/** Of a server of which only projects are in reach, these are all there is to see. */
function NamedPage({ id, name }: { id: number; name: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <PageHeader title={name} parent={{ href: paths.servers(useOrganization()), label: "Servers" }} />
      <ServerProjects serverId={id} />
    </div>
  );
}

function Unreadable({ error, ...retrying }: { error: Error; isRetrying: boolean; onRetry: () => void }) {
  const parent = { href: paths.servers(useOrganization()), label: "Servers" };
  const isMissing = isStatus(error, 404);
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={isMissing ? "There is no such server" : "Server"} parent={parent} />
      {isMissing ? (
        <p className="text-text-2">It was deleted or transferred, or you cannot see it.</p>
      ) : (
        <ErrorPanel
          what="The server could not be read."
          message={messageOf(error)}
          requestId={(error instanceof ApiError && error.requestId) || undefined}
          {...retrying}
        />
      )}
    </div>
  );
}

const Reading = () => (
  <div className="flex flex-col gap-6">
    <div className="flex flex-col gap-3">
      <Skeleton className="h-7 w-60" />
      <Skeleton className="h-4 w-96 max-w-full" />
      <Skeleton className="h-9 w-full" />
    </div>
    <SkeletonRows rows={4} />
  </div>
);
