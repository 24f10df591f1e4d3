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

/** Where a request came from, for the audit log. */
interface Origin {
  ip: string | null;
  requestId: string;
}

/** Enters in the log of each organization of the account that its session was begun. */
export async function enterSignIn(db: Db, session: string, { ip, requestId }: Origin): Promise<void> {
  await changed(
    db,
    sql`insert into audit_log (organization_id, user_id, user_email, ip, action, summary, request_id)
      select m.organization_id, u.id, u.email, ${ip}::inet, 'sign-in', 'Sign in to the console', ${requestId}
      from auth_sessions s join users u on u.id = s.user_id join memberships m on m.user_id = u.id
      where s.token = ${session}`,
  );
}

/** The same for an attempt with a wrong password; nothing when no account has the email. */
export async function enterRefusedSignIn(db: Db, email: string, { ip, requestId }: Origin): Promise<void> {
  await changed(
    db,
    sql`insert into audit_log (organization_id, user_id, user_email, ip, action, summary, request_id)
      select m.organization_id, u.id, u.email, ${ip}::inet, 'sign-in refused', 'Try to sign in to the console', ${requestId}
      from users u join memberships m on m.user_id = u.id where u.email = ${email}`,
  );
}
