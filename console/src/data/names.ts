import type { OrganizationId } from "../paths.ts";
import { reading, readingAll } from "./cache.ts";

// Names to choose from, in filters.

/** The first by name, or those with the ids. */
export const projectNames = (o: OrganizationId, ids?: readonly number[]) =>
  reading({ organization: o, noun: "projects" }, "GET /api/v1/projects", {
    query: { view: "summary", sort: "name", per_page: 100, ...(ids && { ids: [...ids] }) },
  });

export const serverNames = (o: OrganizationId) =>
  readingAll({ organization: o, noun: "servers" }, "GET /api/v1/servers", { query: { sort: "name" } });

export const people = (o: OrganizationId) =>
  readingAll({ organization: o, noun: "members" }, "GET /api/v1/organizations/{id}/members", { params: { id: o } });

/** The first by name that contain a text. */
export const projectsNamed = (o: OrganizationId, q: string) =>
  reading({ organization: o, noun: "projects" }, "GET /api/v1/projects", {
    query: { view: "summary", sort: "name", per_page: 20, ...(q !== "" && { q }) },
  });

/** The projects on a server whose names have the text. */
export const projectNamesOn = (o: OrganizationId, serverId: number, q: string) =>
  reading({ organization: o, noun: "projects" }, "GET /api/v1/projects", {
    query: { server_id: [serverId], view: "summary", sort: "name", per_page: 100, ...(q && { q }) },
  });
