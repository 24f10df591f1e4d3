import { type Db, row, rows, sql } from "../../db/sql.ts";
import type { NodeRow } from "./schema.ts";

/** The servers of a balanced project, its own first. The caller has found the project in the actor's reach. */
export const listNodes = (db: Db, projectId: number): Promise<NodeRow[]> =>
  rows(
    db,
    sql`
      select p.id as project_id, p.server_id, s.name as server_name, p.live_release_id is not null as is_live, p.is_leaving
      from projects p join servers s on s.id = p.server_id
      where p.id = ${projectId} or p.replica_of = ${projectId} order by p.replica_of nulls first, p.id
    `,
  );

export const findServerName = (db: Db, id: number): Promise<{ name: string } | undefined> =>
  row(db, sql`select name from servers where id = ${id}`);

/** Inserts the row of a project on a further server. Settings that are not set here are copied from the project. */
export async function insertReplica(
  tx: Db,
  replica: { projectId: number; serverId: number; name: string; portPair: number | null },
): Promise<number> {
  const inserted = await row<{ id: number }>(
    tx,
    sql`
      insert into projects (organization_id, server_id, replica_of, name, framework_id, source_type, repository_type,
        repository, repository_branch, port_pair, live_port)
      select organization_id, ${replica.serverId}, id, ${replica.name}, framework_id, source_type, repository_type,
        repository, repository_branch, ${replica.portPair}, ${replica.portPair}
      from projects where id = ${replica.projectId} returning id
    `,
  );
  return (inserted as { id: number }).id;
}

export async function setBalancer(tx: Db, projectId: number, balancerId: number | null): Promise<void> {
  await tx.query(sql`
    update projects set load_balancer_id = ${balancerId}, balancer_site = null, updated_at = clock_timestamp()
    where id = ${projectId}
  `);
}

export async function setLeaving(tx: Db, replicaId: number, isLeaving: boolean): Promise<void> {
  await tx.query(sql`
    update projects set is_leaving = ${isLeaving}, updated_at = clock_timestamp() where id = ${replicaId}
  `);
}

/** Unended runs that install the project's certificate or its site on a server. */
export const listRunsOn = (tx: Db, projectId: number, serverId: number): Promise<{ id: number }[]> =>
  rows(
    tx,
    sql`
      select id from runs
      where subject_id = ${projectId} and server_id = ${serverId} and ended_at is null
        and kind in ('balancer-site', 'certificate', 'certificate-install', 'certificate-cleanup', 'maintenance')
    `,
  );

/** Balanced projects whose load balancer has no known state, and is not being updated already. */
export const listOutdated = (db: Db, limit: number): Promise<{ id: number }[]> =>
  rows(
    db,
    sql`
      select p.id from projects p
      where p.load_balancer_id is not null and p.balancer_site is null
        and not exists (
          select 1 from targets t where t.kind = 'balancer-site' and t.subject_id = p.id
            and t.server_id = p.load_balancer_id and t.applied_version < t.wanted_version)
      order by p.id limit ${limit}
    `,
  );
