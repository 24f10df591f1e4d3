import type { OrganizationId } from "../paths.ts";
import { reading } from "./cache.ts";

// Names to choose from, in filters.

/** The first by name, or those with the ids. */
export const projectNames = (o: OrganizationId, ids?: readonly number[]) =>
  reading({ organization: o, noun: "projects" }, "GET /api/v1/projects", {
    query: { view: "summary", sort: "name", per_page: 100, ...(ids && { ids: [...ids] }) },
  });

export const serverNames = (o: OrganizationId) =>
  reading({ organization: o, noun: "servers" }, "GET /api/v1/servers", { query: { sort: "name", per_page: 100 } });

export const people = (o: OrganizationId) =>
  reading({ organization: o, noun: "members" }, "GET /api/v1/organizations/{id}/members", {
    params: { id: o },
    query: { per_page: 100 },
  });
