import { type Db, row, sql } from "../../../db/sql.ts";
import { detectionKind } from "../schema.ts";

/** How many detections are running on a server. */
export async function countDetections(db: Db, serverId: number): Promise<number> {
  const query = sql`
    select count(*)::integer as count from runs
    where kind = ${detectionKind.kind} and subject_id = ${serverId} and ended_at is null
  `;
  return (await row<{ count: number }>(db, query))?.count ?? 0;
}
