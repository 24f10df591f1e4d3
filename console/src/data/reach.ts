import { queryOptions } from "@tanstack/react-query";
import { request } from "../api/client.ts";
import type { OrganizationId } from "../paths.ts";
import { type Key, reading } from "./cache.ts";

// What restrictions, status pages and maintenance windows can name, and what a restriction reaches.

const list = { sort: "name", per_page: 100 } as const;

export const foundServers = (o: OrganizationId, q: string) =>
  reading({ organization: o, noun: "servers" }, "GET /api/v1/servers", { query: { ...list, ...(q && { q }) } });

export const foundProjects = (o: OrganizationId, q: string) =>
  reading({ organization: o, noun: "projects" }, "GET /api/v1/projects", {
    query: { ...list, view: "summary", ...(q && { q }) },
  });

export const serverName = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "server", id }, "GET /api/v1/servers/{id}", { params: { id } });

export const projectsOn = (o: OrganizationId, serverIds: readonly number[]) =>
  reading({ organization: o, noun: "projects" }, "GET /api/v1/projects", {
    query: { ...list, view: "summary", server_id: [...serverIds] },
  });

/** Names alone: whole monitors have secret addresses. */
export function foundMonitors(organization: OrganizationId, q: string) {
  const name = "GET /api/v1/monitors";
  const queryKey: Key = [organization, "monitors", null, "names", q];
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const query = { per_page: 100, ...(q && { q }) };
      const { data } = await request(name, { query, organization, signal });
      return data.map(({ id, name, config: { url } }) => ({ id, name, url }));
    },
  });
}
