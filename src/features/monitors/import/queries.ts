import { type Db, rows, sql } from "../../../db/sql.ts";
import { type Actor, monitorReach, projectReach } from "../../accounts/reach.ts";
import type { TargetKind } from "../schema.ts";

/** A domain or job in reach that a monitor can watch. */
export interface Candidate {
  kind: TargetKind;
  id: number;
  /** Lower case. */
  name: string;
}

export const listDomainsNamed = (db: Db, actor: Actor, names: readonly string[]): Promise<Candidate[]> =>
  rows(
    db,
    sql`
      select 'domain' as kind, d.id, d.domain_name as name from domains d join projects p on p.id = d.project_id
      where d.domain_name = any(${[...names]}::text[]) and ${projectReach(actor)} order by d.id
    `,
  );

/** Names are compared without regard to case. */
export const listJobsNamed = (db: Db, actor: Actor, names: readonly string[]): Promise<Candidate[]> =>
  rows(
    db,
    sql`
      select j.kind, j.id, lower(j.name) as name from project_jobs j join projects p on p.id = j.project_id
      where lower(j.name) = any(${names.map((name) => name.toLowerCase())}::text[]) and ${projectReach(actor)}
      order by j.id
    `,
  );

/** Addresses and jobs that monitors in reach watch already. */
export const listWatched = (db: Db, actor: Actor): Promise<{ url: string | null; job_id: number | null }[]> =>
  rows(db, sql`select m.url, m.job_id from monitors m where ${monitorReach(actor)}`);
