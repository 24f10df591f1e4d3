import { changed, type Db, row, rows, sql } from "../../db/sql.ts";
import type { ProjectIdentity } from "../../host/project-mark/mark.ts";
import type { ForwardingRow, Placement, PlacementRef, PlacementRole } from "./schema.ts";

// The only writer of `placements`, `removals` and `forwardings`. Callers hold the lock of the project's row when they add, change or remove one.

export interface NewPlacement extends PlacementRef {
  role: PlacementRole;
  /** For a Node project: its ports on the server. */
  portPair: number | null;
}

export async function insertPlacement(tx: Db, { projectId, serverId, role, portPair }: NewPlacement): Promise<void> {
  await tx.query(sql`
    insert into placements (project_id, server_id, role, port_pair, live_port, may_adopt)
    values (${projectId}, ${serverId}, ${role}, ${portPair}, ${portPair}, false)
  `);
  // A move back may fail: its destination forwards until the switch, and after a failure again.
  if (role !== "arriving") await deleteForwarding(tx, { projectId, serverId });
}

/** Takes the lowest free pair of ports on a locked server, from 20000 up; returns the even one. */
export async function takePortPair(tx: Db, serverId: number): Promise<number> {
  const free = await row<{ port: number }>(
    tx,
    sql`
      select port from generate_series(20000, 64998, 2) port
      where not exists (select 1 from placements pl where pl.server_id = ${serverId} and pl.port_pair = port)
      order by port limit 1
    `,
  );
  if (!free) throw new Error(`Server ${serverId} has no free ports`);
  return free.port;
}

/** The servers of a project, its own first. */
export const listPlacements = (db: Db, projectId: number): Promise<Placement[]> =>
  rows(
    db,
    sql`
      select server_id, role, port_pair, may_adopt from placements
      where project_id = ${projectId} order by role <> 'own', server_id
    `,
  );

/** Undefined: the project is not on the server. */
export async function findRole(db: Db, { projectId, serverId }: PlacementRef): Promise<PlacementRole | undefined> {
  const found = await row<{ role: PlacementRole }>(
    db,
    sql`select role from placements where project_id = ${projectId} and server_id = ${serverId}`,
  );
  return found?.role;
}

/** Compare-and-set. Throws if the placement does not have the role `from`, which the caller has read under the project's lock. */
export async function changeRole(
  tx: Db,
  { projectId, serverId }: PlacementRef,
  { from, to }: { from: PlacementRole; to: PlacementRole },
): Promise<void> {
  const query = sql`
    update placements set role = ${to}
    where project_id = ${projectId} and server_id = ${serverId} and role = ${from}
  `;
  if ((await changed(tx, query)) !== 1) throw new Error(`Server ${serverId} is not ${from} of project ${projectId}`);
}

export async function deletePlacement(tx: Db, { projectId, serverId }: PlacementRef): Promise<void> {
  await tx.query(sql`delete from placements where project_id = ${projectId} and server_id = ${serverId}`);
}

/** Records that the server has the project's site, user and folders. */
export async function setPrepared(tx: Db, { projectId, serverId }: PlacementRef): Promise<void> {
  await tx.query(sql`
    update placements set is_prepared = true where project_id = ${projectId} and server_id = ${serverId}
  `);
}

export interface LiveRelease {
  /** Undefined: not made live by a deployment; the last one stays recorded. */
  deploymentId?: number;
  releaseId: number;
  /** Null: the port stays. */
  port: number | null;
}

/**
 * Records the environment that the run of a deployment gets: it is live when the release is. Encrypted; null: there is none. The
 * project need not be locked: one deployment of it runs on a server at a time.
 */
export async function recordGivenEnvironment(
  db: Db,
  { projectId, serverId }: PlacementRef,
  environment: Buffer | null,
): Promise<void> {
  await changed(
    db,
    sql`
      update placements set given_environment = ${environment}::bytea
      where project_id = ${projectId} and server_id = ${serverId} and given_environment is distinct from ${environment}::bytea
    `,
  );
}

