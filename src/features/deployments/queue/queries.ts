import { changed, constants, type Db, rows, sql } from "../../../db/sql.ts";
import { isKeySettled } from "../../sources/queries.ts";
import { columns, runningStatuses } from "../queries.ts";
import { type DeploymentRow, deploymentStatus } from "../schema.ts";

const { queued, running } = constants(deploymentStatus);

// An arbitrary number, unique as the first key of a two-key advisory lock.
const lockSpace = 51_711;
const keySpace = 2 ** 31;

/**
 * Locked until the end of the transaction: decisions about starts on a server are made one at a time. Servers are locked in the
 * order of their ids, or two transactions with several servers could wait for each other.
 */
export async function lockDispatches(tx: Db, serverIds: readonly number[]): Promise<void> {
  const keys = [...new Set(serverIds)].sort((a, b) => a - b).map((id) => id % keySpace);
  await rows(tx, sql`select pg_advisory_xact_lock(${lockSpace}, key) from unnest(${keys}::integer[]) key`);
}

/**
 * Deployments that may start on servers now, within each one's queue_limit: the oldest queued one of each project that has none
 * running there and is not being moved, at most `limit` of a server. Projects take turns: `turn` was decided when a deployment
 * was queued (take_turn in migration 0009), so this reads only as many as it returns.
 */
export const listStartable = (tx: Db, serverIds: readonly number[], limit: number): Promise<DeploymentRow[]> =>
  rows(
    tx,
    sql`
      select ${columns} from servers s, lateral (
        select * from deployments d
        where d.server_id = s.id and d.status = ${queued}
          and not exists (
            select 1 from deployments r
            where r.project_id = d.project_id and r.status in ${runningStatuses}
              and (r.server_id = d.server_id or 'move' in (r.process_type, d.process_type)))
          and not exists (
            select 1 from held_deployments h where h.deployment_id = d.id and h.held_until > clock_timestamp())
          -- not "not exists": a join to all that is queued would be planned, as that is nearly nothing for most of the time
          and (
            select e.id from deployments e
            where e.project_id = d.project_id and e.status = ${queued} and e.id < d.id
              and (e.server_id = d.server_id or 'move' in (e.process_type, d.process_type)) limit 1) is null
        order by d.turn, d.id limit greatest(0, least(${limit}, s.queue_limit - (
          select count(*) from deployments where server_id = s.id and status in ${runningStatuses})))
      ) d
      where s.id = any(${serverIds}::bigint[])
      order by d.server_id, d.turn, d.id
    `,
  );

/**
 * Locks the deployments that are still queued on the same server. No other transaction can cancel, delete or move them, or delete
 * their projects, before the end of this one. Projects are locked first, as a deletion does.
 */
export async function lockQueued(tx: Db, deployments: readonly DeploymentRow[]): Promise<DeploymentRow[]> {
  const ids = deployments.map(({ id }) => id);
  const locked = await rows<{ id: number; server_id: number }>(
    tx,
    sql`
      select d.id, d.server_id from projects p join deployments d on d.project_id = p.id
      where d.id = any(${ids}::bigint[]) and d.status = ${queued}
      order by p.id for key share of p for no key update of d
    `,
  );
  const places = new Map(locked.map(({ id, server_id }) => [id, server_id]));
  return deployments.filter(({ id, server_id }) => places.get(id) === server_id);
}

export interface Claim {
  id: number;
  /** Null for a move: the runs of its phases follow. */
  runId: number | null;
  releaseId: number;
  inPlace: boolean;
}

/** Compare-and-set from queued to running; returns how many, without those that were cancelled or started since. */
export const claimDeployments = (tx: Db, claims: readonly Claim[]): Promise<number> =>
  changed(
    tx,
    sql`
      update deployments d set status = ${running}, run_id = c.run_id, release_id = c.release_id, in_place = c.in_place,
        started_at = clock_timestamp(), updated_at = clock_timestamp()
      from unnest(${claims.map(({ id }) => id)}::bigint[], ${claims.map(({ runId }) => runId)}::bigint[],
        ${claims.map(({ releaseId }) => releaseId)}::bigint[],
        ${claims.map(({ inPlace }) => inPlace)}::boolean[]) as c(id, run_id, release_id, in_place)
      where d.id = c.id and d.status = ${queued}
    `,
  );

/** Moves what a project has queued on a server that it has left to its present one, at the end of the queue there. */
export async function sendQueuedAfter(
  tx: Db,
  projectId: number,
  { from, to: serverId }: { from: number; to: number },
): Promise<void> {
  await tx.query(sql`
    update deployments d set server_id = ${serverId}, turn = queued.turn
    from (
      select id, row_number() over (order by id) - 1 + coalesce(
        (select max(turn) from deployments where server_id = ${serverId} and started_at is not null), 0) as turn
      from deployments where project_id = ${projectId} and server_id = ${from} and status = ${queued}
    ) queued
    where queued.id = d.id and d.status = ${queued}
  `);
}

/** Servers with queued deployments: checked after a start, in case a wake-up was lost. */
export const listServersWithQueue = (db: Db): Promise<{ server_id: number }[]> =>
  rows(db, sql`select distinct server_id from deployments where status = ${queued} order by server_id`);

// Waiting for deploy keys ----------------------------------------------------------------------------------------------------

/** Once for each deployment; false if this one has waited before. */
export const holdDeployment = async (
  tx: Db,
  { projectId, deploymentId }: { projectId: number; deploymentId: number },
): Promise<boolean> =>
  (await changed(
    tx,
    sql`
      insert into held_deployments (deployment_id, project_id, held_until)
      values (${deploymentId}, ${projectId}, clock_timestamp() + interval '10 minutes')
      on conflict (deployment_id) do nothing
    `,
  )) === 1;

/** Which of a project's deployments need not wait any longer. */
export type Released = "all" | "settled" | { serverId: number };

/**
 * Ends the wait of deployments; returns their servers. `settled`: of those whose server's key the host has, or has refused. In one
 * statement: with two, a key that is made in between would be missing in the first and present in the second.
 */
export const endHold = (tx: Db, projectId: number, which: Released): Promise<{ server_id: number }[]> => {
  const chosen =
    which === "all"
      ? sql``
      : which === "settled"
        ? sql`and ${isKeySettled(sql`d.project_id`, sql`d.server_id`)}`
        : sql`and d.server_id = ${which.serverId}`;
  return rows(
    tx,
    sql`
      with held as (
        update held_deployments h set held_until = null from deployments d
        where h.project_id = ${projectId} and h.held_until is not null and d.id = h.deployment_id ${chosen}
        returning d.server_id, d.status
      )
      select distinct server_id from held where status = ${queued} order by server_id
    `,
  );
};
