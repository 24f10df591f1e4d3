import { changed, type Db, sql } from "../../db/sql.ts";

/** Compare-and-set: true for the first use of a confirmation, in any process. */
export const useConfirmation = async (db: Db, id: string): Promise<boolean> =>
  (await changed(db, sql`insert into mcp_confirmations (id) values (${id}) on conflict do nothing`)) === 1;

/** Deletes what is no longer valid in any case. */
export const deleteUsedConfirmations = (db: Db): Promise<number> =>
  changed(db, sql`delete from mcp_confirmations where used_at < now() - interval '1 hour'`);
