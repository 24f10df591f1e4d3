import { changed, type Db, row, sql } from "../../db/sql.ts";
import type { JsonObject } from "./schema.ts";

export const findPreferences = async (db: Db, userId: number): Promise<JsonObject> =>
  (await row<{ preferences: JsonObject }>(db, sql`select preferences from user_preferences where user_id = ${userId}`))
    ?.preferences ?? {};

/** The preferences, locked until the end of the transaction: a concurrent patch waits and then sees the result. */
export async function lockPreferences(tx: Db, userId: number): Promise<JsonObject> {
  await changed(tx, sql`insert into user_preferences (user_id) values (${userId}) on conflict do nothing`);
  const locked = await row<{ preferences: JsonObject }>(
    tx,
    sql`select preferences from user_preferences where user_id = ${userId} for update`,
  );
  return locked?.preferences ?? {};
}

export const savePreferences = (tx: Db, userId: number, preferences: JsonObject): Promise<number> =>
  changed(
    tx,
    sql`update user_preferences set preferences = ${JSON.stringify(preferences)}::jsonb where user_id = ${userId}`,
  );
