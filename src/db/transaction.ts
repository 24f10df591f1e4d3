import { setTimeout as pause } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { isReadOnly } from "./outage.ts";

/** The key under which a pool may have a `BeforeCommit`. */
export const beforeCommit = Symbol("beforeCommit");

/**
 * Runs last in a transaction, with what its work returned; the function it returns is called once the transaction is committed.
 */
export type BeforeCommit = (tx: PoolClient, result: unknown) => Promise<(() => void) | undefined>;

/** The key under which a pool may have a function that is called after commits of transactions that requested it. */
export const onCommitted = Symbol("onCommitted");

const askedForCall = new WeakSet<PoolClient>();

/** Makes the pool's `onCommitted` run when the transaction is committed. */
export const callAfterCommit = (tx: PoolClient): void => void askedForCall.add(tx);

/**
 * Runs `work` in one transaction: commits when it resolves, rolls back and throws when it throws. When PostgreSQL ends the
 * transaction because it and another one waited for each other, `work` runs again in a new one: it has no effect outside of
 * the database. Never hold a transaction across SSH or HTTP.
 */
export const transaction = <Result>(pool: Pool, work: (tx: PoolClient) => Promise<Result>): Promise<Result> =>
  transact(pool, work, (pool as { [beforeCommit]?: BeforeCommit })[beforeCommit]);

/**
 * As `transaction`, for internal records of the program, such as a cache or a count of calls: they are not changes that
 * a request made, so the request's audit entry is not written with them.
 */
export const bookkeeping = <Result>(pool: Pool, work: (tx: PoolClient) => Promise<Result>): Promise<Result> =>
  transact(pool, work, undefined);

/**
 * What `work` returns in a transaction that is rolled back: all of its checks and none of its changes. As in `transaction`, it has no
 * effect outside of the database.
 */
export async function rehearse<Result>(pool: Pool, work: (tx: PoolClient) => Promise<Result>): Promise<Result> {
  const rehearsed: { result?: Result } = {};
  const end = transact(
    pool,
    async (tx) => {
      rehearsed.result = await work(tx);
      throw rehearsed;
    },
    undefined,
  );
  return end.catch((error: unknown) => {
    if (error !== rehearsed) throw error;
    return rehearsed.result as Result;
  });
}

/** Runs `work`, which only reads; all its statements see the same state: that of its first one. */
export const snapshot = <Result>(pool: Pool, work: (tx: PoolClient) => Promise<Result>): Promise<Result> =>
  transact(pool, work, undefined, "begin isolation level repeatable read read only");

/**
 * Runs one statement that may only read, as PostgreSQL enforces: one that would change something is refused, which `isReadOnly`
 * recognizes, and changes nothing. It takes one round trip, since the transaction's begin and end are sent with the statement.
 */
export async function readOnly<Result>(pool: Pool, statement: (tx: PoolClient) => Promise<Result>): Promise<Result> {
  const tx = await pool.connect();
  const [begun, result, ended] = await Promise.allSettled([
    tx.query("begin read only"),
    statement(tx),
    tx.query("commit"),
  ]);
  const broken = [begun, ended].find((part) => part.status === "rejected");
  // A connection that could not end the transaction is in an unknown state: it is closed instead of being reused.
  tx.release(broken?.reason);
  if (result.status === "rejected") throw result.reason;
  if (broken) throw broken.reason;
  return result.value;
}

const mostAttempts = 5;
// The other transaction has to get the locks first, or both would wait for each other again.
const pauseMs = 50;

async function transact<Result>(
  pool: Pool,
  work: (tx: PoolClient) => Promise<Result>,
  atEnd: BeforeCommit | undefined,
  begin = "begin",
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const tx = await pool.connect();
    let broken: Error | undefined;
    try {
      await tx.query(begin);
      const result = await work(tx);
      const committed = await atEnd?.(tx, result);
      await tx.query("commit");
      committed?.();
      if (askedForCall.has(tx)) (pool as { [onCommitted]?: () => void })[onCommitted]?.();
      return result;
    } catch (error) {
      await tx.query("rollback").catch((failure: Error) => {
        broken = failure;
      });
      // The next connection may lead to a server that can be written.
      if (isReadOnly(error)) broken = error as Error;
      if (attempt === mostAttempts || !isConflict(error)) throw error;
    } finally {
      askedForCall.delete(tx);
      // A connection that could not roll back is in an unknown state: it is closed instead of being reused.
      tx.release(broken);
    }
    await pause(attempt * pauseMs * (0.5 + Math.random()));
  }
}

/**
 * Whether PostgreSQL ended a transaction in favour of another one: a deadlock, or a serialization failure. Transactions take
 * their locks in one order (CONTRIBUTING.md), but the locks of foreign keys come when a row is inserted or deleted.
 */
export const isConflict = (error: unknown): boolean =>
  /^40(P01|001)$/.test(String((error as { code?: unknown } | undefined)?.code));

/**
 * The results of several independent parts of a transaction: their statements are sent together, in the order of the parts as
 * far as each can get without an answer, and are executed one after the other. A part may therefore rely on the first statement
 * of a part before it (a lock), but not on its later ones. Rejects with the first failure, but only after all parts have ended:
 * a part that continued would use a connection whose transaction was rolled back, and which another caller may use by then.
 */
export async function pipelined<Parts extends readonly unknown[]>(
  ...parts: Parts
): Promise<{ -readonly [At in keyof Parts]: Awaited<Parts[At]> }> {
  const all = Promise.all(parts);
  await Promise.allSettled([all, ...parts]);
  return all;
}

/** Runs `work` as part of a transaction: when it throws, its changes are rolled back, and the rest of the transaction remains. */
export async function savepoint<Result>(tx: PoolClient, work: () => Promise<Result>): Promise<Result> {
  try {
    const [, result] = await pipelined(tx.query("savepoint part"), work());
    return result;
  } catch (error) {
    await tx.query("rollback to savepoint part");
    throw error;
  }
}
