import type { SecretBox } from "../lib/secrets.ts";
import { type Db, row, sql } from "./sql.ts";

const knownText = "longshore";

/**
 * Verifies that the secrets of this database can be read with these keys; the first process to call this stores the
 * check value. Throws AppError("configuration") when they cannot.
 */
export async function checkKey(db: Db, secrets: SecretBox): Promise<void> {
  let stored = await findCheck(db);
  if (!stored) {
    const ciphertext = secrets.encrypt(knownText);
    await row(db, sql`insert into key_check (ciphertext) values (${ciphertext}) on conflict do nothing`);
    // Another process may have been first.
    stored = (await findCheck(db)) ?? ciphertext;
  }
  secrets.decrypt(stored);
}

/** Whether the database already holds secrets of a key. */
export const hasKeyCheck = async (db: Db): Promise<boolean> => (await findCheck(db)) !== undefined;

async function findCheck(db: Db): Promise<Buffer | undefined> {
  return (await row<{ ciphertext: Buffer }>(db, sql`select ciphertext from key_check`))?.ciphertext;
}
