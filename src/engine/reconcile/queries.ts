import { changed, type Db, raw, row, rows, type Sql, sql } from "../../db/sql.ts";
import type { Kind, SubjectRef } from "../kind.ts";
import type { AnyRef, Target, TargetRef } from "./target.ts";

/** The channel that announces a settled target; the payload is its id. */
export const targetsChannel = "longshore_targets";

const columns = raw(`
  id, kind, subject, subject_id as "subjectId", server_id as "serverId", wanted_version as "wantedVersion",
  applied_version as "appliedVersion", given_up_version as "givenUpVersion", run_id as "runId",
  running_version as "runningVersion", attempts, error, retry_at as "retryAt", since,
  applied_mark as "appliedMark"`);

/**
 * Raises the wanted version, or creates the target. A change is applied at once, even after a failed one. `again`: the state of the
 * server counts as unknown.
 */
export async function raiseWanted(tx: Db, target: AnyRef, again = false): Promise<Target> {
  const { kind, subject, subjectId, serverId } = target;
  const raised = await row<Target>(
    tx,
    sql`
      insert into targets as t (kind, subject, subject_id, server_id)
      values (${kind}, ${subject}, ${subjectId}, ${serverId ?? null})
      on conflict (subject_id, kind, coalesce(server_id, 0)) do update set
        wanted_version = t.wanted_version + 1, attempts = 0, error = null, retry_at = null,
        applied_mark = case when not ${again} then t.applied_mark end,
        applied_at = case when not ${again} then t.applied_at end,
        since = case when t.wanted_version in (t.applied_version, t.given_up_version) then clock_timestamp() else t.since end
      returning ${columns}
    `,
  );
  return raised as Target;
}

export const findTarget = (db: Db, { kind, subjectId, serverId }: AnyRef): Promise<Target | undefined> =>
  row<Target>(
    db,
    sql`
      select ${columns} from targets
      where kind = ${kind} and subject_id = ${subjectId} and server_id is not distinct from ${serverId ?? null}::bigint
    `,
  );

export const findTargetById = (db: Db, id: number): Promise<Target | undefined> =>
  row<Target>(db, sql`select ${columns} from targets where id = ${id}`);

export const findTargetOfRun = (db: Db, runId: number): Promise<Target | undefined> =>
  row<Target>(db, sql`select ${columns} from targets where run_id = ${runId}`);

/**
 * Locks a target until the end of the transaction, after its record: no change can be recorded between reading the records and
 * the run.
 */
export const lockTarget = (tx: Db, id: number): Promise<Target | undefined> =>
  row<Target>(tx, sql`select ${columns} from targets where id = ${id} for update`);

export const listTargets = (db: Db, kinds: readonly Kind[], subjectIds: readonly number[]): Promise<Target[]> =>
  rows<Target>(
    db,
    sql`select ${columns} from targets
      where kind = any(${kinds.map(({ kind }) => kind)}::text[]) and subject_id = any(${subjectIds}::bigint[]) order by id
    `,
  );

