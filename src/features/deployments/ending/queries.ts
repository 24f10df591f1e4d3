import { changed, constants, type Db, row, rows, sql } from "../../../db/sql.ts";
import type { PlacementRef } from "../../placements/schema.ts";
import { columns, unendedStatuses } from "../queries.ts";
import { type DeploymentRow, deploymentStatus, statusesBefore } from "../schema.ts";

// The ends of deployments: each is a compare-and-set.

const { queued, failed, running, cancelling, cancelled } = constants(deploymentStatus);

/** Compare-and-set from queued to cancelled; returns whether it did. */
export async function cancelQueued(tx: Db, id: number): Promise<boolean> {
  const query = sql`
    update deployments set status = ${cancelled}, ended_at = clock_timestamp(), updated_at = clock_timestamp(),
      error = 'Cancelled before it began.'
    where id = ${id} and status = ${queued}
  `;
  return (await changed(tx, query)) === 1;
}

/** Compare-and-set from running to cancelling; returns whether it did. */
export async function markCancelling(tx: Db, id: number): Promise<boolean> {
  const query = sql`
    update deployments set status = ${cancelling}, updated_at = clock_timestamp() where id = ${id} and status = ${running}
  `;
  return (await changed(tx, query)) === 1;
}

/**
 * Compare-and-set from cancelling back to running, as the cancel arrived when the release was live already; undefined if it was not
 * cancelling.
 */
export const resumeRunning = (tx: Db, id: number): Promise<DeploymentRow | undefined> =>
  row(
    tx,
    sql`
      update deployments d set status = ${running}, updated_at = clock_timestamp()
      where d.id = ${id} and d.status = ${cancelling} returning ${columns}
    `,
  );

export interface CommitAt {
  id: string;
  url: string | null;
  author: string | null;
  /** Its first line. */
  message: string | null;
}

export interface DeploymentEnd {
  status: 1 | 2 | 5;
  error: string | null;
  warnings?: readonly string[];
  /** The fetched commit. */
  commit?: CommitAt | undefined;
}

/** Stores the end of a deployment if its status allows it; undefined if it has ended or was deleted. */
export function storeDeploymentEnd(
  tx: Db,
  id: number,
  { status, error, warnings = [], commit }: DeploymentEnd,
): Promise<DeploymentRow | undefined> {
  const {
    id: commitId,
    url: commitUrl,
    author,
    message,
  } = commit ?? { id: null, url: null, author: null, message: null };
  return row(
    tx,
    sql`
      update deployments d set status = ${status}, error = ${error}, warnings = ${warnings}, ended_at = clock_timestamp(),
        updated_at = clock_timestamp(), commit_id = coalesce(${commitId}, d.commit_id),
        commit_url = case when d.commit_id = ${commitId} then d.commit_url else coalesce(${commitUrl}, d.commit_url) end,
        commit_author = case when ${commitId}::text is null then d.commit_author
          when d.commit_id = ${commitId} then coalesce(d.commit_author, ${author}) else ${author} end,
        commit_message = case when ${commitId}::text is null then d.commit_message
          when d.commit_id = ${commitId} then coalesce(d.commit_message, ${message}) else ${message} end
      where d.id = ${id} and d.status = any(${statusesBefore(status)}) returning ${columns}
    `,
  );
}

/** Ends what is queued for a server from which the project is being removed; returns it. */
export const endQueuedOn = (tx: Db, { projectId, serverId }: PlacementRef): Promise<DeploymentRow[]> =>
  rows(
    tx,
    sql`
      update deployments d set status = ${cancelled}, ended_at = clock_timestamp(), updated_at = clock_timestamp(),
        error = 'The project is being removed from this server.'
      where d.project_id = ${projectId} and d.server_id = ${serverId} and d.status = ${queued} returning ${columns}
    `,
  );

/** Ends what is queued or runs for the further servers of balanced projects on a server that is being deleted; returns it. */
export const endOnReplicas = (tx: Db, serverId: number): Promise<DeploymentRow[]> =>
  rows(
    tx,
    sql`
      update deployments d set status = case d.status when ${running} then ${failed} else ${cancelled} end,
        ended_at = clock_timestamp(), updated_at = clock_timestamp(), error = 'Its server was deleted.'
      from placements pl
      where d.server_id = ${serverId} and d.status in ${unendedStatuses} and d.process_type <> 'move'
        and pl.project_id = d.project_id and pl.server_id = d.server_id
        and (pl.role = 'replica' or (pl.role = 'leaving' and d.rolling_of is not null))
      returning ${columns}
    `,
  );

/**
 * Attributes the deployments on a server that is being deleted to the servers where their projects are; returns the servers that
 * got queued ones. Their turn is 0, so that they do not move those servers' clocks.
 */
export const attributeToOwnServers = (tx: Db, serverId: number): Promise<{ server_id: number }[]> =>
  rows(
    tx,
    sql`
      with kept as (
        update deployments d set server_id = p.server_id, turn = 0 from projects p
        where d.server_id = ${serverId} and p.id = d.project_id and p.server_id <> d.server_id
        returning d.server_id, d.status
      )
      select distinct server_id from kept where status = ${queued} order by 1
    `,
  );
