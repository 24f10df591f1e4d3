import { changed, type Db, row, sql } from "../../../db/sql.ts";
import type { PhpRow } from "./schema.ts";

/** Writes the wanted values of a project that the caller has locked. */
export async function writePhp(tx: Db, id: number, php: PhpRow): Promise<void> {
  await tx.query(sql`
    update projects set php = ${JSON.stringify(php)}, php_refusal = null, updated_at = clock_timestamp() where id = ${id}
  `);
}

/** The project's server has the wanted values. */
export async function acceptPhp(tx: Db, id: number): Promise<void> {
  await tx.query(sql`update projects set php_accepted = php where id = ${id} and php_accepted is distinct from php`);
}

/** Goes back to what the server took last; false: it refuses just that. */
export async function takeBackPhp(tx: Db, id: number, reason: string): Promise<boolean> {
  const query = sql`
    update projects set php = coalesce(php_accepted, '{}'), php_refusal = ${reason}, updated_at = clock_timestamp()
    where id = ${id} and php is distinct from coalesce(php_accepted, '{}')
  `;
  return (await changed(tx, query)) === 1;
}

export async function findPhpRefusal(db: Db, id: number): Promise<string | null> {
  const found = await row<{ php_refusal: string | null }>(db, sql`select php_refusal from projects where id = ${id}`);
  return found?.php_refusal ?? null;
}
