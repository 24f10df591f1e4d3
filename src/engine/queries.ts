import { randomBytes } from "node:crypto";
import { changed, type Db, row, rows, sql } from "../db/sql.ts";
import type { Outcome } from "./journal.ts";
import type { Plan } from "./plan.ts";

/** The channel on which those who wait hear that a run ended. The payload is the run's id. */
export const runsChannel = "longshore_runs";

export type RunState = "created" | "starting" | "running" | Outcome | "stalled";

export interface Run {
  id: number;
  /** null once the server was deleted */
  server_id: number | null;
  kind: string;
  subject_id: number;
  plan: Plan;
  nonce: string;
  state: RunState;
  journal_offset: number;
  cancel_requested_at: string | null;
  error: string | null;
  facts: Record<string, string>;
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
}

export type StepStatus = "pending" | "running" | "completed" | "failed" | "skipped" | "unreported";

export interface RunStep {
  run_id: number;
  position: number;
  key: string;
  label: string;
  phase: string;
  status: StepStatus;
  exit_code: number | null;
  detail: string | null;
  duration_ms: number | null;
  started_at: string | null;
  finished_at: string | null;
}

/** What changes of a step; `undefined` leaves it. Times in milliseconds since 1970, by the server's clock. */
export interface StepChange {
  position: number;
  status: StepStatus;
  exitCode?: number | undefined;
  detail?: string | undefined;
  durationMs?: number | undefined;
  startedAt?: number | undefined;
  finishedAt?: number | undefined;
}

export interface OutputPiece {
  offset: number;
  position: number | null;
  audience: "system" | "client";
  text: string;
}

export const isEnded = (run: Pick<Run, "ended_at">): boolean => run.ended_at !== null;

export async function insertRun(
  tx: Db,
  run: { serverId: number; kind: string; subjectId: number; plan: Plan },
): Promise<number> {
  const nonce = randomBytes(12).toString("hex");
  const inserted = await row<{ id: number }>(
    tx,
    sql`
      insert into runs (server_id, kind, subject_id, plan, nonce)
      values (${run.serverId}, ${run.kind}, ${run.subjectId}, ${JSON.stringify(run.plan)}, ${nonce})
      returning id
    `,
  );
  const { id } = inserted as { id: number };
  const steps = run.plan.steps.map(({ key, label, phase }, position) => ({ position, key, label, phase }));
  await tx.query(sql`
    insert into run_steps (run_id, position, key, label, phase)
    select ${id}, position, key, label, phase
    from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb) as s(position integer, key text, label text, phase text)
  `);
  return id;
}

export const findRun = (db: Db, id: number): Promise<Run | undefined> =>
  row<Run>(db, sql`select * from runs where id = ${id}`);

/** The newest run for a record. */
export const findRunOf = (db: Db, kind: string, subjectId: number): Promise<Run | undefined> =>
  row<Run>(db, sql`select * from runs where kind = ${kind} and subject_id = ${subjectId} order by id desc limit 1`);

export const listRunSteps = (db: Db, runId: number): Promise<RunStep[]> =>
  rows<RunStep>(db, sql`select * from run_steps where run_id = ${runId} order by position`);

/** Compare-and-set of the state; the run as it is now, or undefined when it was not in `from`. */
export const moveRun = (tx: Db, id: number, from: RunState[], to: RunState): Promise<Run | undefined> =>
  row<Run>(
    tx,
    sql`
      update runs set state = ${to}, started_at = case when ${to} = 'running' then clock_timestamp() else started_at end
      where id = ${id} and state = any(${from}) returning *
    `,
  );

/**
 * Ends a run that has not ended; undefined when it has. Steps that were to come are skipped, and who waits for the end
 * hears of it at the commit.
 */
