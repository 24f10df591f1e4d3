import { changed, type Db, row, type Sql, sql } from "../../../db/sql.ts";
import { linkMinutes, type Purpose } from "./schema.ts";

export interface NewLink {
  digest: Buffer;
  userId: number;
  purpose: Purpose;
  /** The account's address now. */
  email: string;
  newEmail: string | null;
}

/** Replaces the account's link for the same purpose. */
export const saveLink = (db: Db, { digest, userId, purpose, email, newEmail }: NewLink): Promise<number> =>
  changed(
    db,
    sql`
      insert into mailed_links (digest, user_id, purpose, email, new_email, expires_at)
      values (${digest}, ${userId}, ${purpose}, ${email}, ${newEmail}, now() + make_interval(mins => ${linkMinutes}))
      on conflict (user_id, purpose) do update set digest = excluded.digest, email = excluded.email,
        new_email = excluded.new_email, expires_at = excluded.expires_at
    `,
  );

export interface LinkRow {
  userId: number;
  email: string;
  newEmail: string | null;
}

const valid = (digest: Buffer, purpose: Purpose): Sql => sql`
  l.digest = ${digest} and l.purpose = ${purpose} and l.expires_at > now() and u.id = l.user_id and u.email = l.email`;

export const isLink = async (db: Db, digest: Buffer, purpose: Purpose): Promise<boolean> =>
  (await row(db, sql`select from mailed_links l, users u where ${valid(digest, purpose)}`)) !== undefined;

/** Uses the link; undefined if it is not valid, or another request was first. */
export const redeemLink = (tx: Db, digest: Buffer, purpose: Purpose): Promise<LinkRow | undefined> =>
  row(
    tx,
    sql`
      delete from mailed_links l using users u where ${valid(digest, purpose)}
      returning l.user_id as "userId", l.email, l.new_email as "newEmail"
    `,
  );

/** Ends the links that others may have asked for. */
export const deleteLinks = (tx: Db, userId: number): Promise<number> =>
  changed(tx, sql`delete from mailed_links where user_id = ${userId}`);
