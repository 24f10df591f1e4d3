import type { Pool } from "pg";
import type { SecretBox } from "../lib/secrets.ts";
import { changed, type Db, raw, rows, sql } from "./sql.ts";

interface EncryptedColumn {
  table: string;
  column: string;
}

const batchSize = 500;

/**
 * Encrypts every stored secret with the newest key of the box, and returns how many it rewrote. It works beside running
 * processes that have both keys, and continues where it stopped when it is interrupted and started again.
 */
export async function rotateKey(pool: Pool, secrets: SecretBox): Promise<number> {
  let rotated = 0;
  for (const column of await listEncryptedColumns(pool)) rotated += await rotateColumn(pool, column, secrets);
  return rotated;
}

/** The columns whose comment is `encrypted`. */
export function listEncryptedColumns(db: Db): Promise<EncryptedColumn[]> {
  return rows(
    db,
    sql`
      select quote_ident(relname) as table, quote_ident(attname) as column
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and col_description(attrelid, attnum) = 'encrypted'
      order by 1, 2
    `,
  );
}

async function rotateColumn(pool: Pool, encrypted: EncryptedColumn, secrets: SecretBox): Promise<number> {
  const { table, column } = encrypted;
  let rotated = 0;
  for (;;) {
    const batch = await listUnderOtherKeys(pool, encrypted, secrets.keyId);
    if (batch.length === 0) return rotated;
    for (const old of batch) {
      // No ciphertext occurs twice, and one that was replaced in the meantime is not touched.
      const fresh = secrets.rotate(old) ?? old;
      rotated += await changed(
        pool,
        sql`update ${raw(table)} set ${raw(column)} = ${fresh} where ${raw(column)} = ${old}`,
      );
    }
  }
}

async function listUnderOtherKeys(db: Db, { table, column }: EncryptedColumn, keyId: string): Promise<Buffer[]> {
  const found = await rows<{ ciphertext: Buffer }>(
    db,
    // The key's id follows the version byte (lib/secrets.ts).
    sql`
      select ${raw(column)} as ciphertext from ${raw(table)}
      where substring(${raw(column)} from 2 for 4) <> decode(${keyId}, 'hex') limit ${batchSize}
    `,
  );
  return found.map((row) => row.ciphertext);
}