export async function endRun(
  tx: Db,
  id: number,
  end: { state: Outcome | "stalled"; error: string | null },
): Promise<Run | undefined> {
  const run = await row<Run>(
    tx,
    sql`
      update runs set state = ${end.state}, error = ${end.error}, ended_at = clock_timestamp()
      where id = ${id} and ended_at is null returning *
    `,
  );
  if (!run) return undefined;
  await settleSteps(tx, id, end.state === "stalled");
  await tx.query("select pg_notify($1, $2)", [runsChannel, String(id)]);
  return run;
}

// What began and never said how it ended is not known; what did not begin was skipped.
async function settleSteps(tx: Db, runId: number, stalled: boolean): Promise<void> {
  const pending = stalled ? "pending" : "skipped";
  await tx.query(sql`
    update run_steps set status = case status when 'running' then 'unreported' else ${pending} end
    where run_id = ${runId} and status in ('pending', 'running')
  `);
}

/** Moves the offset by compare-and-set and adds facts; false when another follower was here, and nothing may be stored. */
export async function advanceRun(
  tx: Db,
  run: { id: number; from: number; to: number; facts: Record<string, string> },
): Promise<boolean> {
  const count = await changed(
    tx,
    sql`
      update runs set journal_offset = ${run.to}, facts = facts || ${JSON.stringify(run.facts)}::jsonb
      where id = ${run.id} and journal_offset = ${run.from} and ended_at is null
    `,
  );
  return count === 1;
}

export async function insertOutput(tx: Db, runId: number, pieces: OutputPiece[]): Promise<void> {
  if (pieces.length === 0) return;
  await tx.query(sql`
    insert into run_output (run_id, journal_offset, step_position, audience, text)
    select ${runId}, * from unnest(
      ${pieces.map((piece) => piece.offset)}::bigint[], ${pieces.map((piece) => piece.position)}::integer[],
      ${pieces.map((piece) => piece.audience)}::text[], ${pieces.map((piece) => piece.text)}::text[])
  `);
}

export async function updateSteps(tx: Db, runId: number, changes: StepChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.query(sql`
    update run_steps s set
      status = c.status,
      exit_code = coalesce(c."exitCode", s.exit_code),
      detail = coalesce(c.detail, s.detail),
      duration_ms = coalesce(c."durationMs", s.duration_ms),
      started_at = coalesce(to_timestamp(c."startedAt" / 1000.0), s.started_at),
      finished_at = coalesce(to_timestamp(c."finishedAt" / 1000.0), s.finished_at)
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
      as c(position integer, status text, "exitCode" integer, detail text, "durationMs" bigint, "startedAt" bigint, "finishedAt" bigint)
    where s.run_id = ${runId} and s.position = c.position
  `);
}

/** The end of what a step printed, up to 4,000 characters. */
export async function lastOutputOf(db: Db, runId: number, position: number): Promise<string> {
  const last = await rows<{ text: string }>(
    db,
    sql`
      select right(text, 4000) as text from run_output
      where run_id = ${runId} and step_position = ${position} order by journal_offset desc limit 3
    `,
  );
  return last
    .reverse()
    .map((piece) => piece.text)
    .join("");
}

export const listOutput = (db: Db, runId: number): Promise<{ audience: "system" | "client"; text: string }[]> =>
  rows(db, sql`select audience, text from run_output where run_id = ${runId} order by journal_offset`);

export const markCancelRequested = (tx: Db, id: number): Promise<Run | undefined> =>
  row<Run>(
    tx,
    sql`
      update runs set cancel_requested_at = clock_timestamp()
      where id = ${id} and ended_at is null and cancel_requested_at is null returning *
    `,
  );

/** Deletes what runs of a kind printed that ended before `days` days; how many runs that was, `limit` at the most. */
export async function deleteOldOutput(db: Db, kind: string, days: number, limit: number): Promise<number> {
  const deleted = await rows(
    db,
    sql`
      with old as (
        select id from runs r
        where kind = ${kind} and ended_at < clock_timestamp() - make_interval(days => ${days})
          and exists (select 1 from run_output o where o.run_id = r.id)
        limit ${limit}
      ), gone as (
        delete from run_output where run_id in (select id from old)
      )
      select id from old
    `,
  );
  return deleted.length;
}
