import { pageOf, paginated } from "../../http/pagination.ts";
import type { RequestContext } from "../../http/route.ts";
import { timesOf } from "../../http/times.ts";
import { AppError } from "../../lib/errors.ts";
import { type AuditFilter, countEntries, listEntries } from "./queries.ts";
import type { AuditLogFilter } from "./schema.ts";

const perPage = 25;

/** Entries name records of the whole organization, so a restricted membership does not see the log. */
export async function showAuditLog({ pool, actor }: RequestContext, query: AuditLogFilter) {
  if (actor.restriction) {
    throw new AppError("forbidden", "Your membership is restricted, and the audit log is about everything.");
  }
  const filter = filterOf(query);
  const page = pageOf(query, perPage);
  const [entries, total] = await Promise.all([
    listEntries(pool, actor.organizationId, filter, page),
    countEntries(pool, actor.organizationId, filter),
  ]);
  return paginated(page, total, entries);
}

const filterOf = ({ action, user_id: userId, subject, from, to }: AuditLogFilter): AuditFilter => ({
  action,
  userId,
  subject,
  ...timesOf({ from, to }),
});
