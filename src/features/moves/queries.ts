import { changed, type Db, row, rows, sql } from "../../db/sql.ts";
import type { Kind } from "../../engine/kind.ts";
import type { Run } from "../../engine/runs/queries.ts";
import { isBeingMoved, runningStatuses, unendedStatuses } from "../deployments/queries.ts";
import type { DeploymentRow } from "../deployments/schema.ts";
import type { PlacementRef } from "../placements/schema.ts";
import type { MovedDatabase, MoveRow } from "./schema.ts";

export const moveKind: Kind = { kind: "move", subject: "deployment" };
/** Runs during which no visitor is served. */
export const heldKind: Kind = { kind: "move-held", subject: "deployment" };
/** The source of a move that was abandoned serves again. */
export const releaseKind: Kind = { kind: "move-release", subject: "deployment" };
/** The server where the project does not serve has nothing of it. */
export const clearingKind: Kind = { kind: "move-clearing", subject: "deployment" };

/** All runs of a move. */
export const moveKinds: readonly Kind[] = [moveKind, heldKind, releaseKind, clearingKind];

const namesOfKinds = moveKinds.map(({ kind }) => kind);

export interface NewMove {
  deploymentId: number;
  projectId: number;
  sourceId: number;
  destinationId: number;
  databases: readonly MovedDatabase[];
}

export async function insertMove(tx: Db, move: NewMove): Promise<void> {
  await tx.query(sql`
    insert into moves (deployment_id, project_id, source_id, destination_id, databases)
    values (${move.deploymentId}, ${move.projectId}, ${move.sourceId}, ${move.destinationId},
      ${JSON.stringify(move.databases)})
  `);
}

export const findMove = (db: Db, deploymentId: number): Promise<MoveRow | undefined> =>
  row(db, sql`select * from moves where deployment_id = ${deploymentId}`);

/** Locks the move until the end of the transaction. */
export const lockMove = (tx: Db, deploymentId: number): Promise<MoveRow | undefined> =>
  row(tx, sql`select * from moves where deployment_id = ${deploymentId} for update`);

/** Whether a move of the project is under way. */
export const isMoving = async (db: Db, projectId: number): Promise<boolean> =>
  (await row(db, sql`select 1 where ${isBeingMoved(projectId)}`)) !== undefined;

/** Whether a move of the project is queued or under way. */
export const hasMove = async (db: Db, projectId: number): Promise<boolean> =>
  (await row(db, sql`select 1 where ${isBeingMoved(projectId, unendedStatuses)}`)) !== undefined;

/** Whether a move of the project is queued or copies its databases, which must stay as they were when it was requested. */
export const isCopyingDatabases = async (db: Db, projectId: number): Promise<boolean> =>
  (await row(db, sql`select 1 from moves where project_id = ${projectId} and outcome is null`)) !== undefined;

/** Whether a project is being moved to or from the server, or what a move left is still being removed from one of its servers. */
export const concernsServer = async (db: Db, serverId: number): Promise<boolean> =>
  (await row(db, sql`select 1 from moves where ${serverId} in (source_id, destination_id) limit 1`)) !== undefined;

/** Whether a move that has ended clears this server, from which the project came. */
export const isClearing = async (db: Db, { projectId, serverId }: PlacementRef): Promise<boolean> =>
  (await row(
    db,
    sql`select 1 from moves where project_id = ${projectId} and source_id = ${serverId} and outcome = 'succeeded'`,
  )) !== undefined;

/** The deployment of a move while it runs, locked: no other transaction can end or cancel it before the end of this one. */
export const lockMoving = (tx: Db, deploymentId: number): Promise<DeploymentRow | undefined> =>
  row(tx, sql`select * from deployments where id = ${deploymentId} and status in ${runningStatuses} for no key update`);

export async function setKey(tx: Db, deploymentId: number, privateKey: Buffer): Promise<void> {
  await tx.query(sql`update moves set private_key = ${privateKey} where deployment_id = ${deploymentId}`);
}

export interface MoveEnd {
  outcome: "succeeded" | "failed" | "cancelled";
  error: string | null;
  /** Runs that the clean-up ends. */
  runIds: readonly number[];
}

/** Decides the end of a move, and deletes its key; returns whether it did: false if it was decided before. */
export const decideOutcome = async (
  tx: Db,
  deploymentId: number,
  { outcome, error, runIds }: MoveEnd,
): Promise<boolean> =>
  (await changed(
    tx,
    sql`
      update moves set outcome = ${outcome}, error = ${error}, run_ids = ${runIds}::bigint[], private_key = null
      where deployment_id = ${deploymentId} and outcome is null
    `,
  )) === 1;

/** Deletes the moves that have nothing left to do, or one of them; returns where their projects are no longer. */
export const deleteMoveRows = (db: Db, deploymentId: number | null): Promise<Cleared[]> =>
  rows(
    db,
    sql`
      delete from moves m where (${deploymentId}::bigint is null or m.deployment_id = ${deploymentId})
        and not exists (select 1 from deployments d where d.id = m.deployment_id and d.status in ${unendedStatuses})
        and not exists (
          select 1 from workflows w where w.kind = ${moveKind.kind} and w.subject_id = m.deployment_id and w.ended_at is null)
        and not exists (
          select 1 from targets t where t.kind in (${releaseKind.kind}, ${clearingKind.kind}) and t.subject_id = m.deployment_id)
      returning m.deployment_id as "deploymentId", m.project_id as "projectId",
        case when m.outcome = 'succeeded' then m.source_id else m.destination_id end as "serverId"
    `,
  );

/** A server that has nothing of a project any more; null: it was deleted. */
export interface Cleared {
  deploymentId: number;
  projectId: number;
  serverId: number | null;
}

/** The runs of a move on a server. */
export const listMoveRuns = (db: Db, deploymentId: number): Promise<Run[]> =>
  rows(db, sql`select * from runs where kind = any(${namesOfKinds}) and subject_id = ${deploymentId} order by id`);

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
        from runs where kind = any(${namesOfKinds}) and subject_id = ${deploymentId}
      ) r where kind in (${moveKind.kind}, ${heldKind.kind}) or id = last order by id
    `,
  );

// The project and its databases --------------------------------------------------------------------------------------------

/** The commit of the live release, whichever deployment made it live. */
export const findLiveCommit = (
  db: Db,
  releaseId: number,
): Promise<
  { git_branch: string; git_tag: string | null; commit_id: string | null; commit_url: string | null } | undefined
> => row(db, sql`select git_branch, git_tag, commit_id, commit_url from deployments where id = ${releaseId}`);

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

export interface OtherDatabase {
  id: number;
  database_name: string;
  username: string;
}

/** The databases of a server that are not attached to the project: a move leaves them where they are. */
export const listOtherDatabases = (db: Db, projectId: number, serverId: number): Promise<OtherDatabase[]> =>
  rows(
    db,
    sql`
      select id, database_name, username from databases
      where server_id = ${serverId} and project_id is distinct from ${projectId} and held_for is null and removed_at is null
      order by id
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
