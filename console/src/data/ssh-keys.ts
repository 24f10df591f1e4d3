import { queryOptions } from "@tanstack/react-query";
import type { SshAccess, SshKey } from "../../../contract/types.ts";
import { request } from "../api/client.ts";
import type { OrganizationId } from "../paths.ts";
import { allPages } from "./all-pages.ts";
import { type Key, reading } from "./cache.ts";

export type { SshAccess, SshKey };

/** Those of the organization: at most 50. */
export const organizationKeys = (o: OrganizationId) =>
  reading({ organization: o, noun: "ssh_keys" }, "GET /api/v1/ssh-keys", {
    query: { owner: "organization", per_page: 100 },
  });

/** One's own, and for those who let people in to servers all of the members', in whose pages one's own can be anywhere. */
export function peopleKeys(organization: OrganizationId) {
  const queryKey: Key = [organization, "ssh_keys", null, "people"];
  return queryOptions({
    queryKey,
    queryFn: ({ signal }): Promise<SshKey[]> =>
      allPages((page) => {
        const query = { owner: "user", per_page: 100, page } as const;
        return request("GET /api/v1/ssh-keys", { organization, query, signal });
      }),
  });
}

/** The keys on a server. */
export const sshAccess = (o: OrganizationId, serverId: number) =>
  reading({ organization: o, noun: "ssh_access", id: serverId }, "GET /api/v1/servers/{id}/ssh-access", {
    params: { id: serverId },
  });
