import type { OrganizationId } from "../paths.ts";
import { reading } from "./cache.ts";

/** By the start of the current or next time; past ones last. */
export const maintenanceWindows = (o: OrganizationId, page: number) =>
  reading({ organization: o, noun: "maintenance_windows" }, "GET /api/v1/maintenance-windows", {
    query: { per_page: 100, page },
  });
