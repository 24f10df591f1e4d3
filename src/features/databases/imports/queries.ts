import { changed, constants, type Db, row, sql } from "../../../db/sql.ts";
import type { ImportRow } from "../schema.ts";

const { uploading, loaded, failed, loading } = constants({ uploading: 0, loaded: 1, failed: 2, loading: 3 });
const unendedStatuses = sql`(${uploading}, ${loading})`;

const importColumns = sql`i.id, i.database_id, i.empties_first, i.size_bytes, i.status, i.error, i.created_at, i.ended_at`;

/** Undefined while another import of the database is under way. */
export const insertImport = (
  tx: Db,
  { databaseId, userId, emptiesFirst }: { databaseId: number; userId: number; emptiesFirst: boolean },
): Promise<ImportRow | undefined> =>
  row(
    tx,
    sql`
      insert into database_imports as i (database_id, user_id, empties_first) values (${databaseId}, ${userId}, ${emptiesFirst})
      on conflict (database_id) where status in ${unendedStatuses} do nothing
      returning ${importColumns}
    `,
  );

/** Whether an import of the database is under way. */
export const isImporting = async (db: Db, databaseId: number): Promise<boolean> =>
  (await row(
    db,
    sql`select 1 from database_imports where database_id = ${databaseId} and status in ${unendedStatuses}`,
  )) !== undefined;

/** The import of a database in reach. */
export const findImport = (db: Db, databaseId: number, id: number): Promise<ImportRow | undefined> =>
  row(db, sql`select ${importColumns} from database_imports i where i.id = ${id} and i.database_id = ${databaseId}`);

export const findImportForWork = (db: Db, id: number): Promise<ImportRow | undefined> =>
  row(db, sql`select ${importColumns} from database_imports i where i.id = ${id}`);

/** It was uploaded, and the run loads it. False if it was abandoned or its database was deleted. */
export const startLoading = async (
  tx: Db,
  id: number,
  { sizeBytes, runId }: { sizeBytes: number; runId: number },
): Promise<boolean> =>
  (await changed(
    tx,
    sql`
      update database_imports set status = ${loading}, size_bytes = ${sizeBytes}, run_id = ${runId}
      where id = ${id} and status = ${uploading}
    `,
  )) === 1;

/** It has ended: successfully if there is no reason. */
export async function endImport(tx: Db, id: number, error: string | null): Promise<void> {
  await changed(
    tx,
    sql`
      update database_imports set status = case when ${error}::text is null then ${loaded} else ${failed} end, error = ${error},
        ended_at = clock_timestamp()
      where id = ${id} and status in ${unendedStatuses}
    `,
  );
}

/** Ends imports whose upload exceeds the limit: their process is gone. */
export async function endLostImports(db: Db, { error, afterMs }: { error: string; afterMs: number }): Promise<void> {
  await changed(
    db,
    sql`
      update database_imports set status = ${failed}, error = ${error}, ended_at = clock_timestamp()
      where status = ${uploading} and created_at < clock_timestamp() - make_interval(secs => ${afterMs / 1_000})
    `,
  );
}
