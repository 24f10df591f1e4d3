import { changed, type Db, row, rows, sql } from "../../../db/sql.ts";
import { runningStatuses } from "../../deployments/queries.ts";
import type { MonitorStatus } from "../schema.ts";
import type { PingKind } from "./schema.ts";

// Receiving --------------------------------------------------------------------------------------------------------------

/** Several reports of one heartbeat, merged. */
export interface Report {
  digest: string;
  /** The kind of the newest report. */
  kind: PingKind;
  exitStatus: number | null;
  durationMs: number | null;
  body: string | null;
  /** Run of the newest start; null: none. */
  startedRun: string | null;
  /** The newest end. */
  endKind: "success" | "fail" | null;
  endRun: string;
}

/**
 * Stores reports in one statement, those of one heartbeat in one row; returns the digests of existing heartbeats. An end that may
 * change the status makes the monitor due. A start of the run that ended last is late, and is ignored.
 */
export async function recordReports(db: Db, reports: readonly Report[]): Promise<Set<string>> {
  const stored = await rows<{ digest: string }>(
    db,
    sql`
      with locked as materialized (
        -- In one order, since other processes do the same.
        select m.id, r.kind, r.exit_status, r.duration_ms, r.body, r.started_run, r.end_kind, r.end_run
        from unnest(
          ${reports.map(({ digest }) => digest)}::text[], ${reports.map(({ kind }) => kind)}::text[],
          ${reports.map(({ exitStatus }) => exitStatus)}::smallint[],
          ${reports.map(({ durationMs }) => durationMs)}::bigint[], ${reports.map(({ body }) => body)}::text[],
          ${reports.map(({ startedRun }) => startedRun)}::text[], ${reports.map(({ endKind }) => endKind)}::text[],
          ${reports.map(({ endRun }) => endRun)}::text[]
        ) as r (digest, kind, exit_status, duration_ms, body, started_run, end_kind, end_run)
        join monitors m on m.ping_digest = decode(r.digest, 'hex')
        order by m.id for no key update of m
      )
      update monitors m set
        last_ping_at = now(), last_ping_kind = r.kind,
        last_ping_exit_status = case when r.kind = 'start' then m.last_ping_exit_status else r.exit_status end,
        last_ping_duration_ms = case when r.kind = 'start' then m.last_ping_duration_ms else r.duration_ms end,
        last_ping_body = case when r.kind = 'start' and r.body is null then m.last_ping_body else r.body end,
        last_started_at = case
          when r.started_run is null or (r.started_run <> '' and r.started_run = m.last_end_run) then m.last_started_at
          else now() end,
        last_end_at = case when r.end_kind is null then m.last_end_at else now() end,
        last_end_kind = coalesce(r.end_kind, m.last_end_kind),
        last_end_run = case when r.end_kind is null then m.last_end_run else r.end_run end,
        due_at = case
          when r.end_kind is null then m.due_at
          when r.end_kind = 'success' and m.last_end_kind = 'success' and m.current_status = 'up' and m.failures = 0
            then m.due_at
          else least(m.due_at, now()) end
      from locked r where m.id = r.id
      returning encode(m.ping_digest, 'hex') as digest
    `,
  );
  return new Set(stored.map(({ digest }) => digest));
}

/** Records that a process receives reports. If none did so for `gapSeconds`, that time is stored as a gap. */
export async function recordIntake(db: Db, gapSeconds: number): Promise<void> {
  await changed(
    db,
    sql`
      with former as (
        select alive_at from heartbeat_intake for update
      ), gap as (
        insert into heartbeat_gaps (started_at, ended_at)
        select alive_at, now() from former where alive_at < now() - make_interval(secs => ${gapSeconds})
      )
      update heartbeat_intake i set alive_at = greatest(i.alive_at, now()) from former
    `,
  );
}

// Evaluating -------------------------------------------------------------------------------------------------------------

/** A due heartbeat, as it was when it was claimed. */
export interface DueHeartbeat {
  id: number;
  organization_id: number;
  project_id: number;
  server_id: number;
  revision: number;
  current_status: MonitorStatus;
  failures: number;
  confirmation_threshold: number;
  expected_period_seconds: number | null;
  grace_seconds: number | null;
  /** From when on a report can be missing. */
  watched_since: string;
  /** From when on reports count. */
  counted_since: string;
  last_started_at: string | null;
  last_end_at: string | null;
  last_end_kind: "success" | "fail" | null;
  last_ping_exit_status: number | null;
  last_ping_duration_ms: number | null;
  last_ping_body: string | null;
  cron_expression: string | null;
  timezone: string;
  /** Why no report can be expected; null when one can. */
  hold: string | null;
  claimed_at: string;
  /** The new `due_at`: until then no other process evaluates it. */
  leased_until: string;
}

