import { infiniteQueryOptions } from "@tanstack/react-query";
import type { Operations, Server, Setup, ThisMachine, WholeServer } from "../../../contract/types.ts";
import { request } from "../api/client.ts";
import type { OrganizationId } from "../paths.ts";
import { type Key, reading } from "./cache.ts";

type ListQuery = NonNullable<Operations["GET /api/v1/servers"]["query"]>;

export type { ThisMachine, WholeServer };
export type ServerState = WholeServer["state"];
export type ServerType = WholeServer["server_type"];
export type ProviderType = WholeServer["provider_type"];
export type SetupState = Setup["state"];
export type ServerSort = NonNullable<ListQuery["sort"]>;
export type ServerFilter = Pick<ListQuery, "q" | "server_type" | "state" | "provider_type">;

/** The types of servers, as the API documents them. */
export const serverTypes: Record<ServerType, string> = {
  0: "App",
  1: "Database",
  2: "Cache",
  3: "Search",
  4: "Load Balancer",
};

/** False for a server of which only a project is in reach: it has a name and no more. */
export const isWhole = (server: Server): server is WholeServer => "state" in server;

/** How often a server is measured. No event announces it: it would be one a minute for each server, kept for days. */
const measuredEveryMs = 60_000;

export const server = (o: OrganizationId, id: number) => ({
  ...reading({ organization: o, noun: "server", id }, "GET /api/v1/servers/{id}", { params: { id } }),
  refetchInterval: measuredEveryMs,
});

/** What can be done to the server now, and why not. */
export const serverActions = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "server", id }, "GET /api/v1/servers/{id}/actions", { params: { id } });

/** The steps of a setup; without a run those of the newest. */
export const serverSetup = (o: OrganizationId, id: number, run_id?: number) =>
  reading({ organization: o, noun: "server_setup", id }, "GET /api/v1/servers/{id}/setup-steps", {
    params: { id },
    query: { include_steps: true, ...(run_id && { run_id }) },
  });

export const setupRuns = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "server_setup", id }, "GET /api/v1/servers/{id}/setup-runs", {
    params: { id },
    query: { per_page: 20 },
  });

/** What runs on the server; the state of each is asked of the server during the read. */
export const serverServices = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "server", id }, "GET /api/v1/servers/{id}/services", { params: { id } });

const perPage = 100;

/** Those that match, page after page. */
export function servers(organization: OrganizationId, filter: ServerFilter, sort: ServerSort) {
  const name = "GET /api/v1/servers";
  const queryKey: Key = [organization, "servers", null, "pages", filter, sort];
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam: page, signal }) =>
      request(name, { query: { ...filter, sort, page, per_page: perPage }, organization, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ current_page: page, total_pages: pages }) => (page < pages ? page + 1 : undefined),
    refetchInterval: measuredEveryMs,
  });
}

/** The projects on a server: the first hundred by name. */
export const projectsOnServer = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "projects" }, "GET /api/v1/projects", {
    query: { server_id: [id], view: "summary", sort: "name", per_page: 100 },
  });

/** Accounts at cloud providers, with which servers are ordered. */
export const providers = (o: OrganizationId) =>
  reading({ organization: o, noun: "providers" }, "GET /api/v1/server-providers");

/** Whether the machine that Longshore runs on can be added, and with which address. */
export const thisMachine = (o: OrganizationId) =>
  reading({ organization: o, noun: "servers" }, "GET /api/v1/this-machine");

/** What can be ordered with an account: places, and in one of them types, images and networks. */
export const providerOptions = (o: OrganizationId, id: number, location?: string) =>
  reading({ organization: o, noun: "provider_options", id }, "GET /api/v1/server-providers/{id}/options", {
    params: { id },
    query: location === undefined ? {} : { location },
  });
