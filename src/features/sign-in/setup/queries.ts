import { changed, type Db, row, sql } from "../../../db/sql.ts";
import { codeHours, mostAttempts } from "./schema.ts";

/** Replaces the code before; false when the installation has an account. */
export const saveCode = async (db: Db, digest: Buffer): Promise<boolean> =>
  (await changed(
    db,
    sql`
      insert into setup_code (digest, expires_at)
      select ${digest}, now() + make_interval(hours => ${codeHours}) where not exists (select from users)
      on conflict (id) do update set digest = excluded.digest, attempts = 0, expires_at = excluded.expires_at
    `,
  )) === 1;

/** Counts an attempt before it is made, so that concurrent ones cannot exceed the limit. Undefined: no code is valid any more. */
export const takeAttempt = async (db: Db): Promise<Buffer | undefined> =>
  (
    await row<{ digest: Buffer }>(
      db,
      sql`
        update setup_code set attempts = attempts + 1
        where attempts < ${mostAttempts} and expires_at > now() returning digest
      `,
    )
  )?.digest;

/** Uses the code; false if another request was first. */
export const redeemCode = async (tx: Db, digest: Buffer): Promise<boolean> =>
  (await changed(tx, sql`delete from setup_code where digest = ${digest}`)) === 1;
