import type { Permission } from "../../../http/actor.ts";
import { sliced } from "../../../http/lists.ts";
import type { RequestContext } from "../../../http/route.ts";
import { can } from "../../accounts/reach.ts";
import { filterOf, withNames } from "../../audit-log/actions.ts";
import { listActivity } from "./queries.ts";
import type { ActivityFilter } from "./schema.ts";

const perPage = 25;

/** The first words of paths, by the permission for reading what they change. */
const areas: Partial<Record<Permission, readonly string[]>> = {
  "project:read": ["projects", "project", "project-groups", "deployments", "certificates", "domains"],
  "server:read": ["servers", "server-orders", "server-snapshots"],
  "monitor:read": ["monitors", "maintenance-windows", "status-pages"],
  "organization:read": [
    "organizations",
    "invitations",
    "notification-channels",
    "server-providers",
    "source-providers",
    "ssh-keys",
  ],
};

/** What people did with the records that the caller may read, without the addresses and tokens of the audit log. */
export async function showActivity(ctx: RequestContext, query: ActivityFilter) {
  const { pool, actor } = ctx;
  const limit = query.per_page ?? perPage;
  const { entries, end } = await listActivity(pool, actor, {
    filter: await filterOf(ctx, query),
    areas: Object.entries(areas).flatMap(([permission, names]) => (can(actor, permission as Permission) ? names : [])),
    before: query.before,
    limit: limit + 1,
  });
  const { data, next_before } = sliced(entries, limit);
  return { data: await withNames(ctx, data), next_before: next_before ?? end };
}
