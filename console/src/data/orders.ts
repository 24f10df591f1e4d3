import { queryOptions } from "@tanstack/react-query";
import type { ServerOrder } from "../../../contract/types.ts";
import { request } from "../api/client.ts";
import type { OrganizationId } from "../paths.ts";
import { allPages } from "./all-pages.ts";
import { type Key, reading } from "./cache.ts";

export type Order = ServerOrder;

/** What was ordered at providers, the newest first. */
export const orders = (o: OrganizationId, page: number) =>
  reading({ organization: o, noun: "orders" }, "GET /api/v1/server-orders", { query: { per_page: 25, page } });

/** What ordered servers cost a month. */
export const serverCosts = (o: OrganizationId) =>
  reading({ organization: o, noun: "orders" }, "GET /api/v1/server-costs");

/** The order of a server's machine; null: it was not ordered here. */
export function orderOfServer(organization: OrganizationId, serverId: number) {
  // Its events also tell of another type.
  const queryKey: Key = [organization, "server", serverId, "order"];
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<Order | null> => {
      const found = await allPages((page) =>
        request("GET /api/v1/server-orders", { organization, query: { per_page: 100, page }, signal }),
      );
      return found.find(({ server_id }) => server_id === serverId) ?? null;
    },
  });
}
