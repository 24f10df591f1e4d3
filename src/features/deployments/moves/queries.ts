import { type Db, row, rows, sql } from "../../../db/sql.ts";
import type { Run } from "../../../engine/queries.ts";
import type { DeploymentRow } from "../schema.ts";
import type { MovedDatabase, MovePhase, MoveRow } from "./schema.ts";

export const moveKind = "move";
export const releaseKind = "move-release";
export const clearingKind = "move-clearing";

/** Kinds of runs whose subject is the deployment of a move. */
export const moveKinds = [moveKind, releaseKind, clearingKind] as const;

export interface NewMove {
  deploymentId: number;
  projectId: number;
  sourceId: number;
  destinationId: number;
  portPair: number | null;
  databases: readonly MovedDatabase[];
}

export async function insertMove(tx: Db, move: NewMove): Promise<void> {
  await tx.query(sql`
    insert into moves (deployment_id, project_id, source_id, destination_id, other_id, other_port_pair, databases)
    values (${move.deploymentId}, ${move.projectId}, ${move.sourceId}, ${move.destinationId}, ${move.destinationId},
      ${move.portPair}, ${JSON.stringify(move.databases)})
  `);
}

export const findMove = (db: Db, deploymentId: number): Promise<MoveRow | undefined> =>
  row(db, sql`select * from moves where deployment_id = ${deploymentId}`);

/** Locks the move until the end of the transaction. */
export const lockMove = (tx: Db, deploymentId: number): Promise<MoveRow | undefined> =>
  row(tx, sql`select * from moves where deployment_id = ${deploymentId} for update`);

/** The deployment of a move while it runs, locked: no other transaction can end or cancel it before the end of this one. */
export const lockMoving = (tx: Db, deploymentId: number): Promise<DeploymentRow | undefined> =>
  row(tx, sql`select * from deployments where id = ${deploymentId} and status in (3, 4) for no key update`);

/** Begins a phase with its run. */
export async function enterPhase(tx: Db, deploymentId: number, phase: MovePhase, runId: number): Promise<void> {
  await tx.query(sql`
    update moves set phase = ${phase}, run_id = ${runId}, silent_since = null where deployment_id = ${deploymentId}
  `);
  await setDeploymentRun(tx, deploymentId, runId);
}

/** Sets the run that the record shows. */
export async function setDeploymentRun(tx: Db, deploymentId: number, runId: number): Promise<void> {
  await tx.query(sql`
    update deployments set run_id = ${runId}, updated_at = clock_timestamp() where id = ${deploymentId}
  `);
}

export async function setDescription(tx: Db, deploymentId: number, description: string): Promise<void> {
  await tx.query(sql`update deployments set description = ${description} where id = ${deploymentId}`);
}

export async function setKeys(tx: Db, deploymentId: number, keys: { public: string; private: Buffer }): Promise<void> {
  await tx.query(sql`
    update moves set public_key = ${keys.public}, private_key = ${keys.private} where deployment_id = ${deploymentId}
  `);
}

export interface Leaving {
  outcome: "succeeded" | "failed" | "cancelled";
  error: string | null;
  releaseRunId: number | null;
  clearingRunId: number | null;
}

/** The end of a move is decided, and its key is deleted. */
export async function leave(tx: Db, deploymentId: number, end: Leaving): Promise<void> {
  await tx.query(sql`
    update moves set phase = 'leaving', outcome = ${end.outcome}, error = ${end.error}, private_key = null,
      release_run_id = ${end.releaseRunId}, clearing_run_id = ${end.clearingRunId}
    where deployment_id = ${deploymentId}
  `);
}

export async function setLeavingRun(
  tx: Db,
  deploymentId: number,
  which: { releaseRunId: number | null } | { clearingRunId: number | null },
): Promise<void> {
  await tx.query(
    "releaseRunId" in which
      ? sql`update moves set release_run_id = ${which.releaseRunId} where deployment_id = ${deploymentId}`
      : sql`update moves set clearing_run_id = ${which.clearingRunId} where deployment_id = ${deploymentId}`,
  );
}

export async function deleteMove(tx: Db, deploymentId: number): Promise<void> {
  await tx.query(sql`delete from databases where held_for = ${deploymentId}`);
  await tx.query(sql`delete from moves where deployment_id = ${deploymentId}`);
}

/** The runs of a move on a server. */
export const listMoveRuns = (db: Db, deploymentId: number): Promise<Run[]> =>
  rows(db, sql`select * from runs where kind = any(${moveKinds}) and subject_id = ${deploymentId} order by id`);

/**
 * The runs of its phases, and the latest attempt of each remaining task; `place` counts all runs, from 0. A task that fails for
 * months is retried many times, with the same message each time.
 */
export const listMoveParts = (
  db: Db,
  deploymentId: number,
): Promise<(Pick<Run, "id" | "ended_at"> & { place: number })[]> =>
  rows(
    db,
    sql`
      select id, ended_at, place from (
        select id, ended_at, kind, row_number() over (order by id) - 1 as place, max(id) over (partition by kind) as last
        from runs where kind = any(${moveKinds}) and subject_id = ${deploymentId}
      ) r where kind = ${moveKind} or id = last order by id
    `,
  );