/**
 * Claims due heartbeats. None while no process receives reports: a missing report then proves nothing about a job. If an
 * evaluation is never finished, the heartbeat is due again when the lease ends.
 */
export const claimDueHeartbeats = (
  db: Db,
  limit: number,
  options: { leaseSeconds: number; gapSeconds: number },
): Promise<DueHeartbeat[]> =>
  rows(
    db,
    sql`
      update monitors m set due_at = now() + make_interval(secs => ${options.leaseSeconds})
      from project_jobs j, projects p, servers s, placements pl
      where j.id = m.job_id and p.id = m.project_id and s.id = p.server_id and pl.project_id = p.id
        and pl.server_id = p.server_id and m.id in (
        select id from monitors
        where type = 'heartbeat' and is_active and (due_at is null or due_at <= now()) and exists (
          select 1 from heartbeat_intake where alive_at >= now() - make_interval(secs => ${options.gapSeconds}))
        order by due_at nulls first limit ${limit} for no key update skip locked)
      returning m.id, m.organization_id, m.project_id, p.server_id, m.revision, m.current_status, m.failures,
        m.confirmation_threshold, m.expected_period_seconds, m.grace_seconds, m.watched_since, m.counted_since,
        m.last_started_at, m.last_end_at, m.last_end_kind, m.last_ping_exit_status, m.last_ping_duration_ms, m.last_ping_body,
        j.cron_expression, s.timezone, now() as claimed_at, m.due_at as leased_until,
        case
          when not j.is_active then 'the job is switched off'
          when not pl.is_prepared or pl.live_release_id is null then 'the project is not installed'
          when exists (select 1 from deployments d
            where d.project_id = p.id and d.process_type = 'move' and d.status in ${runningStatuses})
            then 'the project is being moved'
          when j.status = 'pending' then 'the server does not have the job yet'
        end as hold
    `,
  );

/** The stored result of an evaluation. */
export interface Evaluation {
  failures: number;
  at: Date;
  observedUntil: Date | null;
  dueAt: Date;
  /** Reports are expected from now on. */
  restartsWatch: boolean;
}

/**
 * Stores an evaluation. False, with nothing written, if the monitor's settings have changed, or it is switched off or gone. A
 * report that has since made it due again keeps it due.
 */
export const recordEvaluation = async (tx: Db, heartbeat: DueHeartbeat, evaluation: Evaluation): Promise<boolean> =>
  (await changed(
    tx,
    sql`
      update monitors set failures = ${evaluation.failures}, last_checked_at = ${evaluation.at},
        observed_until = coalesce(${evaluation.observedUntil}, observed_until),
        watched_since = case when ${evaluation.restartsWatch} then ${evaluation.at}::timestamptz else watched_since end,
        due_at = case when due_at = ${heartbeat.leased_until} then ${evaluation.dueAt} else due_at end
      where id = ${heartbeat.id} and revision = ${heartbeat.revision} and is_active
    `,
  )) === 1;

export const listGaps = (db: Db, since: Date): Promise<{ started_at: string; ended_at: string }[]> =>
  rows(db, sql`select started_at, ended_at from heartbeat_gaps where ended_at > ${since} order by ended_at`);

export async function deleteOldGaps(db: Db, days: number): Promise<void> {
  await changed(db, sql`delete from heartbeat_gaps where ended_at < now() - make_interval(days => ${days})`);
}

export interface LastPing {
  kind: PingKind;
  exit_status: number | null;
  duration_ms: number | null;
  body: string | null;
}

/** Undefined when there was none. */
export const findLastPing = (db: Db, monitorId: number): Promise<LastPing | undefined> =>
  row(
    db,
    sql`
      select last_ping_kind as kind, last_ping_exit_status as exit_status, last_ping_duration_ms as duration_ms,
        last_ping_body as body
      from monitors where id = ${monitorId} and last_ping_kind is not null
    `,
  );

// Wiring -----------------------------------------------------------------------------------------------------------------

/** The heartbeat of a job: its token, encrypted; undefined when there is none. */
export const findHeartbeatOfJob = (db: Db, jobId: number): Promise<{ id: number; ping_token: Buffer } | undefined> =>
  row(db, sql`select id, ping_token from monitors where job_id = ${jobId} order by id limit 1`);

/** Jobs with a heartbeat, and the addresses that their servers have. */
export const listWiring = (
  db: Db,
): Promise<{ job_id: number; project_id: number; ping_token: Buffer; heartbeat_digest: string | null }[]> =>
  rows(
    db,
    sql`
      select distinct on (m.job_id) m.job_id, m.project_id, m.ping_token, j.heartbeat_digest
      from monitors m join project_jobs j on j.id = m.job_id where m.type = 'heartbeat' order by m.job_id, m.id
    `,
  );
