import { type Route, route } from "../../http/route.ts";
import { showAuditLog } from "./actions.ts";
import { AuditLog, AuditLogParams, AuditLogQuery } from "./schema.ts";

export const auditLogRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/api/v1/organizations/:id/audit-log",
    summary: "Read who changed what",
    description:
      "Every change over the API has an entry, written together with it, newest first. Entries hold names of fields and ids, never values.",
    permission: "organization:manage",
    organizationParam: "id",
    params: AuditLogParams,
    query: AuditLogQuery,
    reply: AuditLog,
    handle: (ctx, { query }) => showAuditLog(ctx, query),
  }),
];
