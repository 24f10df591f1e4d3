import { randomBytes } from "node:crypto";
import { changed, type Db, empty, raw, row, rows, sql } from "../../db/sql.ts";
import type { Counts } from "../../lib/metrics.ts";
import { countNewlines } from "../../lib/newlines.ts";
import type { Kind, Subject } from "../kind.ts";
import { lockRecord } from "../locks.ts";
import type { Outcome } from "./journal.ts";
import type { Plan } from "./plan.ts";

/** The channel that notifies waiting callers that a run ended. The payload is the run's id. */
export const runsChannel = "longshore_runs";

export type RunState = "created" | "starting" | "running" | Outcome | "stalled";

export interface Run {
  id: number;
  /** null once the server was deleted */
  server_id: number | null;
  kind: string;
  subject: Subject;
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

export const stepStatuses = ["pending", "running", "completed", "failed", "skipped", "unreported"] as const;
export type StepStatus = (typeof stepStatuses)[number];

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

/** Changes of a step; `undefined` leaves a value. Times in milliseconds since 1970, by the server's clock. */
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
  /** UTF-8 without NUL; must not be kept, see `readJournal`. */
  text: Buffer;
}

export const isEnded = (run: Pick<Run, "ended_at">): boolean => run.ended_at !== null;

interface CreatedRun extends Kind {
  serverId: number;
  subjectId: number;
  plan: Plan;
}

const nonceBytes = 12;

export async function insertRun(tx: Db, run: CreatedRun): Promise<number> {
  const [id] = await insertRuns(tx, [run]);
  return id as number;
}

/** As `insertRun`, for several runs; their ids in the same order. */
export async function insertRuns(tx: Db, runs: readonly CreatedRun[]): Promise<number[]> {
  if (runs.length === 0) return [];
  // The nonce shows which id belongs to which run.
  const random = randomBytes(runs.length * nonceBytes);
  const given = runs.map((run, at) => ({
    ...run,
    nonce: random.toString("hex", at * nonceBytes, (at + 1) * nonceBytes),
  }));
  const steps = given.flatMap(({ nonce, plan }) => plan.steps.map((step, position) => ({ ...step, nonce, position })));
  const inserted = await rows<{ id: number; nonce: string }>(
    tx,
    sql`
      with inserted as (
        insert into runs (server_id, kind, subject, subject_id, plan, nonce)
        select g.server_id, g.kind, g.subject, g.subject_id, g.plan::json, g.nonce
        from unnest(
          ${given.map((run) => run.serverId)}::bigint[], ${given.map((run) => run.kind)}::text[],
          ${given.map((run) => run.subject)}::text[], ${given.map((run) => run.subjectId)}::bigint[],
          ${given.map((run) => JSON.stringify(run.plan))}::text[], ${given.map((run) => run.nonce)}::text[])
          as g(server_id, kind, subject, subject_id, plan, nonce)
        returning id, nonce
      ), steps as (
        insert into run_steps (run_id, position, key, label, phase)
        select i.id, s.position, s.key, s.label, s.phase
        from inserted i join unnest(
          ${steps.map((step) => step.nonce)}::text[], ${steps.map((step) => step.position)}::integer[],
          ${steps.map((step) => step.key)}::text[], ${steps.map((step) => step.label)}::text[],
          ${steps.map((step) => step.phase)}::text[])
          as s(nonce, position, key, label, phase) on s.nonce = i.nonce
      )
      select id, nonce from inserted
    `,
  );
  const ids = new Map(inserted.map(({ id, nonce }) => [nonce, id]));
  return given.map(({ nonce }) => ids.get(nonce) as number);
}

export const findRun = (db: Db, id: number): Promise<Run | undefined> =>
  row<Run>(db, sql`select * from runs where id = ${id}`);

/** The newest run of a kind for a record. */
export const findRunOf = (
  db: Db,
  { kind }: Pick<Kind, "kind">,
  subjectId: number,
  serverId?: number,
): Promise<Run | undefined> => {
  const there = serverId === undefined ? sql`` : sql`and server_id = ${serverId}`;
  return row<Run>(
    db,
    sql`select * from runs where kind = ${kind} and subject_id = ${subjectId} ${there} order by id desc limit 1`,
  );
};

export const listRunSteps = (db: Db, runId: number): Promise<RunStep[]> =>
  rows<RunStep>(db, sql`select * from run_steps where run_id = ${runId} order by position`);

/** The steps of several runs, in order for each run. */
export const listStepsOfRuns = (db: Db, runIds: readonly number[]): Promise<RunStep[]> =>
  rows<RunStep>(db, sql`select * from run_steps where run_id = any(${runIds}::bigint[]) order by run_id, position`);

/**
 * Compare-and-set of the state; returns the fields of the run that may have changed, or undefined when it was not in `from`.
 * Not its plan, which does not change and may be large.
 */
