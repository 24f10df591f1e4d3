import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type {
  Monitor as ApiMonitor,
  MonitorDetails as ApiMonitorDetails,
  MonitorEvent,
  MonitorHistory,
  Operations,
} from "../../../contract/types.ts";
import { request } from "../api/client.ts";
import type { OrganizationId } from "../paths.ts";
import { type Key, reading } from "./cache.ts";
import { type HistoryRange, historyRanges } from "./history-ranges.ts";

/** Without the address that jobs report to, which is a secret: it is read when one asks for it, and not kept. */
export type Monitor = Omit<ApiMonitor, "ping_url">;
export type MonitorDetails = Omit<ApiMonitorDetails, "ping_url">;
export type { MonitorEvent, MonitorHistory };
export type MonitorType = Monitor["type"];
export type MonitorStatus = Monitor["current_status"];
export type TargetType = Monitor["monitorable_type"];
export type MonitorFilter = Pick<
  NonNullable<Operations["GET /api/v1/monitors"]["query"]>,
  "q" | "type" | "status" | "project_id" | "server_id"
>;

const perPage = 100;

/** Those that match, page after page; those that are down first. */
export function monitors(organization: OrganizationId, filter: MonitorFilter) {
  const name = "GET /api/v1/monitors";
  const queryKey: Key = [organization, "monitors", null, "pages", filter];
  return infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam: page, signal }) => {
      const { data, ...rest } = await request(name, {
        query: { ...filter, page, per_page: perPage },
        organization,
        signal,
      });
      return { ...rest, data: data.map(withoutAddress) };
    },
    initialPageParam: 1,
    getNextPageParam: ({ current_page: page, total_pages: pages }) => (page < pages ? page + 1 : undefined),
  });
}

/** Those of a project: the first hundred. */
export function projectMonitors(organization: OrganizationId, id: number) {
  const queryKey: Key = [organization, "monitors", id, "GET /api/v1/monitors"];
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<Monitor[]> => {
      const query = { project_id: [id], per_page: perPage };
      return (await request("GET /api/v1/monitors", { query, organization, signal })).data.map(withoutAddress);
    },
  });
}

/** A monitor with what it watches and its newest events. */
export function monitor(organization: OrganizationId, id: number) {
  const name = "GET /api/v1/monitors/{id}";
  const queryKey: Key = [organization, "monitor", id, name];
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<MonitorDetails> => {
      const { data } = await request(name, { params: { id }, organization, signal });
      return withoutAddress(data);
    },
  });
}

const withoutAddress = <Record extends { ping_url?: string }>({ ping_url: _, ...record }: Record) => record;

/** The secret address to which the job of a heartbeat reports. */
export async function pingAddress(organization: OrganizationId, id: number): Promise<string> {
  const { data } = await request("GET /api/v1/monitors/{id}", { params: { id }, organization });
  return data.ping_url ?? "";
}

/** What monitors can watch, and the limits of the plan. */
export const monitorOptions = (o: OrganizationId) =>
  reading({ organization: o, noun: "monitor_options" }, "GET /api/v1/monitors/options");

/** The changes of its state, the newest first, page after page. */
export function monitorEvents(organization: OrganizationId, id: number) {
  const name = "GET /api/v1/monitors/{id}/events";
  const queryKey: Key = [organization, "monitor", id, name];
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      request(name, {
        params: { id },
        query: { per_page: 20, ...(pageParam && { before: pageParam }) },
        organization,
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next_before: before }) => before ?? undefined,
  });
}

const dayMs = 86_400_000;

/** Results, response times and states of a range. */
export function monitorHistory(organization: OrganizationId, id: number, range: HistoryRange) {
  const name = "GET /api/v1/monitors/{id}/history";
  const queryKey: Key = [organization, "monitor", id, name, range];
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<MonitorHistory> => {
      const { days, resolution } = historyRanges[range];
      const to = new Date();
      const query = { from: new Date(to.getTime() - days * dayMs).toISOString(), to: to.toISOString(), resolution };
      return (await request(name, { params: { id }, query, organization, signal })).data;
    },
  });
}

/** What became live in a range: the newest hundred. */
export function deploymentsIn(organization: OrganizationId, projectId: number, range: HistoryRange) {
  const name = "GET /api/v1/deployments";
  const queryKey: Key = [organization, "deployments", null, "range", projectId, range];
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - historyRanges[range].days * dayMs).toISOString();
      const query = { project_id: [projectId], status: ["success" as const], from, per_page: perPage };
      return (await request(name, { query, organization, signal })).data;
    },
  });
}
