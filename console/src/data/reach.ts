import type { OrganizationId } from "../paths.ts";
import { reading } from "./cache.ts";

// What a restriction can name, and what it reaches.

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