const isoTime = (column: string): string => `to_char(t.${column}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The targets of a record (`TargetState[]`), as a column of the query that reads the record; `subjectId`: its id there. */
export const targetsOf = (kinds: readonly Kind[], subjectId: Sql): Sql => sql`(
  select coalesce(json_agg(json_build_object('wantedVersion', t.wanted_version, 'appliedVersion', t.applied_version,
    'givenUpVersion', t.given_up_version, 'attempts', t.attempts, 'error', t.error,
    'retryAt', ${raw(isoTime("retry_at"))}, 'since', ${raw(isoTime("since"))}) order by t.id), '[]')
  from targets t where t.subject_id = ${subjectId} and t.kind = any(${kinds.map(({ kind }) => kind)}::text[]))`;

export const startedRun = (tx: Db, id: number, runId: number): Promise<number> =>
  changed(
    tx,
    sql`update targets set run_id = ${runId}, running_version = wanted_version, retry_at = null where id = ${id}`,
  );

/** How long a process holds an outside target without renewal, in seconds. */
export const leaseSeconds = 15;

/** Takes an outside target that no other process holds, for an attempt; undefined when one does. */
export const leaseTarget = (tx: Db, id: number, token: string): Promise<Target | undefined> =>
  row<Target>(
    tx,
    sql`
      update targets set
        lease_token = ${token}, lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}),
        running_version = wanted_version, retry_at = null
      where id = ${id} and (lease_until is null or lease_until < clock_timestamp())
      returning ${columns}
    `,
  );

export const renewTarget = async (db: Db, id: number, token: string): Promise<boolean> =>
  (await changed(
    db,
    sql`
      update targets set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      where id = ${id} and lease_token = ${token}
    `,
  )) === 1;

/** Releases an outside target whose attempt was interrupted. */
export const releaseTarget = (db: Db, id: number, token: string): Promise<number> =>
  changed(
    db,
    sql`
      update targets set lease_token = null, lease_until = null, running_version = null
      where id = ${id} and lease_token = ${token}
    `,
  );

/** Whether this attempt still holds the target: another process may have taken over an outside target. */
const isOf = (token: string | undefined) => sql`lease_token is not distinct from ${token ?? null}::uuid`;

/** Stores that a version was applied, unless the target was deleted; returns the updated target. */
export const storeApplied = (
  tx: Db,
  id: number,
  { version, token }: { version: number; token?: string | undefined },
): Promise<Target | undefined> =>
  row<Target>(
    tx,
    sql`
      with stored as (
        update targets set
          applied_version = ${version}, run_id = null, running_version = null, attempts = 0, error = null, retry_at = null,
          lease_token = null, lease_until = null,
          since = case when wanted_version = ${version} then clock_timestamp() else since end
        where id = ${id} and ${isOf(token)} returning *
      )
      select ${columns}, pg_notify(${targetsChannel}, id::text) from stored
    `,
  );

interface FailedAttempt {
  version: number;
  error: string;
  retryInSeconds: number | null;
  token?: string | undefined;
}

/**
 * Stores a failed attempt at a version: it is retried after `retryInSeconds`, or given up when that is null. When the records
 * changed during the attempt, the new version starts with no failed attempts.
 */
export const storeFailed = (
  tx: Db,
  id: number,
  { version, error, retryInSeconds, token }: FailedAttempt,
): Promise<Target | undefined> =>
  row<Target>(
    tx,
    sql`
      with stored as (
        update targets set
          run_id = null, running_version = null, lease_token = null, lease_until = null,
          attempts = case when wanted_version = ${version} then attempts + 1 else 0 end,
          error = case when wanted_version = ${version} then ${error}::text end,
          retry_at = case when wanted_version = ${version}
            then clock_timestamp() + make_interval(secs => ${retryInSeconds}::double precision) end,
          given_up_version = case when ${retryInSeconds}::double precision is null then ${version} else given_up_version end
        where id = ${id} and ${isOf(token)} returning *
      )
      select ${columns}, pg_notify(${targetsChannel}, id::text) from stored
    `,
  );

/**
 * Moves a target to another server. Its versions continue, and its run on the former server no longer counts as its run. The state
 * is that of the new server, where another run may have recorded one.
 */
export const changeServer = (
  tx: Db,
  { kind, subjectId }: Omit<TargetRef, "serverId">,
  { from, to }: { from: number; to: number },
): Promise<number> =>
  changed(
    tx,
    sql`
      with there as (
        delete from targets t where t.kind = ${kind} and t.subject_id = ${subjectId} and t.server_id = ${to} and exists (
          select 1 from targets f where f.kind = ${kind} and f.subject_id = ${subjectId} and f.server_id = ${from})
        returning applied_mark, applied_at
      )
      update targets set server_id = ${to}, run_id = null, running_version = null,
        (applied_mark, applied_at) = (select applied_mark, applied_at from there)
      where kind = ${kind} and subject_id = ${subjectId} and server_id = ${from}
    `,
  );

/** Deletes the targets of a record, of all kinds: on one server, or on all. Outside targets stay. */
export const deleteTargets = (tx: Db, { subject, subjectId }: SubjectRef, serverId?: number): Promise<number> => {
  const there = serverId === undefined ? sql`server_id is not null` : sql`server_id = ${serverId}`;
  return changed(
    tx,
    sql`
      with deleted as (
        delete from targets where subject = ${subject} and subject_id = ${subjectId} and ${there} returning id
      )
      select pg_notify(${targetsChannel}, id::text) from deleted
    `,
  );
};

export const deleteTarget = (tx: Db, { kind, subjectId, serverId }: AnyRef): Promise<number> =>
  changed(
    tx,
    sql`
      with deleted as (
        delete from targets
        where kind = ${kind} and subject_id = ${subjectId} and server_id is not distinct from ${serverId ?? null}::bigint
        returning id
      )
      select pg_notify(${targetsChannel}, id::text) from deleted
    `,
  );

const isBehind = raw("applied_version < wanted_version and given_up_version < wanted_version");

/** Makes targets that wait for another attempt on a server due now; returns the ids. */
export const hastenRetries = (tx: Db, serverId: number): Promise<{ id: number }[]> =>
  rows(
    tx,
    sql`
      update targets set retry_at = null
      where server_id = ${serverId} and run_id is null and attempts > 0 and ${isBehind} returning id
    `,
  );

/** Targets that should be in progress and are not: the job was lost, or the run ended without a report to the target. */
export const listOverdue = (db: Db, limit: number): Promise<{ id: number; serverId: number | null }[]> =>
  rows(
    db,
    sql`
      select t.id, t.server_id as "serverId" from targets t left join runs r on r.id = t.run_id
      where ${isBehind} and case when t.run_id is null
        then coalesce(t.lease_until, t.retry_at, t.since) < clock_timestamp() - interval '1 minute'
        else r.ended_at < clock_timestamp() - interval '1 minute' end
      order by t.id limit ${limit}
    `,
  );
