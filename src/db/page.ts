import type { Pool } from "pg";
import { coalesced } from "../lib/coalesce.ts";
import { rows, rowsOnce, type Sql, sql } from "./sql.ts";

/** `limit` and `offset` of a page. */
export const limitOf = ({ limit, offset }: { limit: number; offset: number }): Sql =>
  sql`limit ${limit} offset ${offset}`;

interface Reading {
  pool: Pool;
  query: Sql;
  /** For a query whose text depends on the request. */
  once?: boolean;
}

const keyOf = ({ pool, query }: Reading): string =>
  JSON.stringify([pool.options.connectionString, query.text, query.values]);

const read = coalesced(keyOf, ({ pool, query }: Reading) => rows<unknown>(pool, query));

/** All rows of an expensive query. Requests that ask for the same at the same time share the answer: it must not be changed. */
export const sharedRows = <Row>(reading: Reading): Promise<readonly Row[]> => read(reading) as Promise<readonly Row[]>;

/** What a query of one row has counted: `total` is how many rows. */
interface Counts {
  total: number;
}

/** Fewer rows are counted in a few milliseconds, and a list that people can survey has its exact total. */
const keptFrom = 10_000;
const freshMs = 5_000;
/** Until then the answer is the kept one, while the rows are counted again. */
const usableMs = 60_000;
const mostKept = 200;

const kept = new Map<string, { counts: Counts; at: number }>();

const count = coalesced(keyOf, async (counting: Reading): Promise<Counts> => {
  const at = performance.now();
  const { pool, query, once = false } = counting;
  const [counts = { total: 0 }] = await (once ? rowsOnce : rows)<Counts>(pool, query);
  keep(keyOf(counting), { counts, at });
  return counts;
});

function keep(key: string, entry: { counts: Counts; at: number }): void {
  kept.delete(key);
  if (entry.counts.total < keptFrom) return;
  kept.set(key, entry);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
}

/**
 * Counts that many ask for: requests that ask for the same ones at the same time share the answer. Those of many rows are kept for
 * some seconds: 6 ms for each 100,000 rows, for each page of a long list.
 */
export async function sharedCounts<Counted extends Counts>(counting: Reading): Promise<Readonly<Counted>> {
  const known = kept.get(keyOf(counting));
  const age = known === undefined ? Number.POSITIVE_INFINITY : performance.now() - known.at;
  if (known === undefined || age > usableMs) return (await count(counting)) as Counted;
  // The request has its answer; the next one reports what is wrong.
  if (age > freshMs) count(counting).catch(() => kept.delete(keyOf(counting)));
  return known.counts as Counted;
}

/** The total of a long list. */
export const sharedCount = async (counting: Reading): Promise<number> => (await sharedCounts(counting)).total;