export const moveRun = (
  tx: Db,
  id: number,
  from: RunState[],
  to: RunState,
): Promise<Pick<Run, "state" | "cancel_requested_at" | "started_at"> | undefined> =>
  row(
    tx,
    sql`
      update runs set state = ${to}, started_at = case when ${to} = 'running' then clock_timestamp() else started_at end
      where id = ${id} and state = any(${from}) returning state, cancel_requested_at, started_at
    `,
  );

/** As `moveRun`, from created to starting, with the plan that was made for it; returns whether it was in that state. */
export async function startWithPlan(db: Db, id: number, plan: Plan): Promise<boolean> {
  const started = await row(
    db,
    sql`
      with started as (
        update runs set state = 'starting', plan = ${JSON.stringify(plan)}::json
        where id = ${id} and state = 'created' returning id
      ), steps as (
        insert into run_steps (run_id, position, key, label, phase)
        select started.id, s.position - 1, s.key, s.label, s.phase from started, unnest(
          ${plan.steps.map(({ key }) => key)}::text[], ${plan.steps.map(({ label }) => label)}::text[],
          ${plan.steps.map(({ phase }) => phase)}::text[]) with ordinality as s(key, label, phase, position)
      )
      select id from started
    `,
  );
  return started !== undefined;
}

export interface RunEnding {
  state: Outcome | "stalled";
  error: string | null;
  withoutFacts?: boolean;
}

/** Locks the record that a run works for, in a transaction that is about to end the run. */
export const lockRecordOf = (tx: Db, { subject, subject_id: subjectId, server_id: serverId }: Run): Promise<void> =>
  lockRecord(tx, { subject, subjectId }, serverId);

/** What is kept of a plan some time after the end of its run: its steps are large, and nothing reads them then. */
const outline = sql`json_strip_nulls(json_build_object('kind', r.plan ->> 'kind', 'steps', json_build_array(),
  'pointOfNoReturn', 'start', 'version', r.plan ->> 'version'))`;

/** Its last phase may read what the runs before it did. */
const hasWorkflow = sql`exists (
  select from workflows w where w.subject = r.subject and w.subject_id = r.subject_id and w.ended_at is null)`;

/**
 * Ends a run that has not ended; undefined when it has. Remaining steps are skipped, and callers
 * that wait for the end are notified at the commit. A caller that settles the run's records too locks them first
 * (`lockRecordOf`).
 */
export function endRun(tx: Db, id: number, end: RunEnding): Promise<Run | undefined> {
  // The outcome of a step that began and never reported its end is unknown; a step that did not begin was skipped.
  const pending = end.state === "stalled" ? "pending" : "skipped";
  return row<Run>(
    tx,
    sql`
      with held as (
        select id from runs where id = ${id} and ended_at is null for no key update
      ), ended as (
        update runs r set state = ${end.state}, error = ${end.error}, ended_at = clock_timestamp(),
          facts = case when ${end.withoutFacts ?? false} then '{}' else r.facts end
        from held where r.id = held.id returning r.*
      ), settled as (
        update run_steps s set status = case status when 'running' then 'unreported' else ${pending} end
        from ended where s.run_id = ended.id and s.status in ('pending', 'running')
      ), notified as (
        select pg_notify(${runsChannel}, id::text) from ended
      )
      select ended.* from ended, notified
    `,
  );
}

/** A piece of a run's journal: everything that is stored of it, and its start and end. */
export interface Piece {
  runId: number;
  from: number;
  to: number;
  facts: Record<string, string>;
  output: readonly OutputPiece[];
  steps: readonly StepChange[];
}

/**
 * Stores pieces of several runs, at most one for each: moves the offset by compare-and-set, and with it facts, output
 * and steps. Returns the runs whose piece was stored; the others had ended, another follower was first, or, unless this
 * `waits`, another transaction holds the run's row.
 */
