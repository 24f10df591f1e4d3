import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback, useMemo } from "react";
import type { Deployment } from "../../../../contract/types.ts";
import { ApiError, messageOf } from "../../api/errors.ts";
import { type DeploymentFilter, deployments } from "../../data/deployments.ts";
import { useOrganization } from "../../data/organization.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorPanel } from "../../ui/error-panel.tsx";
import { Notice } from "../../ui/notice.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { VirtualGrid } from "../../ui/virtual-grid.tsx";
import { allColumns, projectColumns } from "./columns.tsx";
import { DeploymentMenu } from "./row-menu.tsx";

export interface DeploymentTableProps {
  filter: DeploymentFilter;
  /** All are of the same project, which no column names. */
  isOfProject?: boolean;
  /** In place of a list without rows. */
  empty: ReactNode;
}

const keyOf = ({ id }: Deployment): number => id;
const actionsOf = (deployment: Deployment) => <DeploymentMenu deployment={deployment} />;

/** Deployments, the newest first, as far back as one scrolls; those under way change as events arrive. */
export function DeploymentTable({ filter, isOfProject = false, empty }: DeploymentTableProps) {
  const organization = useOrganization();
  const list = useInfiniteQuery(deployments(organization, filter));
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data]);
  const href = useCallback(({ id }: Deployment) => paths.deployment(organization, id), [organization]);
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = list;
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
  if (list.isPending) return <SkeletonRows rows={12} label="Reading the deployments" />;
  if (rows.length === 0 && list.error) return <Failure error={list.error} onRetry={() => void list.refetch()} />;
  if (rows.length === 0 && hasNextPage) return <SearchFurther onPress={readOn} isPending={isFetchingNextPage} />;
  if (rows.length === 0) return empty;
  return (
    <VirtualGrid
      label="Deployments"
      columns={isOfProject ? projectColumns : allColumns}
      rows={rows}
      rowKey={keyOf}
      rowHref={href}
      actions={actionsOf}
      onReachEnd={readOn}
    />
  );
}

function Failure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <ErrorPanel
      what="The deployments could not be read."
      message={messageOf(error)}
      requestId={(error instanceof ApiError && error.requestId) || undefined}
      onRetry={onRetry}
    />
  );
}

/** A text that no index finds is searched in steps. */
function SearchFurther({ onPress, isPending }: { onPress: () => void; isPending: boolean }) {
  return (
    <Notice
      action={
        <Button compact onPress={onPress} isPending={isPending}>
          Search older deployments
        </Button>
      }
    >
      None of the newest deployments match.
    </Notice>
  );
}
