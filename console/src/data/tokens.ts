import type { OrganizationId } from "../paths.ts";
import { reading } from "./cache.ts";

/** The account's own, for all of its organizations. */
export const ownTokens = (o: OrganizationId) => reading({ organization: o, noun: "tokens" }, "GET /api/v1/me/tokens");

/** Those of all members for the organization; only Owners read them. */
export const organizationTokens = (o: OrganizationId, page: number) =>
  reading({ organization: o, noun: "tokens" }, "GET /api/v1/organizations/{id}/tokens", {
    params: { id: o },
    query: { per_page: 100, page },
  });
