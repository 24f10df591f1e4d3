import type { Domain } from "../../../../../contract/types.ts";
import { request } from "../../../api/client.ts";
import { invalidate } from "../../../data/cache.ts";
import type { OrganizationId } from "../../../paths.ts";

/** Looks the name up; the list of domains then has the result. */
export async function checkDns(organization: OrganizationId, domain: Domain): Promise<void> {
  await request("GET /api/v1/projects/{id}/check-ns", {
    organization,
    params: { id: domain.project_id },
    query: { domain_id: domain.id },
  });
  await invalidate([organization, "domains", domain.project_id]);
}
