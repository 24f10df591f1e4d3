import { changed, type Db, raw, row, rows, sql } from "../../db/sql.ts";
import type { Kind, SubjectRef } from "../kind.ts";
import type { Phase, PhaseRecord, Workflow, WorkflowState } from "./workflow.ts";

/** How long a process holds a workflow without renewal, in seconds. */
export const leaseSeconds = 15;

const columns = raw(`
  id, kind, subject, subject_id as "subjectId", organization_id as "organizationId", state, phase, attempts, data,
  run_id as "runId", error, is_undoable as "isUndoable", cancel_requested_at as "cancelRequestedAt", retry_at as "retryAt",
  phase_started_at as "phaseStartedAt", created_at as "createdAt", ended_at as "endedAt"`);

interface Created extends Kind {
  subjectId: number;
  organizationId?: number | undefined;
  data: object;
}

/** Undefined when another workflow for the same subject is in progress. */
export const insertWorkflow = (tx: Db, { kind, subject, subjectId, organizationId, data }: Created) =>
  row<{ id: number }>(
    tx,
    sql`
      insert into workflows (kind, subject, subject_id, organization_id, data)
      values (${kind}, ${subject}, ${subjectId}, ${organizationId ?? null}, ${JSON.stringify(data)}::jsonb)
      on conflict (kind, subject_id) where ended_at is null do nothing
      returning id
    `,
  );

export const getWorkflow = (db: Db, id: number): Promise<Workflow | undefined> =>
  row<Workflow>(db, sql`select ${columns} from workflows where id = ${id}`);

/** The newest workflow of a kind for a record. */
export const findWorkflow = (
  db: Db,
  { kind, subjectId }: Pick<Workflow, "kind" | "subjectId">,
): Promise<Workflow | undefined> =>
  row<Workflow>(
    db,
    sql`
      select ${columns} from workflows where kind = ${kind} and subject_id = ${subjectId} order by id desc limit 1
    `,
  );

/** The workflows for a record that have not ended. */
export const listWorkflowsFor = (db: Db, { subject, subjectId }: SubjectRef): Promise<Pick<Workflow, "id">[]> =>
  rows(
    db,
    sql`
      select id from workflows where subject = ${subject} and subject_id = ${subjectId} and ended_at is null order by id
    `,
  );

export const findWorkflowOfRun = (db: Db, runId: number): Promise<Workflow | undefined> =>
  row<Workflow>(db, sql`select ${columns} from workflows where run_id = ${runId}`);

/** The recorded phases, in order; empty before the workflow has begun. */
export const listPhases = (db: Db, workflowId: number): Promise<PhaseRecord[]> =>
  rows<PhaseRecord>(
    db,
    sql`
      select position, name, label, state, detail, attempts, started_at, finished_at
      from workflow_phases where workflow_id = ${workflowId} order by position
    `,
  );

/** The phases of several workflows, in order for each. */
export const listPhasesOf = (
  db: Db,
  workflowIds: readonly number[],
): Promise<(PhaseRecord & { workflow_id: number })[]> =>
  rows(
    db,
    sql`
      select workflow_id, position, name, label, state, detail, attempts, started_at, finished_at
      from workflow_phases where workflow_id = any(${[...workflowIds]}::bigint[]) order by workflow_id, position
    `,
  );

/**
 * Claims a workflow that has not ended and that no other process holds; undefined when there is no such workflow. Time in
 * which it was due and no process held it does not count for the timeout of its phase.
 */
export const claimWorkflow = (db: Db, id: number, token: string): Promise<Workflow | undefined> =>
  row<Workflow>(
    db,
    sql`
      update workflows set
        lease_token = ${token}, lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}),
        phase_started_at = phase_started_at
          + greatest(clock_timestamp() - coalesce(lease_until, retry_at, clock_timestamp()), interval '0')
      where id = ${id} and ended_at is null and (lease_until is null or lease_until < clock_timestamp())
      returning ${columns}
    `,
  );

export const renewWorkflow = async (db: Db, id: number, token: string): Promise<boolean> =>
  (await changed(
    db,
    sql`
      update workflows set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      where id = ${id} and lease_token = ${token}
    `,
  )) === 1;

export const releaseWorkflow = (db: Db, id: number, token: string): Promise<number> =>
  changed(
    db,
    sql`update workflows set lease_token = null, lease_until = null where id = ${id} and lease_token = ${token}`,
  );

/** Which process may write: the one with this lease, or the one that stores the end of this run. */
export type Holder = { token: string } | { runId: number };

/** Changes of a workflow; omitted values stay. */
export interface Change {
  state?: WorkflowState;
  /** Begins this phase; null after the last. */
  phase?: string | null;
  /** Whether the phase that begins is before the point of no return. */
  isUndoable?: boolean;
  /** Failed attempts at the phase; set to 0 when another one begins. */
  attempts?: number;
  patch?: object | undefined;
  runId?: number | null;
  error?: string | null;
  retryInMs?: number | null;
  /** Changes nothing once a cancel was accepted. */
  unlessCancelled?: boolean;
}

