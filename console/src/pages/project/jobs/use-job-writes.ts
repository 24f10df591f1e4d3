import { useMutation } from "@tanstack/react-query";
import type { Operations } from "../../../../../contract/types.ts";
import { request } from "../../../api/client.ts";
import { invalidate } from "../../../data/cache.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useProject } from "../use-project.ts";
import { isScheduled, type Job } from "./job.ts";

type Update = Operations["PUT /api/v1/projects/{id}/scheduler-jobs/{jobId}"]["body"] &
  Operations["PUT /api/v1/projects/{id}/background-jobs/{jobId}"]["body"];
export type JobValues = Operations["POST /api/v1/projects/{id}/scheduler-jobs"]["body"] &
  Operations["POST /api/v1/projects/{id}/background-jobs"]["body"];

/** Scheduled and background jobs have addresses of their own; all else of writing them is the same. */
export function useJobWrites(job: Job) {
  const organization = useOrganization();
  const given = { organization, params: { id: job.project_id, jobId: job.id } };
  const options = useRefresh();
  const update = useMutation({
    ...options,
    mutationFn: (body: Update): Promise<unknown> =>
      isScheduled(job)
        ? request("PUT /api/v1/projects/{id}/scheduler-jobs/{jobId}", { ...given, body })
        : request("PUT /api/v1/projects/{id}/background-jobs/{jobId}", { ...given, body }),
  });
  const start = useMutation({
    ...options,
    mutationFn: () =>
      isScheduled(job)
        ? request("POST /api/v1/projects/{id}/scheduler-jobs/{jobId}/run", given)
        : request("POST /api/v1/projects/{id}/background-jobs/{jobId}/restart", given),
  });
  const remove = useMutation({
    ...options,
    mutationFn: (): Promise<unknown> =>
      isScheduled(job)
        ? request("DELETE /api/v1/projects/{id}/scheduler-jobs/{jobId}", given)
        : request("DELETE /api/v1/projects/{id}/background-jobs/{jobId}", given),
  });
  return { update, start, remove };
}

export function useJobCreation(kind: "scheduled" | "background") {
  const given = { organization: useOrganization(), params: { id: useProject().id } };
  return useMutation({
    ...useRefresh(),
    mutationFn: (body: JobValues): Promise<unknown> =>
      kind === "scheduled"
        ? request("POST /api/v1/projects/{id}/scheduler-jobs", { ...given, body })
        : request("POST /api/v1/projects/{id}/background-jobs", { ...given, body }),
  });
}

function useRefresh() {
  const organization = useOrganization();
  return { onSuccess: () => invalidate([organization, "jobs"], [organization, "project"]) };
}
