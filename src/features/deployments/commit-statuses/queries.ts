import { type Db, row, rows, sql } from "../../../db/sql.ts";
import type { DeploymentStatus, ProcessType } from "../schema.ts";

/** Known before the deployment has ended from what its run has fetched. A part of an id names no commit at a git host. */
const wholeCommit = sql`substring(coalesce(r.facts ->> 'commit', d.commit_id) from '^[0-9a-f]{40}$')`;

/**
 * Those of these deployments that a git host can show: of a known commit, of a project whose organization has an account at its
 * host. The parts of a rolling deployment on further servers belong to the one on the project's own.
 */
export const listShowable = (db: Db, ids: readonly number[]): Promise<{ id: number }[]> =>
  rows(
    db,
    sql`
      select d.id from deployments d join projects p on p.id = d.project_id left join runs r on r.id = d.run_id
      where d.id = any(${ids}::bigint[]) and d.rolling_of is null and d.process_type in ('deployment', 'rollback')
        and ${wholeCommit} is not null and exists (
          select 1 from source_providers sp
          where sp.organization_id = p.organization_id and sp.provider_type = p.repository_type and sp.deleted_at is null)
      order by d.id
    `,
  );

/** A deployment, as far as a git host shows it. */
export interface ShownAtHost {
  id: number;
  organization_id: number;
  project_id: number;
  process_type: ProcessType;
  status: DeploymentStatus;
  commit_id: string | null;
  git_branch: string;
  git_tag: string | null;
  error: string | null;
  /** Whether it ended more than a day ago. */
  is_old: boolean;
}

export const findShownAtHost = (db: Db, id: number): Promise<ShownAtHost | undefined> =>
  row(
    db,
    sql`
      select d.id, d.organization_id, d.project_id, d.process_type, d.status, ${wholeCommit} as commit_id, d.git_branch, d.git_tag, d.error,
        coalesce(d.ended_at < now() - interval '1 day', false) as is_old
      from deployments d left join runs r on r.id = d.run_id
      where d.id = ${id}
    `,
  );
