import { useMutation } from "@tanstack/react-query";
import { request } from "../api/client.ts";
import type { OrganizationId } from "../paths.ts";
import { cache, invalidate } from "./cache.ts";
import type { ProjectSummary } from "./projects.ts";

interface Page {
  data: readonly ProjectSummary[];
}

/** Pins a project, or takes the pin off: shown at once, and taken back if the API refuses it. */
export function usePin(organization: OrganizationId) {
  return useMutation({
    mutationFn: ({ id, is_pinned }: ProjectSummary) =>
      is_pinned
        ? request("DELETE /api/v1/projects/{id}/pin", { organization, params: { id } })
        : request("POST /api/v1/projects/{id}/pin", { organization, params: { id } }),
    onMutate: ({ id, is_pinned }) => show(organization, id, !is_pinned),
    onError: (_error, { id, is_pinned }) => show(organization, id, is_pinned),
    onSettled: () => invalidate([organization, "projects"], [organization, "project"]),
  });
}

function show(organization: OrganizationId, id: number, is_pinned: boolean): void {
  cache.setQueriesData<unknown>({ queryKey: [organization, "projects"] }, (read: unknown) =>
    isPage(read) ? { ...read, data: read.data.map((row) => (row.id === id ? { ...row, is_pinned } : row)) } : read,
  );
}

/** Among what is read of projects, lists have rows; counts have none. */
const isPage = (read: unknown): read is Page => Array.isArray((read as { data?: unknown } | undefined)?.data);
