import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type LoaderFunctionArgs, Outlet } from "react-router";
import { ApiError, isStatus, messageOf } from "../../api/errors.ts";
import { prefetch } from "../../data/cache.ts";
import { useOrganization } from "../../data/organization.ts";
import { project } from "../../data/projects.ts";
import { useTitle } from "../../parts/use-title.ts";
import { paths } from "../../paths.ts";
import { ErrorPanel } from "../../ui/error-panel.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Skeleton, SkeletonRows } from "../../ui/skeleton.tsx";
import { ProjectHeader } from "./header.tsx";
import { useProjectId } from "./use-project.ts";

export const loader = ({ params }: LoaderFunctionArgs) =>
  prefetch(project(Number(params.organization), Number(params.project)));

/** A project: what is true for all of its tabs, and the tab that the address names. */
export function Component(): ReactNode {
  const organization = useOrganization();
  const id = useProjectId();
  const { data, error, isFetching, refetch } = useQuery(project(organization, id));
  useTitle(data?.name ?? "Project");
  if (data) {
    return (
      <div className="flex flex-col gap-6">
        <ProjectHeader project={data} />
        <Outlet context={data} key={id} />
      </div>
    );
  }
  return error ? (
    <Unreadable error={error} isRetrying={isFetching} onRetry={() => void refetch()} />
  ) : (
    <ProjectSkeleton />
  );
}

function Unreadable({ error, ...retrying }: { error: Error; isRetrying: boolean; onRetry: () => void }) {
  const parent = { href: paths.projects(useOrganization()), label: "Projects" };
  const isMissing = isStatus(error, 404);
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={isMissing ? "There is no such project" : "Project"} parent={parent} />
      {isMissing ? (
        <p className="text-text-2">It was deleted, or you cannot see it.</p>
      ) : (
        <ErrorPanel
          what="The project could not be read."
          message={messageOf(error)}
          requestId={(error instanceof ApiError && error.requestId) || undefined}
          {...retrying}
        />
      )}
    </div>
  );
}

function ProjectSkeleton() {
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-3">
        <Skeleton className="h-7 w-60" />
        <Skeleton className="h-4 w-96 max-w-full" />
        <Skeleton className="h-9 w-full" />
      </div>
      <SkeletonRows rows={4} />
    </div>
  );
}
