import { useQuery } from "@tanstack/react-query";
import { request } from "../../../api/client.ts";
import { useOrganization } from "../../../data/organization.ts";
import type { OrganizationId } from "../../../paths.ts";
import { type Counted, inParts, type PartCount, summed } from "./parts.ts";

/** What the chosen projects are now, as the API counts them. */
export function useCounted(ids: readonly number[]): { counted: Counted | undefined; error: Error | null } {
  const o = useOrganization();
  const { data, error } = useQuery({
    queryKey: [o, "projects", null, "chosen", ids],
    queryFn: async () => summed(await Promise.all(inParts(ids).map((part) => countPart(o, part)))),
    gcTime: 0,
  });
  return { counted: data, error };
}

async function countPart(organization: OrganizationId, ids: number[]): Promise<PartCount> {
  const [facets, apps] = await Promise.all([
    request("GET /api/v1/projects/facets", { organization, query: { ids } }),
    request("GET /api/v1/projects/ids", { organization, query: { ids, source_type: ["app"] } }),
  ]);
  return { ...facets.data, appIds: apps.data };
}
