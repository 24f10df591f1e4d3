import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError, messageOf } from "../api/errors.ts";
import { ErrorPanel } from "../ui/error-panel.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";

interface LoadedProps<Value> {
  query: UseQueryResult<Value, Error>;
  /** What could not be done if it fails: "The deployments could not be read." */
  what: string;
  /** As many as there usually are. */
  rows?: number;
  children: (value: Value) => ReactNode;
}

/** What a read gave. What was read before stays when a later read fails: the connection bar says that it may be old. */
export function Loaded<Value>({ query, what, rows, children }: LoadedProps<Value>) {
  const { data, error, isFetching } = query;
  if (data !== undefined) return children(data);
  if (error === null) return <SkeletonRows {...(rows !== undefined && { rows })} />;
  return (
    <ErrorPanel
      what={what}
      message={messageOf(error)}
      requestId={(error instanceof ApiError && error.requestId) || undefined}
      onRetry={() => void query.refetch()}
      isRetrying={isFetching}
    />
  );
}
