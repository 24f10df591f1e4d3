import { type Db, row, rows, sql } from "../../db/sql.ts";
import type { NodeRow } from "./schema.ts";

/** The servers of a balanced project, its own first. The caller has found the project in the actor's reach. */
export const listNodes = (db: Db, projectId: number): Promise<NodeRow[]> =>
  rows(
    db,
    sql`
      select pl.server_id, s.name as server_name, pl.role, pl.live_release_id is not null as is_live
      from placements pl join servers s on s.id = pl.server_id
      where pl.project_id = ${projectId} and pl.role <> 'arriving' order by pl.role <> 'own', pl.server_id
    `,
  );

export const findServerName = (db: Db, id: number): Promise<{ name: string } | undefined> =>
  row(db, sql`select name from servers where id = ${id}`);
