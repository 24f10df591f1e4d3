import { type Db, row, rows, sql } from "../../db/sql.ts";
import { balancerSiteKind } from "../projects/schema.ts";
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

/** Whether a move of the project is queued or under way. */
export const hasMove = async (db: Db, projectId: number): Promise<boolean> =>
  (await row(
    db,
    sql`select 1 from deployments where project_id = ${projectId} and process_type = 'move' and status in (0, 3, 4)`,
  )) !== undefined;

/** Balanced projects whose load balancer has no known state, and is not being updated already. */
export const listOutdated = (db: Db, limit: number): Promise<{ id: number }[]> =>
  rows(
    db,
    sql`
      select project_id as id from sites site
      where load_balancer_id is not null and balancer_site is null
        and not exists (
          select 1 from targets t where t.kind = ${balancerSiteKind.kind} and t.subject_id = site.project_id
            and t.server_id = site.load_balancer_id and t.applied_version < t.wanted_version)
      order by project_id limit ${limit}
    `,
  );
