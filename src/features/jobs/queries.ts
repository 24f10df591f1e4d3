import { limitOf } from "../../db/page.ts";
import { changed, type Db, row, rows, sql } from "../../db/sql.ts";
import type { Loss, LossScope } from "../../http/dry-run.ts";
import type { PageRequest } from "../../http/pagination.ts";
import { isInScope, lossOf } from "../../http/queries.ts";
import { type Actor, projectReach } from "../accounts/reach.ts";
import type { JobKind, JobRow, JobStatus } from "./schema.ts";

const columns = sql`
  j.id, j.project_id, j.kind, j.name, j.command, j.cron_expression, j.processes, j.is_active, j.status, j.error,
  j.heartbeat_url, j.heartbeat_digest, j.created_at, j.updated_at, s.timezone
`;

const joined = sql`project_jobs j join projects p on p.id = j.project_id join servers s on s.id = p.server_id`;

/** The job and the project that a request names. */
export interface JobPath {
  kind: JobKind;
  projectId: number;
  jobId: number;
}

export const findJob = (db: Db, actor: Actor, { kind, projectId, jobId }: JobPath): Promise<JobRow | undefined> =>
  row(
    db,
    sql`
      select ${columns} from ${joined}
      where j.id = ${jobId} and j.kind = ${kind} and j.project_id = ${projectId} and ${projectReach(actor)}
    `,
  );

/** Jobs of a kind, each with the total count. Empty if the project is out of reach. */
export const listJobs = (
  db: Db,
  actor: Actor,
  { kind, projectId }: Pick<JobPath, "kind" | "projectId">,
  page: PageRequest,
): Promise<(JobRow & { total: number })[]> =>
  rows(
    db,
    sql`
      select ${columns}, count(*) over () as total from ${joined}
      where j.project_id = ${projectId} and j.kind = ${kind} and ${projectReach(actor)}
      order by j.id ${limitOf(page)}
    `,
  );

export async function countJobs(db: Db, projectId: number, kind: JobKind): Promise<number> {
  const counted = await row<{ count: number }>(
    db,
    sql`select count(*) from project_jobs where project_id = ${projectId} and kind = ${kind}`,
  );
  return counted?.count ?? 0;
}

/** All jobs of a project. Without an actor: only for jobs, never for a response. */
export const listJobsForWork = (db: Db, projectId: number): Promise<JobRow[]> =>
  rows(db, sql`select ${columns} from ${joined} where j.project_id = ${projectId} order by j.id`);

/** The settings of a job in a request. */
export type JobSettings = Pick<JobRow, "name" | "command" | "cron_expression" | "processes" | "is_active">;

export async function insertJob(tx: Db, projectId: number, kind: JobKind, job: JobSettings): Promise<number> {
  const inserted = await row<{ id: number }>(
    tx,
    sql`
      insert into project_jobs (project_id, kind, name, command, cron_expression, processes, is_active)
      values (${projectId}, ${kind}, ${job.name}, ${job.command}, ${job.cron_expression}, ${job.processes},
        ${job.is_active})
      returning id
    `,
  );
  return (inserted as { id: number }).id;
}

/** Writes a job of a project that the caller has locked. With `isChanged` its status is pending until the server's report. */
export async function updateJob(tx: Db, id: number, job: JobSettings, isChanged: boolean): Promise<void> {
  await tx.query(sql`
    update project_jobs set name = ${job.name}, command = ${job.command}, cron_expression = ${job.cron_expression},
      processes = ${job.processes}, is_active = ${job.is_active}, updated_at = clock_timestamp(),
      status = case when ${isChanged} then 'pending' else status end,
      error = case when ${isChanged} then null else error end
    where id = ${id}
  `);
}

/** Sets or clears the address of the job's heartbeat. False if the job is gone or the address is the same. */
export const setHeartbeat = async (
  tx: Db,
  id: number,
  heartbeat: { url: Buffer; digest: string } | undefined,
): Promise<boolean> =>
  (await changed(
    tx,
    sql`
      update project_jobs set heartbeat_url = ${heartbeat?.url ?? null}, heartbeat_digest = ${heartbeat?.digest ?? null},
        status = 'pending', error = null, updated_at = clock_timestamp()
      where id = ${id} and heartbeat_digest is distinct from ${heartbeat?.digest ?? null}
    `,
  )) === 1;

export const deleteJobRow = async (tx: Db, id: number): Promise<boolean> =>
  (await row(tx, sql`delete from project_jobs where id = ${id} returning id`)) !== undefined;

/** A server's report on a job. */
export interface JobReport {
  id: number;
  status: JobStatus;
  error: string | null;
}

/** Records the server's reports; returns the jobs that they change. */
export const reportJobs = (tx: Db, projectId: number, reports: readonly JobReport[]): Promise<{ id: number }[]> =>
  rows(
    tx,
    sql`
      update project_jobs j set status = r.status, error = r.error, updated_at = clock_timestamp()
      from jsonb_to_recordset(${JSON.stringify(reports)}::jsonb) as r(id bigint, status text, error text)
      where j.id = r.id and j.project_id = ${projectId} and (j.status, j.error) is distinct from (r.status, r.error)
      returning j.id
    `,
  );

/** What is lost with a server. */
export function listLosses(db: Db, scope: LossScope): Promise<Loss[]> {
  const ofKind = (kind: JobKind) => ({
    id: sql`j.id`,
    name: sql`j.name`,
    from: sql`project_jobs j join projects p on p.id = j.project_id where ${isInScope(scope)} and j.kind = ${kind}`,
  });
  const [scheduled, background] = [ofKind("scheduled"), ofKind("background")];
  return rows(db, sql`${lossOf("scheduler_job", scheduled)} union all ${lossOf("background_job", background)}`);
}