/** The environments of the releases that serve a project, encrypted; null for one that has none, or whose is not known. */
export const listLiveEnvironments = (db: Db, projectId: number): Promise<{ live_environment: Buffer | null }[]> =>
  rows(
    db,
    sql`
      select live_environment from placements
      where project_id = ${projectId} and role in ('own', 'replica') and live_release_id is not null
    `,
  );

/** Records the live release on a server; false if the project is not there any more. */
export async function setLive(tx: Db, { projectId, serverId }: PlacementRef, live: LiveRelease): Promise<boolean> {
  const query = sql`
    update placements set live_release_id = ${live.releaseId}, live_port = coalesce(${live.port}, live_port),
      live_deployment_id = coalesce(${live.deploymentId ?? null}, live_deployment_id),
      live_environment = case when ${live.deploymentId !== undefined} then given_environment else live_environment end
    where project_id = ${projectId} and server_id = ${serverId}
  `;
  return (await changed(tx, query)) === 1;
}

export interface DiskUsage {
  releasesBytes: number;
  cachesBytes: number;
  keptReleases: number[] | null;
}

/** Records the disk usage of the project that a run measured on a server; null: not measured. */
export async function setDisk(tx: Db, { projectId, serverId }: PlacementRef, disk: DiskUsage | null): Promise<void> {
  await tx.query(sql`
    update placements set releases_bytes = ${disk?.releasesBytes ?? null}, caches_bytes = ${disk?.cachesBytes ?? null},
      kept_releases = ${disk?.keptReleases ?? null}::bigint[],
      disk_measured_at = case when ${disk !== null} then clock_timestamp() end
    where project_id = ${projectId} and server_id = ${serverId}
  `);
}

/** What the destination of a move has of the project when it takes over. */
export interface TakenOver {
  from: number;
  to: number;
  livePort: number | null;
  live: { deploymentId: number | null; releaseId: number | null };
}

/** The destination of a move becomes the project's own server, and the former one leaves. Throws if they have other roles. */
export async function switchOwnPlacement(tx: Db, projectId: number, over: TakenOver): Promise<void> {
  await changeRole(tx, { projectId, serverId: over.from }, { from: "own", to: "leaving" });
  await changeRole(tx, { projectId, serverId: over.to }, { from: "arriving", to: "own" });
  await deleteForwarding(tx, { projectId, serverId: over.to });
  await tx.query(sql`
    update placements set live_port = ${over.livePort}, live_deployment_id = ${over.live.deploymentId},
      live_release_id = ${over.live.releaseId}, live_environment = given_environment, is_prepared = true
    where project_id = ${projectId} and server_id = ${over.to}
  `);
}

/** Deletes a placement that does not serve: a server has been cleared after a move. */
export async function deleteIdlePlacement(tx: Db, { projectId, serverId }: PlacementRef): Promise<void> {
  await tx.query(sql`
    delete from placements
    where project_id = ${projectId} and server_id = ${serverId} and role in ('arriving', 'leaving')
  `);
}

// Forwardings -------------------------------------------------------------------------------------------------------------

export interface NewForwarding extends PlacementRef {
  projectCreatedAt: string;
  certificate: ForwardingRow["certificate"];
  /** 0: visitors get a notice, for a day. */
  days: number;
}

/** The server forwards the project's visitors, or has a notice for them, from the moment at which it is cleared. */
export async function insertForwarding(tx: Db, forwarding: NewForwarding): Promise<ForwardingRow> {
  const { projectId, serverId, projectCreatedAt, certificate, days } = forwarding;
  const inserted = await row<ForwardingRow>(
    tx,
    sql`
      insert into forwardings (project_id, project_created_at, server_id, passes_on, certificate, until)
      values (${projectId}, ${projectCreatedAt}, ${serverId}, ${days > 0},
        ${certificate && JSON.stringify(certificate)}::jsonb, clock_timestamp() + make_interval(days => ${Math.max(days, 1)}))
      returning *
    `,
  );
  return inserted as ForwardingRow;
}