/** Whether the server has parts of the project that do not serve there, or will get some. */
export const isBeingCleared = async (tx: Db, projectId: number, serverId: number): Promise<boolean> =>
  (await row(tx, sql`select 1 from moves where project_id = ${projectId} and other_id = ${serverId}`)) !== undefined;

// Reconciliation -----------------------------------------------------------------------------------------------------------

/** Moves whose deployment was ended or deleted by other code, and moves under way to a deleted server. */
export const listForsaken = (db: Db): Promise<{ deployment_id: number }[]> =>
  rows(
    db,
    sql`
      select deployment_id from moves m
      where phase <> 'leaving' and (
        not exists (select 1 from deployments d where d.id = m.deployment_id and d.status in (0, 3, 4))
        or phase <> 'queued' and destination_id is null)
    `,
  );

/** Moves during which no visitor is served, with the server that works on it. */
export const listHolding = (db: Db): Promise<{ deployment_id: number; run_id: number; server_id: number }[]> =>
  rows(
    db,
    sql`
      select m.deployment_id, m.run_id, r.server_id from moves m join runs r on r.id = m.run_id
      where m.phase in ('holding', 'finishing') and r.server_id is not null and r.ended_at is null
    `,
  );

/** Records whether the server of a run responded; returns for how long it has not, in seconds. */
export async function noteSilence(db: Db, runId: number, isSilent: boolean): Promise<number> {
  const noted = await row<{ seconds: number | null }>(
    db,
    sql`
      update moves set silent_since = case when ${isSilent} then coalesce(silent_since, clock_timestamp()) end
      where run_id = ${runId} and phase <> 'leaving'
      returning extract(epoch from clock_timestamp() - silent_since)::double precision as seconds
    `,
  );
  return noted?.seconds ?? 0;
}

// The project and its databases --------------------------------------------------------------------------------------------

/** The commit of the live release, whichever deployment made it live. */
export const findLiveCommit = (
  db: Db,
  releaseId: number,
): Promise<{ git_branch: string; commit_id: string | null; commit_url: string | null } | undefined> =>
  row(db, sql`select git_branch, commit_id, commit_url from deployments where id = ${releaseId}`);

export interface AttachedDatabase {
  id: number;
  database_type: MovedDatabase["engine"];
  database_name: string;
  username: string;
  password: Buffer;
  status: number;
  readers: { username: string; mark: string }[];
}

export const listAttachedDatabases = (db: Db, projectId: number): Promise<AttachedDatabase[]> =>
  rows(
    db,
    sql`
      select id, database_type, database_name, username, password, status,
        (select coalesce(json_agg(json_build_object('username', u.username, 'mark', 'longshore-database-user-' || u.id)), '[]')
          from database_users u where u.database_id = databases.id) as readers
      from databases
      where project_id = ${projectId} and held_for is null and removed_at is null order by id
    `,
  );

/** Names of databases or users on a server that are among those of the project's databases. */
export const listTakenNames = (tx: Db, projectId: number, serverId: number): Promise<{ name: string }[]> =>
  rows(
    tx,
    sql`
      select distinct theirs.database_name as name
      from databases ours join databases theirs
        on theirs.database_name = ours.database_name
          or (theirs.username = ours.username and theirs.database_type = ours.database_type)
      where ours.project_id = ${projectId} and ours.held_for is null and ours.removed_at is null and theirs.server_id = ${serverId} order by 1
    `,
  );

/** Reserves the names of the project's databases on a server that does not have them, or no longer has them. */
export async function holdNames(tx: Db, projectId: number, serverId: number, deploymentId: number): Promise<void> {
  await tx.query(sql`
    insert into databases (server_id, database_type, database_name, username, password, notes, held_for)
    select ${serverId}, database_type, database_name, username, password, 'Held by the move of a project.', ${deploymentId}
    from databases where project_id = ${projectId} and held_for is null and removed_at is null
  `);
}

export async function moveDatabases(tx: Db, projectId: number, to: number, deploymentId: number): Promise<void> {
  await tx.query(sql`delete from databases where held_for = ${deploymentId}`);
  await tx.query(sql`
    update databases set server_id = ${to} where project_id = ${projectId} and held_for is null and removed_at is null
  `);
}

/** Moves the served certificate, if it is still the one that was copied. */
export async function moveCertificate(tx: Db, projectId: number, to: number, version: number): Promise<void> {
  await tx.query(sql`
    update certificates set server_id = ${to}, updated_at = clock_timestamp()
    where project_id = ${projectId} and version = ${version}
  `);
}

/** After the switch, the former server is cleared. */
export async function turnAround(
  tx: Db,
  { deployment_id, source_id }: MoveRow,
  portPair: number | null,
): Promise<void> {
  await tx.query(sql`
    update moves set other_id = ${source_id}, other_port_pair = ${portPair} where deployment_id = ${deployment_id}
  `);
}
