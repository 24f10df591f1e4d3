import type { Balance } from "../../../contract/types.ts";
import type { OrganizationId } from "../paths.ts";
import { reading } from "./cache.ts";

export type { Balance };
export type BalancedServer = Balance["nodes"][number];

/** Where a project is served. The load balancer is asked for the state of its servers at this moment. */
export const balance = (o: OrganizationId, projectId: number) =>
  reading({ organization: o, noun: "project", id: projectId }, "GET /api/v1/projects/{id}/load-balancer", {
    params: { id: projectId },
  });

/** Servers of the type Load Balancer. */
export const loadBalancers = (o: OrganizationId) =>
  reading({ organization: o, noun: "servers" }, "GET /api/v1/servers", {
    query: { server_type: [4], sort: "name", per_page: 100 },
  });
