import { pageOf, paginated } from "../../http/pagination.ts";
import type { RequestContext } from "../../http/route.ts";
import { AppError, invalid } from "../../lib/errors.ts";
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

function filterOf({ action, user_id: userId, subject, from, to }: AuditLogFilter): AuditFilter {
  const times = { from: timeOf(from), to: timeOf(to) };
  const bad = (["from", "to"] as const).filter((name) => times[name] === null);
  if (bad.length > 0) throw invalid(Object.fromEntries(bad.map((name) => [name, `The ${name} must be a time.`])));
  return { action, userId, subject, from: times.from ?? undefined, to: times.to ?? undefined };
}

/** As ISO 8601 in UTC; null if the text is not a time. */
function timeOf(text: string | undefined): string | null | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
