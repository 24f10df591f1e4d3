import { changed, type Db, rows, sql } from "../../db/sql.ts";
import { runningStatuses } from "../deployments/queries.ts";
import type { Memory } from "./verdicts.ts";

/** A process that can be watched: the project's own, or a background job's. */
export interface Subject {
  project_id: number;
  /** null: the project's own process. */
  job_id: number | null;
}

/** The data about a subject for messages. */
export interface SubjectRow extends Subject {
  organization_id: number;
  project_name: string;
  job_name: string | null;
  server_id: number;
  server_name: string;
}

interface WatchRow extends SubjectRow {
  id: number;
  revision: number;
  checked_at: number;
  counts: Memory["counts"];
  recent: Memory["recent"];
  last_restart_at: number;
  looping_since: string | null;
  is_deploying: boolean;
}

export interface Watch {
  id: number;
  revision: number;
  subject: SubjectRow;
  memory: Memory;
  loopingSince: string | null;
  /** A deployment of the project is running, or ended since the last check. */
  isDeploying: boolean;
}

const subject = sql`
  p.id as project_id, p.organization_id, p.name as project_name, j.id as job_id, j.name as job_name, s.id as server_id,
  s.name as server_name
`;

/** The stored watches of the processes of a server's projects. */
export async function listWatches(db: Db, serverId: number): Promise<Watch[]> {
  const found = await rows<WatchRow>(
    db,
    sql`
      select ${subject}, w.id, w.revision, w.counts, w.recent, w.looping_since,
        (extract(epoch from w.checked_at) * 1000)::float8 as checked_at,
        (extract(epoch from w.last_restart_at) * 1000)::float8 as last_restart_at,
        exists (
          select 1 from deployments d
          where d.project_id = p.id and (d.server_id = w.server_id or d.process_type = 'move')
            and (d.status in ${runningStatuses} or d.ended_at > w.checked_at)
        ) as is_deploying
      from process_watches w
      join projects p on p.id = w.project_id join servers s on s.id = w.server_id
      left join project_jobs j on j.id = w.job_id
      where s.id = ${serverId} order by w.id
    `,
  );
  return found.map((each) => ({
    id: each.id,
    revision: each.revision,
    subject: each,
    memory: {
      checkedAt: each.checked_at,
      counts: each.counts,
      recent: each.recent,
      lastRestartAt: each.last_restart_at,
      isLooping: each.looping_since !== null,
    },
    loopingSince: each.looping_since,
    isDeploying: each.is_deploying,
  }));
}

/**
 * Inserts a watch of a server's process. Does nothing if there is one, or if the server has no such project or background job: a
 * server's report may name only its own.
 */
export const insertWatch = (
  db: Db,
  serverId: number,
  { project_id, job_id }: Subject,
  memory: Memory,
): Promise<number> =>
  changed(
    db,
    sql`
      insert into process_watches (project_id, server_id, job_id, checked_at, counts, recent, last_restart_at)
      select pl.project_id, pl.server_id, j.id, to_timestamp(${memory.checkedAt / 1000}), ${JSON.stringify(memory.counts)}, '[]',
        to_timestamp(${memory.lastRestartAt / 1000})
      from placements pl
        left join project_jobs j on j.project_id = pl.project_id and j.id = ${job_id} and j.kind = 'background'
      where pl.project_id = ${project_id} and pl.server_id = ${serverId} and j.id is not distinct from ${job_id}
      on conflict do nothing
    `,
  );

/** A crash loop as a project's record shows it. */
export interface Loop {
  restarts: number;
  lastLines: readonly string[];
}

/**
 * Stores a check, unless another one was stored since the watch was read: then returns false, and nothing may be announced. `loop`
 * is a loop that began with this check; an ended one is cleared.
 */
export async function storeCheck(tx: Db, { id, revision }: Watch, memory: Memory, loop?: Loop): Promise<boolean> {
  const { isLooping } = memory;
  const at = sql`to_timestamp(${memory.checkedAt / 1000})`;
  const stored = await changed(
    tx,
    sql`
      update process_watches set revision = revision + 1, checked_at = ${at}, counts = ${JSON.stringify(memory.counts)},
        recent = ${JSON.stringify(memory.recent)}, last_restart_at = to_timestamp(${memory.lastRestartAt / 1000}),
        looping_since = case when ${isLooping} then coalesce(looping_since, ${at}) end,
        restarts = case when ${isLooping} then coalesce(restarts, ${loop?.restarts ?? null}) end,
        last_lines = case when ${isLooping} then coalesce(last_lines, ${loop?.lastLines ?? null}::text[]) end
      where id = ${id} and revision = ${revision}
    `,
  );
  return stored === 1;
}

/** Deletes a watch that is no longer needed, unless another check was stored since. */
export const deleteWatch = (db: Db, { id, revision }: Watch): Promise<number> =>
  changed(db, sql`delete from process_watches where id = ${id} and revision = ${revision} and looping_since is null`);
