import type { CloudProvider, OrphanedResourceList } from "../../../contract/types.ts";
import type { OrganizationId } from "../paths.ts";
import { reading } from "./cache.ts";

export type { CloudProvider };
export type CloudType = CloudProvider["provider_type"];
export type Orphan = OrphanedResourceList["data"][number];

/** The providers by what the API calls them. */
export const cloudNames: Record<CloudType, string> = {
  cloud_a: "Hetzner Cloud",
  cloud_b: "AWS EC2",
  cloud_c: "DigitalOcean",
};

/** What can be done to the account now, and why not. */
export const providerActions = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "provider", id }, "GET /api/v1/server-providers/{id}/actions", { params: { id } });

/** What is in the account at the provider and belongs to no server, by the hourly comparison, which no event announces. */
export const orphans = (o: OrganizationId, id: number) => ({
  ...reading({ organization: o, noun: "provider", id }, "GET /api/v1/server-providers/{id}/orphans", {
    params: { id },
  }),
  staleTime: 0,
});
