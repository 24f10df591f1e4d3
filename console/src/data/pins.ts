import type { OrganizationId } from "../paths.ts";
import { reading } from "./cache.ts";

/** What the navigation has room for. */
const most = 12;

export const pinnedProjects = (o: OrganizationId) =>
  reading({ organization: o, noun: "projects" }, "GET /api/v1/projects", {
    query: { pinned: true, view: "summary", sort: "name", per_page: most },
  });

/** The list has no filter for pins; servers are few. */
export const pinnedServers = (o: OrganizationId) =>
  reading({ organization: o, noun: "servers" }, "GET /api/v1/servers", { query: { sort: "name", per_page: 100 } });
