import { changed, type Db, row, rows, sql } from "../../../db/sql.ts";
import { type DatabaseStatus, type DatabaseUserRow, databaseStatus } from "../schema.ts";

// Users with read-only access to a database.

const userColumns = sql`u.id, u.database_id, u.username, u.status, u.error, u.created_at`;

/** With the fields that jobs need; includes users that are being removed. */
export interface UserForWork extends DatabaseUserRow {
  password: Buffer;
  removed_at: string | null;
}

export const listUsersForWork = (db: Db, databaseId: number): Promise<UserForWork[]> =>
  rows(
    db,
    sql`
      select ${userColumns}, u.password, u.removed_at from database_users u where u.database_id = ${databaseId} order by u.id
    `,
  );

/** The users of a database in reach. */
export const listUsers = (db: Db, databaseId: number): Promise<DatabaseUserRow[]> =>
  rows(
    db,
    sql`
      select ${userColumns} from database_users u
      where u.database_id = ${databaseId} and u.removed_at is null order by u.id
    `,
  );

export const findUser = (
  db: Db,
  databaseId: number,
  userId: number,
): Promise<(DatabaseUserRow & { password: Buffer }) | undefined> =>
  row(
    db,
    sql`
      select ${userColumns}, u.password from database_users u
      where u.id = ${userId} and u.database_id = ${databaseId} and u.removed_at is null
    `,
  );

export async function insertUser(
  tx: Db,
  databaseId: number,
  { username, password }: { username: string; password: Buffer },
): Promise<DatabaseUserRow> {
  const inserted = await row<DatabaseUserRow>(
    tx,
    sql`
      insert into database_users as u (database_id, username, password) values (${databaseId}, ${username}, ${password})
      returning ${userColumns}
    `,
  );
  return inserted as DatabaseUserRow;
}

/** The user is listed no more, and is removed by the next run; returns false if it was before. */
export const markUserRemoved = async (tx: Db, userId: number): Promise<boolean> =>
  (await changed(
    tx,
    sql`update database_users set removed_at = clock_timestamp() where id = ${userId} and removed_at is null`,
  )) === 1;

export async function deleteUserRows(tx: Db, userIds: readonly number[]): Promise<void> {
  await changed(tx, sql`delete from database_users where id = any(${userIds}::bigint[])`);
}

export async function storeUserStatus(
  tx: Db,
  userId: number,
  status: DatabaseStatus,
  error: string | null,
): Promise<void> {
  await changed(tx, sql`update database_users set status = ${status}, error = ${error} where id = ${userId}`);
}

/** After a database was moved to another server: its users are created there. */
export async function recreateUsers(tx: Db, databaseId: number): Promise<void> {
  await changed(
    tx,
    sql`
      update database_users set status = ${databaseStatus.creating}, error = null
      where database_id = ${databaseId} and removed_at is null
    `,
  );
}
