import type { Pool, QueryResult } from "pg";
import pg from "pg";
import { changed, type Db, row, sql } from "../../db/sql.ts";

/** Counts this attempt in the bucket's period, and begins one if none is under way; returns the count. */
export async function takeAttempt(
  db: Db,
  bucket: Buffer,
  seconds: number,
): Promise<{ attempts: number; endsInSeconds: number }> {
  const isOver = sql`a.ends_at <= now()`;
  const taken = await row<{ attempts: number; endsInSeconds: number }>(
    db,
    sql`insert into sign_in_attempts as a (bucket, attempts, ends_at)
      values (${bucket}, 1, now() + make_interval(secs => ${seconds}))
      on conflict (bucket) do update set
        attempts = case when ${isOver} then 1 else a.attempts + 1 end,
        ends_at = case when ${isOver} then excluded.ends_at else a.ends_at end
      returning attempts, ceil(extract(epoch from ends_at - now()))::int as "endsInSeconds"`,
  );
  if (!taken) throw new Error("The attempt could not be counted.");
  return taken;
}

export const returnAttempt = (db: Db, bucket: Buffer): Promise<number> =>
  changed(db, sql`update sign_in_attempts set attempts = greatest(0, attempts - 1) where bucket = ${bucket}`);

/** Compare-and-set: true for the first use of a code of this account. Codes are valid for less than five minutes. */
export const isCodeUnused = async (db: Db, userId: number, digest: Buffer): Promise<boolean> =>
  (await changed(
    db,
    sql`
      insert into auth_used_codes as u (user_id, digest, used_at) values (${userId}, ${digest}, now())
      on conflict (user_id, digest) do update set used_at = excluded.used_at where u.used_at < now() - ${longestValid}
    `,
  )) === 1;

const longestValid = sql`interval '5 minutes'`;

export const findSessionToken = async (db: Db, id: number): Promise<string | undefined> =>
  (await row<{ token: string }>(db, sql`select token from auth_sessions where id = ${id}`))?.token;

/** Deletes expired challenges, links and codes, and counts of attempts. */
export async function deleteExpired(db: Db): Promise<void> {
  await changed(db, sql`delete from auth_verifications where expires_at < now()`);
  await changed(db, sql`delete from sign_in_attempts where ends_at < now()`);
  await changed(db, sql`delete from auth_used_codes where used_at < now() - ${longestValid}`);
  await changed(db, sql`delete from mailed_links where expires_at < now()`);
  await changed(db, sql`delete from sign_in_links where expires_at <= now()`);
  await changed(db, sql`delete from device_authorizations where expires_at < now()`);
}

/** The methods of a pool that better-auth's query builder uses. */
export interface BorrowedPool {
  connect(): Promise<BorrowedClient>;
  end(): Promise<void>;
}

interface BorrowedClient {
  query(text: string, values: readonly unknown[]): Promise<QueryResult>;
  release(): void;
}

/**
 * Our pool, with times as Date objects for better-auth; our own queries get text. `onFailure` is called with each failure: better-auth
 * does not always pass it on.
 */
export function lendPool(pool: Pool, onFailure: (error: unknown) => void): BorrowedPool {
  const reporting = <Value>(work: Promise<Value>): Promise<Value> =>
    work.catch((error: unknown) => {
      onFailure(error);
      throw error;
    });
  return {
    connect: async () => {
      const client = await reporting(pool.connect());
      return {
        query: (text, values) => reporting(client.query({ text, values: [...values], types: { getTypeParser } })),
        release: () => client.release(),
      };
    },
    // better-auth must not end it.
    end: async () => {},
  };
}

const { builtins } = pg.types;

const getTypeParser = ((type: number, format: "text" | "binary") =>
  type === builtins.INT8 ? Number : pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser;
