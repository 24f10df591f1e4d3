import type { Activity, AuditEntry, Operations } from "../../../contract/types.ts";
import type { OrganizationId } from "../paths.ts";
import { reading } from "./cache.ts";

export type ActivityFilter = Omit<NonNullable<Operations["GET /api/v1/activity"]["query"]>, "organization">;

/** What a person or a token changed. Those who may read the audit log see where it came from, too. */
export type Entry = Activity & Partial<Pick<AuditEntry, "ip" | "token_name" | "client">>;

export const activity = (o: OrganizationId, filter: ActivityFilter) =>
  reading({ organization: o, noun: "activity" }, "GET /api/v1/activity", { query: { per_page: 50, ...filter } });

export const auditLog = (o: OrganizationId, filter: ActivityFilter) =>
  reading({ organization: o, noun: "activity" }, "GET /api/v1/organizations/{id}/audit-log", {
    params: { id: o },
    query: { per_page: 50, ...filter },
  });

/** The newest changes of a record, by its name in the activity: "project:5". */
export const recordChanges = (o: OrganizationId, subject: string) =>
  reading({ organization: o, noun: "activity", id: subject }, "GET /api/v1/activity", {
    query: { subject, per_page: 10 },
  });
