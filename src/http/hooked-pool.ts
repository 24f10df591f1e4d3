import type { Pool } from "pg";
import { isReadOnly } from "../db/outage.ts";
import { type BeforeCommit, beforeCommit, readOnly, transaction } from "../db/transaction.ts";
import { listVolatileFunctions } from "./queries.ts";

// What belongs to every change that a request makes is written in the transaction of the change, independent of the handlers:
// they get a pool whose transactions end with it. PostgreSQL decides what a change is. A transaction that changed something has
// an id. A statement that is sent to the pool directly runs in a transaction that may only read at first: PostgreSQL refuses it
// there whatever its data are if it writes or locks rows itself, so that one which passes needs no such transaction again. Only
// a function that it calls may write at a later call: with one of those, it is never trusted. Checked at every call, all reads would
// cost almost twice as much.

/**
 * The same pool with two differences: its transactions end with each of `hooks`, and a query sent to it directly runs in such a
 * transaction unless it only reads.
 */
export function poolWithHooks(pool: Pool, hooks: readonly BeforeCommit[]): Pool {
  if (hooks.length === 0) return pool;
  let kind = hookedPools.get(pool);
  if (!kind) {
    const known: Known = { reading: new Set(), changing: new Set() };
    kind = Object.assign(Object.create(pool) as object, {
      connect: () => pool.connect(),
      query(this: Pool, ...args: unknown[]): Promise<unknown> {
        const text = textOf(args[0]);
        if (known.reading.has(text)) return send(pool, args);
        return known.changing.has(text) ? change(this, args) : attempt({ pool, hooked: this, known }, text, args);
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

/** The texts on which PostgreSQL has decided. Their number is bounded by that of the distinct texts in the code. */
interface Known {
  reading: Set<string>;
  changing: Set<string>;
  volatile?: readonly string[];
}

async function attempt(
  { pool, hooked, known }: { pool: Pool; hooked: Pool; known: Known },
  text: string,
  args: unknown[],
): Promise<unknown> {
  try {
    const result = await readOnly(pool, (tx) => send(tx, args));
    known.volatile ??= await listVolatileFunctions(pool);
    if (!known.volatile.some((name) => text.includes(name))) known.reading.add(text);
    return result;
  } catch (error) {
    if (!isReadOnly(error)) throw error;
    known.changing.add(text);
    return change(hooked, args);
  }
}

const change = (hooked: Pool, args: unknown[]): Promise<unknown> => transaction(hooked, (tx) => send(tx, args));

const textOf = (query: unknown): string => (typeof query === "string" ? query : (query as { text: string }).text);

const send = (to: { query: unknown }, args: unknown[]): Promise<unknown> =>
  (to.query as (...args: unknown[]) => Promise<unknown>).apply(to, args);
