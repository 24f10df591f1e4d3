import { type TSchema, Type } from "typebox";
import { namedAfter } from "./schemas.ts";

export const maxPerPage = 100;

// Any value but a positive number means the default rather than an error, so the schema accepts anything;
// `documentedAs` is what OpenAPI shows.
const LenientInteger = (description: string) =>
  Type.Optional(Type.Unsafe<unknown>({ description, documentedAs: { type: "integer", minimum: 1 } }));

const pageFields = {
  per_page: LenientInteger(`Items on a page, at most ${maxPerPage}`),
  page: LenientInteger("Page, from 1"),
};

/** Query of a list; to add filters, spread it: `Type.Object({ ...PageQuery.properties, … })`. */
export const PageQuery = Type.Object(pageFields);

export interface PageRequest {
  page: number;
  perPage: number;
  /** For `limit` and `offset` of the SQL query. */
  limit: number;
  offset: number;
}

/** Reads `page` and `per_page`; any value but a positive integer becomes 1 and the endpoint's default. */
export function pageOf(query: { page?: unknown; per_page?: unknown }, defaultPerPage: number): PageRequest {
  const page = positiveInteger(query.page) ?? 1;
  const perPage = Math.min(positiveInteger(query.per_page) ?? defaultPerPage, maxPerPage);
  return { page, perPage, limit: perPage, offset: Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER) };
}

function positiveInteger(value: unknown): number | undefined {
  if (typeof value !== "number" && !(typeof value === "string" && /^\d{1,16}$/.test(value))) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** The fields of a page besides its items. */
export const pageCounts = {
  per_page: Type.Integer({ description: "The most items of a page" }),
  total_pages: Type.Integer({ description: "1 for an empty list" }),
  total_items: Type.Integer({ description: "On all pages, as far as the caller reaches them" }),
};

/** Schema of the pagination envelope: `ProjectPage` for items that are named `Project`. */
export function Page<Item extends TSchema>(item: Item) {
  const page = Type.Object({
    current_page: Type.Integer({ description: "From 1" }),
    data: Type.Array(item, { description: "The items of this page" }),
    ...pageCounts,
  });
  return namedAfter(item, "Page", page);
}

/** The envelope. `total_pages` is never 0: a client that reads pages until it equals `current_page` stops on an empty list. */
export function paginated<Item>(request: PageRequest, totalItems: number, data: Item[]) {
  return {
    current_page: request.page,
    data,
    per_page: request.perPage,
    total_pages: Math.max(1, Math.ceil(totalItems / request.perPage)),
    total_items: totalItems,
  };
}

/** The number of items. Each row of the page contains it; an empty page past the end has no row, so it is counted. */
export async function totalOf(
  page: PageRequest,
  rows: readonly { total: number }[],
  count: () => Promise<number>,
): Promise<number> {
  const [first] = rows;
  if (first) return first.total;
  return page.offset === 0 ? 0 : count();
}