export const findForwarding = (db: Db, { projectId, serverId }: PlacementRef): Promise<ForwardingRow | undefined> =>
  row(db, sql`select * from forwardings where project_id = ${projectId} and server_id = ${serverId}`);

export const listForwardings = (db: Db, projectId: number): Promise<ForwardingRow[]> =>
  rows(db, sql`select * from forwardings where project_id = ${projectId} order by server_id`);

/** Projects with a forwarding that is over: its time has passed, or its project or server is gone, or belongs to another organization. */
export const listEndedForwardings = async (db: Db): Promise<number[]> =>
  (await rows<{ project_id: number }>(db, sql`select distinct f.project_id from forwardings f where ${isOver}`)).map(
    ({ project_id }) => project_id,
  );

/** Deletes those that are over, of one project, or with `all` each of them; returns them. */
export const deleteForwardings = (tx: Db, projectId: number, all = false): Promise<ForwardingRow[]> =>
  rows(tx, sql`delete from forwardings f where f.project_id = ${projectId} and (${all} or ${isOver}) returning *`);

// A server that the project is coming back to, or that is still being cleared, forwards until that has ended.
const isOver = sql`(
  f.server_id is null
  or not exists (
    select 1 from projects p join servers s on s.organization_id = p.organization_id
    where p.id = f.project_id and s.id = f.server_id)
  or (f.until < clock_timestamp() and not exists (
    select 1 from placements pl where pl.project_id = f.project_id and pl.server_id = f.server_id))
)`;

const deleteForwarding = (tx: Db, { projectId, serverId }: PlacementRef): Promise<number> =>
  changed(tx, sql`delete from forwardings where project_id = ${projectId} and server_id = ${serverId}`);

// What is left of a project on a server -------------------------------------------------------------------------------------

/** A project that is still to be removed from a server. */
export interface Removal {
  projectId: number;
  serverId: number;
  /** Runs of the project that were under way there; their end is awaited. */
  runIds: number[];
  /** Whether a load balancer may have sent a visitor there. */
  isReplica: boolean;
  /** Undefined: it was recorded before projects had marks. */
  identity?: ProjectIdentity | undefined;
}

export async function insertRemoval(tx: Db, removal: Removal): Promise<void> {
  const { projectId, serverId, runIds, isReplica, identity } = removal;
  await tx.query(sql`
    insert into removals (project_id, server_id, run_ids, is_replica, project_created_at, may_adopt)
    values (${projectId}, ${serverId}, ${runIds}::bigint[], ${isReplica}, ${identity?.createdAt ?? null},
      ${identity?.mayAdopt ?? true})
    on conflict (project_id, server_id) do update set run_ids = excluded.run_ids, is_replica = excluded.is_replica,
      project_created_at = excluded.project_created_at, may_adopt = excluded.may_adopt
  `);
}

export async function findRemoval(db: Db, projectId: number, serverId: number): Promise<Removal | undefined> {
  const found = await row<{
    run_ids: number[];
    is_replica: boolean;
    project_created_at: string | null;
    may_adopt: boolean;
  }>(
    db,
    sql`
      select run_ids, is_replica, project_created_at, may_adopt
      from removals where project_id = ${projectId} and server_id = ${serverId}
    `,
  );
  if (!found) return undefined;
  const { run_ids: runIds, is_replica: isReplica, project_created_at: createdAt, may_adopt: mayAdopt } = found;
  return { projectId, serverId, runIds, isReplica, identity: createdAt === null ? undefined : { createdAt, mayAdopt } };
}

export const deleteRemoval = (tx: Db, projectId: number, serverId: number): Promise<number> =>
  changed(tx, sql`delete from removals where project_id = ${projectId} and server_id = ${serverId}`);
