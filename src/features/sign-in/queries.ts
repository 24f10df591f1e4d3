import type { Pool, PoolClient, QueryResult } from "pg";
import pg from "pg";
import { changed, type Db, row, sql } from "../../db/sql.ts";

export const insertSecret = (db: Db, secret: Buffer): Promise<number> =>
  changed(db, sql`insert into auth_secret (secret) values (${secret}) on conflict do nothing`);

export const findSecret = async (db: Db): Promise<Buffer | undefined> =>
  (await row<{ secret: Buffer }>(db, sql`select secret from auth_secret`))?.secret;

/** Deletes what nobody can use any more: sessions, challenges, and counts of attempts that were a day ago. */
export async function deleteExpired(db: Db): Promise<void> {
  await changed(db, sql`delete from auth_sessions where expires_at < now()`);
  await changed(db, sql`delete from auth_verifications where expires_at < now()`);
  await changed(
    db,
    sql`delete from auth_rate_limits where last_request < extract(epoch from now() - interval '1 day') * 1000`,
  );
}

/** What the query builder of better-auth asks of a pool. */
export interface BorrowedPool {
  connect(): Promise<BorrowedClient>;
  end(): Promise<void>;
}

interface BorrowedClient {
  query(text: string, values: readonly unknown[]): Promise<QueryResult>;
  release(): void;
}

/** Our pool, with times as the Date objects that better-auth works with, where our own queries get text. */
export function lendPool(pool: Pool): BorrowedPool {
  return {
    connect: async () => lend(await pool.connect()),
    // It is not theirs to end.
    end: async () => {},
  };
}

const lend = (client: PoolClient): BorrowedClient => ({
  query: (text, values) => client.query({ text, values: [...values], types: { getTypeParser } }),
  release: () => client.release(),
});

const { builtins } = pg.types;

const getTypeParser = ((type: number, format: "text" | "binary") =>
  type === builtins.INT8 ? Number : pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser;
