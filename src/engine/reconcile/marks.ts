import { type Db, rows, sql } from "../../db/sql.ts";
import type { SubjectRef } from "../kind.ts";
import type { Applied } from "../runs/plan.ts";

// A mark identifies the state of a target that a server has, as far as it is known. Steps declare it (`applying`), and it is stored
// together with their report, whatever kind of run they are part of.

/**
 * Stores the states of targets, one for each, that a run brought its server to, in the transaction that stores its report, with the
 * run's record locked. A run that was cancelled leaves unknown states: what it works for may have been removed from there since.
 */
export async function recordMarks(tx: Db, runId: number, marks: readonly Applied[]): Promise<void> {
  if (marks.length === 0) return;
  await tx.query(sql`
    with changed as (
      select m.kind, m.subject, m.subject_id, r.server_id, case when r.cancel_requested_at is null then m.mark end as mark
      from runs r, unnest(${marks.map(({ kind }) => kind)}::text[], ${marks.map(({ subject }) => subject)}::text[],
        ${marks.map(({ subjectId }) => subjectId)}::bigint[], ${marks.map(({ mark }) => mark)}::text[])
        as m(kind, subject, subject_id, mark)
      where r.id = ${runId} and r.server_id is not null
    ), forgotten as (
      update targets t set applied_mark = null, applied_at = null from changed c
      where c.mark is null and t.kind = c.kind and t.subject_id = c.subject_id and t.server_id = c.server_id
    )
    insert into targets (kind, subject, subject_id, server_id, wanted_version, applied_mark, applied_at)
    select kind, subject, subject_id, server_id, 0, mark, clock_timestamp() from changed where mark is not null order by kind
    on conflict (subject_id, kind, coalesce(server_id, 0)) do update set
      applied_mark = excluded.applied_mark, applied_at = excluded.applied_at
  `);
}

/** Makes the states of all servers unknown: the database was restored, and servers have what was done since its backup. */
export const forgetAllMarks = async (db: Db): Promise<void> =>
  void (await db.query(sql`update targets set applied_mark = null, applied_at = null where applied_mark is not null`));

/** The known states of a record's targets on a server, by their kinds. */
export async function listMarks(db: Db, { subject, subjectId }: SubjectRef, serverId: number) {
  const found = await rows<{ kind: string; mark: string }>(
    db,
    sql`
      select kind, applied_mark as mark from targets
      where subject_id = ${subjectId} and subject = ${subject} and server_id = ${serverId} and applied_mark is not null
    `,
  );
  return new Map(found.map(({ kind, mark }) => [kind, mark]));
}
