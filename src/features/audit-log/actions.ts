import { Readable } from "node:stream";
import type { Pool } from "pg";
import { type PageRequest, pageOf, paginated } from "../../http/pagination.ts";
import { type RequestContext, StreamAnswer } from "../../http/route.ts";
import { timesOf } from "../../http/times.ts";
import { csvLine } from "../../lib/csv.ts";
import { AppError } from "../../lib/errors.ts";
import type { WithHooks } from "../../lib/hooks.ts";
import { auditHooks } from "./hooks.ts";
import { type AuditEntryRow, type AuditFilter, countEntries, listEntries, periodOf, searchEntries } from "./queries.ts";
import { AuditEntry, type AuditLogFilter, type EntryFilter } from "./schema.ts";

const perPage = 25;

type Shown = AuditEntryRow & { subject_names: Record<string, string> };

/** Entries name records of the whole organization, so a restricted membership does not see the log. */
export async function showAuditLog(ctx: RequestContext, query: AuditLogFilter) {
  const { actor, pool } = ctx;
  if (actor.restriction) {
    throw new AppError("forbidden", "Your membership is restricted, and the audit log is about everything.");
  }
  const filter = await filterOf(ctx, query);
  const { before, format = "json" } = query;
  if (format !== "json") return download(ctx, filter, { format, before });
  const page = pageOf(before === undefined ? query : { ...query, page: 1 }, perPage);
  const [read, total] = await Promise.all([
    readPage(ctx, { filter, before, page }),
    filter.q === undefined ? countEntries(pool, actor.organizationId, filter) : undefined,
  ]);
  const entries = await withNames(ctx, read.entries);
  return { ...paginated(page, total ?? read.total, entries), next_before: read.nextBefore };
}

interface Reading {
  filter: AuditFilter;
  before: number | undefined;
  page: Pick<PageRequest, "limit" | "offset">;
}

async function readPage({ pool, actor }: RequestContext, { filter, before, page }: Reading) {
  // One more than the page has: it shows whether others follow.
  const wanted = { limit: page.limit + 1, offset: page.offset };
  const listing = { organizationId: actor.organizationId, filter, before, page: wanted };
  if (filter.q === undefined) return { ...cut(await listEntries(pool, listing), page, null), total: 0 };
  const { entries, total, end } = await searchEntries(pool, filter.q, listing);
  return { ...cut(entries, page, end), total };
}

/** `end`: where to continue when nothing more was found up to there. */
function cut(found: readonly AuditEntryRow[], { limit }: Reading["page"], end: number | null) {
  const entries = found.slice(0, limit);
  return { entries, nextBefore: found.length > limit ? (entries.at(-1)?.id ?? null) : end };
}

/** Adds what the subjects of entries are called now. */
export async function withNames<Entry extends { subjects: string[] }>(
  { pool, hooks, actor }: { pool: Pool; actor: { organizationId: number } } & WithHooks,
  entries: readonly Entry[],
): Promise<(Entry & { subject_names: Record<string, string> })[]> {
  const subjects = [...new Set(entries.flatMap((entry) => entry.subjects))];
  const names = new Map<string, string>();
  for (const { namesOf } of auditHooks.of({ hooks })) {
    for (const [subject, name] of await namesOf(pool, actor.organizationId, subjects)) names.set(subject, name);
  }
  return entries.map((entry) => ({
    ...entry,
    subject_names: Object.fromEntries(
      entry.subjects.flatMap((subject) => {
        const name = names.get(subject);
        return name === undefined ? [] : [[subject, name]];
      }),
    ),
  }));
}

export const filterOf = async (
  { pool, actor }: Pick<RequestContext, "pool" | "actor">,
  { q, action, user_id: userId, subject, from, to }: EntryFilter,
): Promise<AuditFilter> => ({
  q: q || undefined,
  action,
  userId,
  subject,
  period: await periodOf(pool, actor.organizationId, timesOf({ from, to })),
});

// Downloads ----------------------------------------------------------------------------------------------------------------

type Format = "csv" | "ndjson";

const atOnce = { limit: 1_000, offset: 0 };
const columns = Object.keys(AuditEntry.properties) as (keyof Shown)[];

const formats = {
  csv: {
    type: "text/csv; charset=utf-8",
    begin: csvLine(columns),
    line: (entry: Shown) => csvLine(columns.map((column) => entry[column])),
  },
  ndjson: {
    type: "application/x-ndjson",
    begin: "",
    line: (entry: Shown) => `${JSON.stringify(Object.fromEntries(columns.map((column) => [column, entry[column]])))}\n`,
  },
};

type Download = { format: Format; before: number | undefined };

const download = (ctx: RequestContext, filter: AuditFilter, { format, before }: Download): StreamAnswer =>
  new StreamAnswer(formats[format].type, Readable.from(lines(ctx, filter, { format, before })), {
    "Content-Disposition": `attachment; filename="audit-log.${format}"`,
  });

/** At the pace of the client: the next entries are read when these were sent. */
async function* lines(ctx: RequestContext, filter: AuditFilter, { format, before }: Download): AsyncGenerator<string> {
  const { begin, line } = formats[format];
  if (begin !== "") yield begin;
  let next: number | null | undefined = before;
  while (next !== null) {
    const read = await readPage(ctx, { filter, before: next, page: atOnce });
    const entries = await withNames(ctx, read.entries);
    if (entries.length > 0) yield entries.map((entry) => line(entry)).join("");
    next = read.nextBefore;
  }
}
