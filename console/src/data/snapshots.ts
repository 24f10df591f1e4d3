import { queryOptions } from "@tanstack/react-query";
import type { ServerSnapshot } from "../../../contract/types.ts";
import { request } from "../api/client.ts";
import type { OrganizationId } from "../paths.ts";
import { allPages } from "./all-pages.ts";
import type { Key } from "./cache.ts";

export type Snapshot = ServerSnapshot;

/** All of the organization, the newest first, also of servers that were deleted. */
export function snapshots(organization: OrganizationId) {
  const queryKey: Key = [organization, "snapshots", null];
  return queryOptions({
    queryKey,
    queryFn: ({ signal }): Promise<Snapshot[]> =>
      allPages((page) =>
        request("GET /api/v1/server-snapshots", { organization, query: { per_page: 100, page }, signal }),
      ),
  });
}
