import { type Db, row, rows, sql } from "../../db/sql.ts";
import type { Loss, LossScope } from "../../http/dry-run.ts";
import { isInScope, lossOf } from "../../http/queries.ts";
import { publishKind } from "../site-records/schema.ts";

/** Whether a node of a project has had a pending change for less than these seconds. */
export const isNodeBehind = async (tx: Db, projectId: number, seconds: number): Promise<boolean> =>
  (await row(
    tx,
    sql`
      select 1 from placements pl
        join targets t on t.kind = ${publishKind.kind} and t.subject_id = pl.project_id and t.server_id = pl.server_id
      where pl.project_id = ${projectId} and pl.role in ('own', 'replica')
        and t.applied_version < t.wanted_version and t.given_up_version < t.wanted_version
        and t.since > clock_timestamp() - make_interval(secs => ${seconds})
      limit 1
    `,
  )) !== undefined;

/** What is lost with projects. */
export const listLosses = (db: Db, scope: LossScope): Promise<Loss[]> =>
  rows(
    db,
    lossOf("domain", {
      id: sql`d.id`,
      name: sql`d.domain_name`,
      from: sql`domains d join projects p on p.id = d.project_id where ${isInScope(scope)}`,
    }),
  );
