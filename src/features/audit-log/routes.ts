import { pageOf, paginated } from "../../http/pagination.ts";
import { type Route, route } from "../../http/route.ts";
import { showAuditLog } from "./actions.ts";
import { entry } from "./examples.ts";
import { AuditLog, AuditLogParams, AuditLogQuery } from "./schema.ts";

export const auditLogRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/api/v1/organizations/:id/audit-log",
    summary: "Read who changed what",
    description:
      "Every request that changes something leaves one entry, written in the transaction of the change: who, with " +
      "which token, from where, what, and which records. Entries hold names of fields and ids, never values. The " +
      "newest is first, 25 on a page; they are kept for `LONGSHORE_AUDIT_RETENTION_DAYS`.\n\n" +
      "* `client` is the program as it named itself in `X-Longshore-Client` (`kind/name/version`, such as " +
      "`cli/longshore/0.3.0`): sessions are always `console`, and tokens never; entries from before have null.\n" +
      "* `before` reads on from an entry: as quick at the end of millions as at their beginning, and nothing is shown " +
      "twice while new ones are added. A total of 10,000 and more is up to a minute old.\n" +
      "* `q` searches 5,000 entries at a time, and the totals are of these: `next_before` searches on, also after a page " +
      "that is not full.\n" +
      "* `format=csv` and `format=ndjson` download all entries that the filters leave, the newest first. No cell of the CSV " +
      "is a formula: one that would begin as such has an apostrophe before it.\n\n" +
      "Sign-ins, and changes of passwords, second factors, passkeys and sessions, are about an account: each " +
      "organization of the account has an entry. Failed attempts to sign in are not recorded, since anyone could fill " +
      "the log with them. A restricted membership cannot read the log (403), since it is about the whole organization.",
    permission: "organization:manage",
    organizationParam: "id",
    params: AuditLogParams,
    query: AuditLogQuery,
    reply: AuditLog,
    examples: { reply: { ...paginated(pageOf({}, 25), 1, [entry]), next_before: null } },
    handle: (ctx, { query }) => showAuditLog(ctx, query),
  }),
];
