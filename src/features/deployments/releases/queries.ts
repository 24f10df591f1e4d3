import { constants, type Db, row, rows, sql } from "../../../db/sql.ts";
import type { PlacementRef } from "../../placements/schema.ts";
import { columns } from "../queries.ts";
import { type DeploymentRow, deploymentStatus } from "../schema.ts";

// The releases of projects: which are kept, and which one is taken back to.

const { success } = constants(deploymentStatus);

/** Whether a release of the project was made in place: it has no directory of its own that could be activated again. */
export const isMadeInPlace = async (db: Db, projectId: number, releaseId: number): Promise<boolean> =>
  (await row(
    db,
    // A release has the number of the deployment that made it. An application numbers its own.
    sql`select 1 from deployments where id = ${releaseId} and project_id = ${projectId} and in_place`,
  )) !== undefined;

/**
 * Releases that pruning left on the server besides the live one: the highest numbers among those that it reported and newer ones.
 * Releases that were built before a move are not on the server; those that were made in place have no directory of their own.
 */
export const listKeptReleases = (
  db: Db,
  { projectId, serverId }: PlacementRef,
  liveReleaseId: number | null,
  limit: number,
): Promise<{ release_id: number }[]> =>
  rows(
    db,
    sql`
      select distinct release_id from deployments d
      where project_id = ${projectId} and server_id = ${serverId} and status = ${success} and not in_place
        and release_id is distinct from ${liveReleaseId}
        and release_id >= (
          select coalesce(max(id), 0) from deployments
          where project_id = ${projectId} and process_type = 'move' and status = ${success})
        and (
          -- those of a deleted further server are attributed to the project's own
          select (d.rolling_of is null) = (pl.role = 'own') and (pl.kept_releases is null
            or d.release_id = any(pl.kept_releases) or d.release_id > all(pl.kept_releases))
          from placements pl where pl.project_id = ${projectId} and pl.server_id = ${serverId})
      order by release_id desc nulls last limit ${limit}
    `,
  );

/** The newest release of a commit, among those that were live on the server. */
export async function findReleaseOf(
  tx: Db,
  { projectId, serverId }: PlacementRef,
  commit: string,
): Promise<number | undefined> {
  const found = await row<{ release_id: number | null }>(
    tx,
    sql`
      select release_id from deployments
      where project_id = ${projectId} and server_id = ${serverId} and status = ${success} and commit_id = ${commit}
      order by id desc limit 1
    `,
  );
  return found?.release_id ?? undefined;
}

/** Successful deployments of the project with a commit whose release is not live, the newest first. */
export const listRollbackCandidates = (db: Db, projectId: number, limit: number): Promise<DeploymentRow[]> =>
  rows(
    db,
    sql`
      select ${columns} from deployments d
        join placements pl on pl.project_id = d.project_id and pl.role = 'own'
      where d.project_id = ${projectId} and d.status = ${success} and d.commit_id is not null and d.rolling_of is null
        and d.id is distinct from pl.live_deployment_id
        -- an earlier deployment of the release that a rollback or recycle made live again
        and (d.server_id, d.release_id) is distinct from (pl.server_id, pl.live_release_id)
      order by d.id desc limit ${limit}
    `,
  );

/** The newest success before a deployment with another release: the release that was live when it began. */
export const findPredecessor = (tx: Db, projectId: number, id: number): Promise<DeploymentRow | undefined> =>
  row(
    tx,
    sql`
      select ${columns} from deployments d join deployments faulty on faulty.id = ${id}
      where d.project_id = ${projectId} and d.id < faulty.id and d.status = ${success} and d.commit_id is not null
        and d.rolling_of is null
        and d.release_id is distinct from faulty.release_id
      order by d.id desc limit 1
    `,
  );

/** Whether a deployment has had its automatic rollback, with any result. */
export const isTakenBack = async (tx: Db, id: number): Promise<boolean> =>
  (await row(tx, sql`select 1 from deployments where takes_back = ${id}`)) !== undefined;
