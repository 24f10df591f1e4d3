import type { OrganizationId } from "../paths.ts";
import { reading } from "./cache.ts";

export const statusPages = (o: OrganizationId, page: number) =>
  reading({ organization: o, noun: "status_pages" }, "GET /api/v1/status-pages", { query: { per_page: 100, page } });

export const statusPage = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "status_page", id }, "GET /api/v1/status-pages/{id}", { params: { id } });

/** The newest first, with their updates. Events about them name the status page. */
export const incidents = (o: OrganizationId, id: number, page: number) =>
  reading({ organization: o, noun: "status_page", id }, "GET /api/v1/status-pages/{id}/incidents", {
    params: { id },
    query: { page },
  });
