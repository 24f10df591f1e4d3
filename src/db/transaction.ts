import type { Pool, PoolClient } from "pg";

/** The key under which a pool may carry a `BeforeCommit`. */
export const beforeCommit = Symbol("beforeCommit");

/** Has the last word in a transaction; what it returns is called once the transaction is committed. */
export type BeforeCommit = (tx: PoolClient) => Promise<() => void>;

/**
 * Runs `work` in one transaction: commits when it resolves, rolls back and throws when it throws.
 * Never hold one across SSH or HTTP.
 */
export async function transaction<Result>(pool: Pool, work: (tx: PoolClient) => Promise<Result>): Promise<Result> {
  const tx = await pool.connect();
  let broken: Error | undefined;
  try {
    await tx.query("begin");
    const result = await work(tx);
    const committed = await (pool as { [beforeCommit]?: BeforeCommit })[beforeCommit]?.(tx);
    await tx.query("commit");
    committed?.();
    return result;
  } catch (error) {
    await tx.query("rollback").catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    // A connection that could not roll back is in an unknown state: it is closed rather than handed to the next caller.
    tx.release(broken);
  }
}

/** Runs `work` as a part of a transaction: when it throws, what it did is rolled back, and the rest of the transaction stands. */
export async function partly<Result>(tx: PoolClient, work: () => Promise<Result>): Promise<Result> {
  try {
    const [, result] = await Promise.all([tx.query("savepoint part"), work()]);
    return result;
  } catch (error) {
    await tx.query("rollback to savepoint part");
    throw error;
  }
}
