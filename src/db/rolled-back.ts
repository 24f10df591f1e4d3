import type { Pool, PoolClient } from "pg";

/**
 * Runs `work` on a pool whose queries and transactions are all parts of one transaction, on one connection, which is rolled back in
 * the end. Where a transaction of its own that may write would be committed, `atCommit` ends the work.
 */
export async function rolledBack<Result>(
  pool: Pool,
  atCommit: () => never,
  work: (pool: Pool) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    return await work(poolOn(client, atCommit));
  } finally {
    // A connection that could not roll back is in an unknown state: it is closed instead of being reused.
    const failure = await client.query("rollback").then(
      () => undefined,
      (error: Error) => error,
    );
    client.release(failure);
  }
}

type Query = (...args: unknown[]) => Promise<unknown>;

function poolOn(client: PoolClient, atCommit: () => never): Pool {
  const query: Query = (...args) => (client.query as Query).apply(client, args);
  return { query, connect: async () => partOf(query, atCommit) } as unknown as Pool;
}

/** A connection of that pool: its transaction is a savepoint. */
function partOf(query: Query, atCommit: () => never): PoolClient {
  let mayWrite = false;
  const send: Query = (...args) => {
    const [text] = args;
    if (typeof text !== "string") return query(...args);
    if (text.startsWith("begin")) {
      mayWrite = text === "begin";
      return query("savepoint whole");
    }
    if (text === "commit" && mayWrite) return atCommit();
    return text === "commit" || text === "rollback" ? query("rollback to savepoint whole") : query(...args);
  };
  return { query: send, release: () => undefined } as unknown as PoolClient;
}
