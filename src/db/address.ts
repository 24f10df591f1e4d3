import { type Db, row, sql } from "./sql.ts";

/** Records the address at which the installation can be opened, for commands beside it. The process that started last decides. */
export async function saveAddress(db: Db, url: string): Promise<void> {
  await db.query(sql`
    insert into address (url) values (${url}) on conflict (id) do update set url = excluded.url where address.url <> excluded.url
  `);
}

/** The address that `up` recorded last; undefined if it never served the API. */
export const findAddress = async (db: Db): Promise<string | undefined> =>
  (await row<{ url: string }>(db, sql`select url from address`))?.url;
