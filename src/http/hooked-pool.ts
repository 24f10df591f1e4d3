import type { Pool } from "pg";
import { type BeforeCommit, beforeCommit, transaction } from "../db/transaction.ts";

// What belongs to every change that a request makes is written in the transaction of the change, independent of the handlers:
// they get a pool whose transactions end with it.

/**
 * The same pool with two differences: its transactions end with each of `hooks`, and a query sent to it directly runs in a
 * transaction unless it can only read.
 */
export function poolWithHooks(pool: Pool, hooks: readonly BeforeCommit[]): Pool {
  if (hooks.length === 0) return pool;
  let kind = hookedPools.get(pool);
  if (!kind) {
    kind = Object.assign(Object.create(pool) as object, {
      connect: () => pool.connect(),
      query(this: Pool, ...args: unknown[]): Promise<unknown> {
        return readsOnly(args[0]) ? send(pool, args) : transaction(this, (tx) => send(tx, args));
      },
    });
    hookedPools.set(pool, kind);
  }
  const atEnd: BeforeCommit = async (tx, result) => {
    const committed: ((() => void) | undefined)[] = [];
    for (const hook of hooks) committed.push(await hook(tx, result));
    return () => {
      for (const each of committed) each?.();
    };
  };
  return Object.assign(Object.create(kind), { [beforeCommit]: atEnd });
}

// Each request gets its own object; the shared part is created once, since each new kind of object slows down all code
// that meets it.
const hookedPools = new WeakMap<Pool, object>();

const send = (to: { query: unknown }, args: unknown[]): Promise<unknown> =>
  (to.query as (...args: unknown[]) => Promise<unknown>).apply(to, args);

/** What a text contains that changes something: a statement, or a function of the migrations that has one. */
const changing =
  /\b(?:insert|update|delete|merge|into|add_monitor_months|claim_domain_names|continue_ids|drop_monitor_months)\b/i;

// By text, since the search takes longer than all else here. It is bounded by the number of distinct texts in the code.
const readers = new Map<string, boolean>();

/** False when uncertain: PostgreSQL then shows whether anything was changed. */
export function readsOnly(query: unknown): boolean {
  const text = typeof query === "string" ? query : (query as { text: string }).text;
  let reads = readers.get(text);
  if (reads === undefined) {
    reads = /^\s*(?:select|with)\b/i.test(text) && !changing.test(text);
    readers.set(text, reads);
  }
  return reads;
}
