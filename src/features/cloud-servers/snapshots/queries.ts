import { limitOf } from "../../../db/page.ts";
import { changed, type Db, row, rows, type Sql, sql } from "../../../db/sql.ts";
import type { PageRequest } from "../../../http/pagination.ts";
import { type Actor, serverReach } from "../../accounts/reach.ts";
import type { SnapshotRow } from "../schema.ts";

const snapshotColumns = sql`
  i.id, i.organization_id, i.provider_id, i.server_id, i.name, i.key, i.location, i.server_ref, i.server_os, i.image_id,
  i.state, i.error, i.created_at, i.ready_at
`;

/** Images contain the data of a server: a restricted member sees only those of servers in reach. */
const snapshotReach = (actor: Actor): Sql =>
  actor.restriction
    ? sql`(i.organization_id = ${actor.organizationId}
        and exists (select 1 from servers s where s.id = i.server_id and ${serverReach(actor)}))`
    : sql`i.organization_id = ${actor.organizationId}`;

export const listVisibleSnapshots = (
  db: Db,
  actor: Actor,
  page: PageRequest,
): Promise<(SnapshotRow & { total: number })[]> =>
  rows(
    db,
    sql`
      select ${snapshotColumns}, (select count(*) from server_snapshots i where ${snapshotReach(actor)}) as total
      from server_snapshots i where ${snapshotReach(actor)} order by i.id desc ${limitOf(page)}
    `,
  );

export async function countVisibleSnapshots(db: Db, actor: Actor): Promise<number> {
  const counted = await row<{ count: number }>(
    db,
    sql`select count(*) from server_snapshots i where ${snapshotReach(actor)}`,
  );
  return counted?.count ?? 0;
}

export const findVisibleSnapshot = (db: Db, actor: Actor, id: number): Promise<SnapshotRow | undefined> =>
  row(db, sql`select ${snapshotColumns} from server_snapshots i where i.id = ${id} and ${snapshotReach(actor)}`);

export const lockVisibleSnapshot = (tx: Db, actor: Actor, id: number): Promise<SnapshotRow | undefined> =>
  row(
    tx,
    sql`select ${snapshotColumns} from server_snapshots i where i.id = ${id} and ${snapshotReach(actor)} for update of i`,
  );

export const findSnapshot = (db: Db, id: number): Promise<SnapshotRow | undefined> =>
  row(db, sql`select ${snapshotColumns} from server_snapshots i where i.id = ${id}`);

export async function insertSnapshot(
  tx: Db,
  snapshot: {
    organizationId: number;
    providerId: number;
    serverId: number;
    name: string;
    key: string;
    location: string;
    serverRef: string;
  },
): Promise<SnapshotRow> {
  const inserted = await row<SnapshotRow>(
    tx,
    sql`
      insert into server_snapshots as i (organization_id, provider_id, server_id, name, key, location, server_ref, server_os)
      select ${snapshot.organizationId}, ${snapshot.providerId}, id, ${snapshot.name}, ${snapshot.key},
        ${snapshot.location}, ${snapshot.serverRef}, server_os
      from servers where id = ${snapshot.serverId} returning ${snapshotColumns}
    `,
  );
  return inserted as SnapshotRow;
}

export const saveImage = (tx: Db, id: number, imageId: string): Promise<number> =>
  changed(tx, sql`update server_snapshots set image_id = ${imageId} where id = ${id}`);

export const moveSnapshot = (
  tx: Db,
  id: number,
  from: readonly SnapshotRow["state"][],
  { state, error = null }: { state: SnapshotRow["state"]; error?: string | null },
): Promise<SnapshotRow | undefined> =>
  row(
    tx,
    sql`
      update server_snapshots i set state = ${state}, error = ${error},
        ready_at = ${state === "ready" ? sql`clock_timestamp()` : sql`i.ready_at`}
      where i.id = ${id} and i.state = any(${[...from]}::text[]) returning ${snapshotColumns}
    `,
  );

export async function deleteSnapshotRow(tx: Db, id: number): Promise<void> {
  await tx.query(sql`delete from server_snapshots where id = ${id}`);
}