export async function storePieces(
  tx: Db,
  pieces: readonly Piece[],
  { waits }: { waits: boolean },
): Promise<ReadonlySet<number>> {
  const advances = pieces.map(({ runId, from, to, facts }) => ({ runId, from, to, facts }));
  const output = pieces.flatMap(({ runId, output }) => placed(output).map((each) => ({ runId, ...each })));
  let end = 1;
  const starts = output.map(({ text }) => {
    end += text.length;
    return end - text.length;
  });
  const steps = pieces.flatMap(({ runId, steps }) => steps.map((each) => ({ runId, ...each })));
  const stored = await rows<{ id: number }>(
    tx,
    sql`
      with given as (
        select * from jsonb_to_recordset(${JSON.stringify(advances)}::jsonb)
          as t("runId" bigint, "from" bigint, "to" bigint, facts jsonb)
      ), held as (
        select r.id from runs r join given t on r.id = t."runId" and r.journal_offset = t."from"
        where r.ended_at is null
        for no key update of r ${waits ? empty : raw("skip locked")}
      ), advanced as (
        update runs r set journal_offset = t."to", facts = r.facts || t.facts
        from held join given t on t."runId" = held.id
        where r.id = held.id
        returning r.id
      ), printed as (
        insert into run_output (run_id, journal_offset, step_position, audience, text, lines_before)
        select o.run_id, o."offset", o."position", o.audience,
          convert_from(substring(${Buffer.concat(output.map(({ text }) => text))}::bytea from o.start for o.size), 'UTF8'),
          coalesce(last.lines, 0) + o.lines_before
        from advanced join unnest(
          ${output.map((each) => each.runId)}::bigint[], ${output.map((each) => each.offset)}::bigint[],
          ${output.map((each) => each.position)}::integer[], ${output.map((each) => each.audience)}::text[],
          ${starts}::integer[], ${output.map(({ text }) => text.length)}::integer[],
          ${output.map(({ linesBefore }) => linesBefore)}::integer[])
          as o(run_id, "offset", "position", audience, start, size, lines_before)
          on o.run_id = advanced.id
        left join lateral (
          select lines_before + lines as lines from run_output
          where run_id = advanced.id order by journal_offset desc limit 1) last on true
      ), stepped as (
        update run_steps s set
          status = c.status,
          exit_code = coalesce(c."exitCode", s.exit_code),
          detail = coalesce(c.detail, s.detail),
          duration_ms = coalesce(c."durationMs", s.duration_ms),
          started_at = coalesce(to_timestamp(c."startedAt" / 1000.0), s.started_at),
          finished_at = coalesce(to_timestamp(c."finishedAt" / 1000.0), s.finished_at)
        from advanced join jsonb_to_recordset(${JSON.stringify(steps)}::jsonb) as c("runId" bigint, position integer,
          status text, "exitCode" integer, detail text, "durationMs" bigint, "startedAt" bigint, "finishedAt" bigint)
          on c."runId" = advanced.id
        where s.run_id = c."runId" and s.position = c.position
      )
      select id from advanced
    `,
  );
  return new Set(stored.map(({ id }) => id));
}

/** Each with the number of lines in those before it. */
function placed(output: readonly OutputPiece[]): (OutputPiece & { linesBefore: number })[] {
  let lines = 0;
  return output.map((piece) => {
    const linesBefore = lines;
    lines += countNewlines(piece.text);
    return { ...piece, linesBefore };
  });
}

/** The step of a run that began last, to which its next output belongs. */
export async function findLastStep(db: Db, runId: number): Promise<number | null> {
  const last = await row<{ position: number }>(
    db,
    sql`
      select position from run_steps where run_id = ${runId} and started_at is not null order by position desc limit 1
    `,
  );
  return last?.position ?? null;
}

export const markCancelRequested = (tx: Db, id: number): Promise<Run | undefined> =>
  row<Run>(
    tx,
    sql`
      update runs set cancel_requested_at = clock_timestamp()
      where id = ${id} and ended_at is null and cancel_requested_at is null returning *
    `,
  );

/** Drops the steps of a plan whose run has ended at once: they hold secrets that its record shows masked. */
export async function dropPlan(tx: Db, id: number): Promise<void> {
  await changed(
    tx,
    sql`update runs r set plan = ${outline}, is_outlined = true where r.id = ${id} and r.ended_at is not null`,
  );
}

/** Drops the steps of plans whose runs ended an hour ago, up to `limit`; returns their number. */
export const dropEndedPlans = (db: Db, limit: number): Promise<number> =>
  changed(
    db,
    sql`
      update runs r set plan = ${outline}, is_outlined = true
      where r.id in (
        select r.id from runs r where r.ended_at < clock_timestamp() - interval '1 hour' and not r.is_outlined and not ${hasWorkflow}
        order by r.id limit ${limit}
      )
    `,
  );

/**
 * Deletes runs that ended more than `days` days ago, with their steps, up to `limit`; returns their number. Runs of the
 * kinds `kept` stay, and the newest of each kind for a record, which shows the present state there.
 */
export const deleteOldRuns = (
  db: Db,
  { kept, days, limit }: { kept: readonly Kind[]; days: number; limit: number },
): Promise<number> =>
  changed(
    db,
    sql`
      delete from runs where id in (
        select r.id from runs r
        where r.ended_at < clock_timestamp() - make_interval(days => ${days}) and r.kind <> all(${kept.map(({ kind }) => kind)}::text[])
          and not exists (select 1 from run_output o where o.run_id = r.id)
          and (r.server_id is null or exists (
            select 1 from runs newer where newer.kind = r.kind and newer.subject_id = r.subject_id and newer.id > r.id))
        limit ${limit})
    `,
  );

/** For Prometheus: the runs that have not ended. */
export const runCounts = (db: Db): Counts[] => [
  {
    name: "longshore_runs",
    help: "Runs on servers that have not ended, by kind and state.",
    labels: ["kind", "state"],
    read: () => rows(db, sql`select kind, state, count(*)::integer from runs where ended_at is null group by 1, 2`),
  },
];
