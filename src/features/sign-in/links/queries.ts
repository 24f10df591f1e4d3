import { changed, type Db, row, type Sql, sql } from "../../../db/sql.ts";
import { linkMinutes } from "./schema.ts";

/** A link would pass a second factor by. */
const hasSecondFactor = (userId: Sql): Sql =>
  sql`exists (select from auth_two_factors f where f.user_id = ${userId} and f.verified)`;

/** Replaces the account's link before; false when the account has a second factor. */
export const saveLink = async (db: Db, { userId, digest }: { userId: number; digest: Buffer }): Promise<boolean> =>
  (await changed(
    db,
    sql`
      insert into sign_in_links (user_id, digest, expires_at)
      select ${userId}, ${digest}, now() + make_interval(mins => ${linkMinutes}) where not ${hasSecondFactor(sql`${userId}`)}
      on conflict (user_id) do update set digest = excluded.digest, expires_at = excluded.expires_at
    `,
  )) === 1;

/** Uses the link; undefined if it is not valid, or another request was first. */
export const redeemLink = async (tx: Db, digest: Buffer): Promise<number | undefined> =>
  (
    await row<{ userId: number }>(
      tx,
      sql`
        delete from sign_in_links l where l.digest = ${digest} and l.expires_at > now()
          and not ${hasSecondFactor(sql`l.user_id`)}
        returning l.user_id as "userId"
      `,
    )
  )?.userId;
