import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Deployment, DeploymentReply, Operations } from "../../../contract/types.ts";
import { request } from "../api/client.ts";
import type { OrganizationId } from "../paths.ts";
import { type Key, reading } from "./cache.ts";

export type DeploymentState = "queued" | "success" | "failed" | "running" | "cancelling" | "cancelled";
export type DeploymentRecord = Omit<DeploymentReply, "output">;
export type DeploymentFilter = Omit<
  NonNullable<Operations["GET /api/v1/deployments"]["query"]>,
  "organization" | "before" | "per_page"
>;

const states: Record<Deployment["status"], DeploymentState> = {
  0: "queued",
  1: "success",
  2: "failed",
  3: "running",
  4: "cancelling",
  5: "cancelled",
};

/** The API's word for a deployment's status. */
export const deploymentState = ({ status }: Pick<Deployment, "status">): DeploymentState => states[status];

export const hasEnded = ({ status }: Pick<Deployment, "status">): boolean => [1, 2, 5].includes(status);

/** A deployment with its steps; the log is read by itself, and not kept with the record. */
export function deployment(organization: OrganizationId, id: number) {
  const name = "GET /api/v1/deployments/{id}";
  const queryKey: Key = [organization, "deployment", id, name];
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<DeploymentRecord> => {
      const { output: _, ...record } = await request(name, { params: { id }, organization, signal });
      return record;
    },
  });
}

/** What can be done to it now, and why not. */
export const deploymentActions = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "deployment", id }, "GET /api/v1/deployments/{id}/actions", { params: { id } });

const perPage = 50;

/** Those that match, the newest first, page after page. */
export function deployments(organization: OrganizationId, filter: DeploymentFilter) {
  const name = "GET /api/v1/deployments";
  const queryKey: Key = [organization, "deployments", null, name, filter];
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      request(name, {
        query: { ...filter, per_page: perPage, ...(pageParam && { before: pageParam }) },
        organization,
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next_before: before }) => before ?? undefined,
  });
}
