import { type Db, row, rows, sql } from "../../../db/sql.ts";
import { changedAt } from "../queries.ts";

/** Locks the balanced projects that depend on this server: as their load balancer, their own server, or a further one. */
export const listBalanced = (
  tx: Db,
  serverId: number,
): Promise<{ id: number; name: string; balancer_id: number; place: "balancer" | "own" | "further" }[]> =>
  rows(
    tx,
    sql`
      select p.id, p.name, site.load_balancer_id as balancer_id, case when site.load_balancer_id = ${serverId} then 'balancer'
        when p.server_id = ${serverId} then 'own' else 'further' end as place
      from projects p join sites site on site.project_id = p.id
      where site.load_balancer_id = ${serverId} or (site.load_balancer_id is not null
        and exists (select 1 from placements pl where pl.project_id = p.id and pl.server_id = ${serverId}))
      order by p.id for no key update of p
    `,
  );

// Deletion --------------------------------------------------------------------------------------------------------------

/** Deletes the record with its dependent rows. */
export async function deleteServerRow(tx: Db, id: number): Promise<void> {
  await tx.query(sql`delete from servers where id = ${id}`);
}

/** A machine that Longshore leaves: its connection data, and the runs to end there. */
export interface DepartedServer {
  id: number;
  name: string;
  host: string;
  port: number;
  host_key: string;
  ssh_public_key: string;
  /** Encrypted. */
  ssh_private_key: Buffer;
  run_ids: number[];
  is_this_machine: boolean;
  created_at: string;
}

/** Keeps the data needed to leave a machine; undefined if it was never connected to, so that it has nothing of ours. */
export const insertDeparture = (tx: Db, serverId: number, runIds: number[]): Promise<{ id: number } | undefined> =>
  row(
    tx,
    sql`
      insert into departed_servers (name, host, port, host_key, ssh_public_key, ssh_private_key, run_ids,
        is_this_machine)
      select name, public_ip, ssh_port, host_key, ssh_public_key, ssh_private_key, ${runIds}::bigint[], is_this_machine
      from servers where id = ${serverId} and host_key is not null and public_ip is not null
      returning id
    `,
  );

export const findDeparture = (db: Db, id: number): Promise<DepartedServer | undefined> =>
  row(db, sql`select * from departed_servers where id = ${id}`);

export async function deleteDeparture(db: Db, id: number): Promise<void> {
  await db.query(sql`delete from departed_servers where id = ${id}`);
}

// Transfer --------------------------------------------------------------------------------------------------------------

/** Whether the user may transfer a server into the organization; also false if there is no such organization. */
export const isOwnerOf = async (db: Db, userId: number, organizationId: number): Promise<boolean> =>
  (await row(
    db,
    sql`
      select 1 from memberships
      where user_id = ${userId} and organization_id = ${organizationId} and role = 'Owner'
    `,
  )) !== undefined;

/**
 * Moves a server and everything on it: foreign keys cascade the organization to projects, deployments and monitors, and rows
 * without an organization (domains, databases) move with their parents.
 */
export async function moveToOrganization(tx: Db, serverId: number, organizationId: number): Promise<void> {
  await tx.query(sql`
    update servers set organization_id = ${organizationId}, updated_at = ${changedAt} where id = ${serverId}
  `);
}

/** Removes the pins of those who are not members of the organization. The others stay members until the end of the transaction. */
export async function removePinsOutside(tx: Db, serverId: number, organizationId: number): Promise<void> {
  await tx.query(sql`
    with members as materialized (
      select user_id from memberships where organization_id = ${organizationId} for key share
    )
    delete from server_pins where server_id = ${serverId} and user_id not in (select user_id from members)
  `);
}