/** Compare-and-set: returns the updated workflow, or undefined when it has another holder by now or has ended. */
export function changeWorkflow(tx: Db, id: number, holder: Holder, change: Change): Promise<Workflow | undefined> {
  const { state = null, patch = {}, retryInMs } = change;
  const ends = state !== null && state !== "running" && state !== "undoing";
  const isHeld = "token" in holder ? sql`lease_token = ${holder.token}` : sql`run_id = ${holder.runId}`;
  const retrySeconds = retryInMs === undefined || retryInMs === null ? null : retryInMs / 1_000;
  return row<Workflow>(
    tx,
    sql`
      update workflows set
        state = coalesce(${state}, state),
        phase = case when ${"phase" in change} then ${change.phase ?? null} else phase end,
        is_undoable = coalesce(${change.isUndoable ?? null}, is_undoable),
        phase_started_at = case when ${"phase" in change} then clock_timestamp() else phase_started_at end,
        attempts = case when ${"phase" in change} then 0 else coalesce(${change.attempts ?? null}, attempts) end,
        data = data || ${JSON.stringify(patch)}::jsonb,
        run_id = case when ${"runId" in change} then ${change.runId ?? null} else run_id end,
        error = case when ${"error" in change} then ${change.error ?? null} else error end,
        retry_at = clock_timestamp() + make_interval(secs => ${retrySeconds}::double precision),
        ended_at = case when ${ends} then clock_timestamp() end,
        lease_token = case when ${ends} then null else lease_token end,
        lease_until = case when ${ends} then null else lease_until end
      where id = ${id} and ended_at is null and ${isHeld}
        and not (${change.unlessCancelled ?? false} and cancel_requested_at is not null)
      returning ${columns}
    `,
  );
}

export const markCancelRequested = (tx: Db, id: number): Promise<Workflow | undefined> =>
  row<Workflow>(
    tx,
    sql`
      update workflows set cancel_requested_at = clock_timestamp()
      where id = ${id} and state = 'running' and is_undoable and cancel_requested_at is null
      returning ${columns}
    `,
  );

/** Records all phases as pending, once. */
export const insertPhases = (
  tx: Db,
  workflowId: number,
  phases: readonly Pick<Phase, "name" | "label">[],
): Promise<number> =>
  changed(
    tx,
    sql`
      insert into workflow_phases (workflow_id, position, name, label)
      select ${workflowId}, p.position - 1, p.name, p.label
      from unnest(${phases.map(({ name }) => name)}::text[], ${phases.map(({ label }) => label)}::text[])
        with ordinality as p(name, label, position)
      on conflict do nothing
    `,
  );

/** Stores the state of a phase; its times follow from the state. */
export const changePhase = (
  tx: Db,
  workflowId: number,
  name: string,
  {
    state,
    detail = null,
    attempts = null,
  }: { state: PhaseRecord["state"]; detail?: string | null; attempts?: number | null },
): Promise<number> =>
  changed(
    tx,
    sql`
      update workflow_phases set
        state = ${state}, detail = ${detail}, attempts = coalesce(${attempts}, attempts),
        started_at = case when ${state} = 'running' then coalesce(started_at, clock_timestamp()) else started_at end,
        finished_at = case when ${state} in ('running', 'pending') then null else clock_timestamp() end
      where workflow_id = ${workflowId} and name = ${name}
    `,
  );

/** Workflows that should be in progress and are not: the job was lost. */
export const listOverdue = (db: Db, limit: number): Promise<{ id: number }[]> =>
  rows(
    db,
    sql`
      select w.id from workflows w left join runs r on r.id = w.run_id
      where w.ended_at is null and (w.lease_until is null or w.lease_until < clock_timestamp())
        and case when w.run_id is null
          then coalesce(w.retry_at, w.phase_started_at, w.created_at) < clock_timestamp() - interval '1 minute'
          else r.ended_at < clock_timestamp() - interval '1 minute' end
      order by w.id limit ${limit}
    `,
  );

/**
 * Deletes workflows that ended more than `days` days ago, with their phases, up to `limit`; returns their number. The newest
 * workflow of each of the kinds `kept` stays for each record.
 */
export const deleteOldWorkflows = (
  db: Db,
  { kept, days, limit }: { kept: readonly Kind[]; days: number; limit: number },
): Promise<number> =>
  changed(
    db,
    sql`
      delete from workflows where id in (
        select w.id from workflows w
        where w.ended_at < clock_timestamp() - make_interval(days => ${days})
          and (w.kind <> all(${kept.map(({ kind }) => kind)}::text[]) or exists (
            select 1 from workflows newer
            where newer.kind = w.kind and newer.subject_id = w.subject_id and newer.id > w.id))
        limit ${limit})
    `,
  );
