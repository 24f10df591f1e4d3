import type { Pool } from "pg";
import { allOf, contains, orderOf } from "../../db/filters.ts";
import { limitOf, sharedCount } from "../../db/page.ts";
import { changed, constants, type Db, row, rows, type Sql, sql } from "../../db/sql.ts";
import type { SqlEngine } from "../../host/databases/engine.ts";
import type { SeenDatabase } from "../../host/databases/look.ts";
import type { Loss, LossScope } from "../../http/dry-run.ts";
import type { PageRequest } from "../../http/pagination.ts";
import { lossOf } from "../../http/queries.ts";
import { type Actor, serverReach } from "../accounts/reach.ts";
import type { OwnDatabase } from "../servers/hooks.ts";
import { isReadyServer } from "../servers/queries.ts";
import { serverTypes } from "../servers/schema.ts";
import { type DatabaseRow, databaseStatus } from "./schema.ts";

const { creating, exists, failed } = constants(databaseStatus);
const serverType = constants(serverTypes);

const columns = sql`
  d.id, d.server_id, d.project_id, d.database_type, d.database_name, d.username, d.status, d.created_by_user, d.is_adopted,
  d.notes, d.size_bytes, d.connections, d.character_set, d.collation_name, d.seen_at, d.created_at, d.updated_at
`;

// Excludes rows that reserve a name for a move, and databases that are being removed.
const isShown = sql`d.held_for is null and d.removed_at is null`;

/** The database that came with a server. */
export const findOwnDatabase = (db: Db, serverId: number): Promise<OwnDatabase | undefined> =>
  row(
    db,
    sql`
      select id, database_type, database_name, username, password from databases
      where server_id = ${serverId} and not created_by_user
    `,
  );

// Servers ------------------------------------------------------------------------------------------------------------------

/** The fields of a server that databases need. */
export interface ServerOfDatabases {
  id: number;
  organization_id: number;
  name: string;
  server_type: number;
  server_status: number;
  connection_status: 0 | 1;
  database_engine: SqlEngine | "none";
  public_ip: string | null;
  private_ip: string | null;
}

const serverColumns = sql`
  s.id, s.organization_id, s.name, s.server_type, s.server_status, s.connection_status, s.database_engine,
  host(s.public_ip) as public_ip, host(s.private_ip) as private_ip
`;

export const findDatabaseServer = (db: Db, actor: Actor, id: number): Promise<ServerOfDatabases | undefined> =>
  row(db, sql`select ${serverColumns} from servers s where s.id = ${id} and ${serverReach(actor)}`);

export const findDatabaseServerForWork = (db: Db, id: number): Promise<ServerOfDatabases | undefined> =>
  row(db, sql`select ${serverColumns} from servers s where s.id = ${id}`);

/** No other transaction adds a database or a user to the server before the end of this one. */
export const lockDatabaseServer = (tx: Db, id: number): Promise<ServerOfDatabases | undefined> =>
  row(tx, sql`select ${serverColumns} from servers s where s.id = ${id} for no key update of s`);

/** The last seen state of a server's engine. */
export interface EngineRow {
  version: string | null;
  found: SeenDatabase[];
  looked_at: string | null;
  error: string | null;
}

export const findEngine = (db: Db, serverId: number): Promise<EngineRow | undefined> =>
  row(db, sql`select version, found, looked_at, error from database_engines where server_id = ${serverId}`);

// Databases ----------------------------------------------------------------------------------------------------------------

/** The database and the server that a request names. */
export interface DatabasePath {
  serverId: number;
  databaseId: number;
}

const reachable = (actor: Actor): Sql => sql`
  exists (select 1 from servers s where s.id = d.server_id and ${serverReach(actor)}) and ${isShown}
`;

export const findDatabase = (
  db: Db,
  actor: Actor,
  { serverId, databaseId }: DatabasePath,
): Promise<(DatabaseRow & { password: Buffer }) | undefined> =>
  row(
    db,
    sql`
      select ${columns}, d.password from databases d
      where d.id = ${databaseId} and d.server_id = ${serverId} and ${reachable(actor)}
    `,
  );

/** Like `findDatabase`, and locks the row until the end of the transaction. */
export const lockReachableDatabase = (
  tx: Db,
  actor: Actor,
  { serverId, databaseId }: DatabasePath,
): Promise<LockedDatabase | undefined> =>
  row(
    tx,
    sql`
      select ${columns}, d.password, d.is_emptying, d.removed_at, o.organization_id
      from databases d join servers o on o.id = d.server_id
      where d.id = ${databaseId} and d.server_id = ${serverId} and ${reachable(actor)}
      for update of d
    `,
  );

export interface DatabaseFilter {
  text: string | undefined;
  projectIds: readonly number[] | undefined;
  serverIds: readonly number[] | undefined;
}

const matching = (actor: Actor, { text, projectIds, serverIds }: DatabaseFilter): Sql =>
  allOf([
    sql`d.server_id in (select s.id from servers s where ${serverReach(actor)})`,
    isShown,
    projectIds && sql`d.project_id = any(${[...projectIds]}::bigint[])`,
    serverIds && sql`d.server_id = any(${[...serverIds]}::bigint[])`,
    text === undefined ? undefined : contains([sql`d.database_name`, sql`d.username`], text),
  ]);

const sortColumns = {
  id: sql`d.id`,
  name: sql`d.database_name`,
  size_bytes: sql`d.size_bytes`,
  created_at: sql`d.created_at`,
} as const satisfies Record<string, Sql>;

export type DatabaseOrder = keyof typeof sortColumns | `-${keyof typeof sortColumns}`;

/** A page of the databases on all servers in reach. */
export const listReachableDatabases = (
  db: Db,
  actor: Actor,
  { filter, sort, page }: { filter: DatabaseFilter; sort: DatabaseOrder; page: PageRequest },
): Promise<(DatabaseRow & { server_name: string })[]> =>
  rows(
    db,
    sql`
      select ${columns}, (select s.name from servers s where s.id = d.server_id) as server_name from databases d
      where ${matching(actor, filter)} order by ${orderOf(sortColumns, sort, sql`d.id`)} ${limitOf(page)}
    `,
  );

export const countReachableDatabases = (pool: Pool, actor: Actor, filter: DatabaseFilter): Promise<number> =>
  sharedCount({ pool, query: sql`select count(*) as total from databases d where ${matching(actor, filter)}` });

/** What is lost with a database. */
export const listLossesOf = (db: Db, id: number): Promise<Loss[]> =>
  rows(
    db,
    sql`
      ${lossOf("database", { ...lostDatabase, from: sql`databases d where d.id = ${id}` })} union all
      ${lossOf("database_user", { id: sql`u.id`, name: sql`u.username`, from: sql`database_users u where u.database_id = ${id} and u.removed_at is null` })}
    `,
  );

const lostDatabase = { id: sql`d.id`, name: sql`d.database_name`, bytes: sql`d.size_bytes` };

/** What is lost with a project, or with a server. */
export function listLosses(db: Db, scope: LossScope): Promise<Loss[]> {
  const place = "projectId" in scope ? sql`d.project_id = ${scope.projectId}` : sql`d.server_id = ${scope.serverId}`;
  return rows(db, lossOf("database", { ...lostDatabase, from: sql`databases d where ${place} and ${isShown}` }));
}

/** The databases of a server in reach, each with the total count. */
export const listDatabases = (
  db: Db,
  serverId: number,
  page: PageRequest,
): Promise<(DatabaseRow & { total: number })[]> =>
  rows(
    db,
    sql`
      select ${columns}, count(*) over () as total from databases d
      where d.server_id = ${serverId} and ${isShown} order by d.id ${limitOf(page)}
    `,
  );

export async function countDatabases(db: Db, serverId: number): Promise<number> {
  const counted = await row<{ count: number }>(
    db,
    sql`select count(*) from databases d where d.server_id = ${serverId} and ${isShown}`,
  );
  return counted?.count ?? 0;
}

/** A row with the fields that jobs need. */
export interface LockedDatabase extends DatabaseRow {
  organization_id: number;
  password: Buffer;
  is_emptying: boolean;
  removed_at: string | null;
}

const workColumns = sql`
  ${columns}, d.password, d.is_emptying, d.removed_at, s.organization_id
`;

/** A database, also one that is being removed; locked until the end of the transaction. */
export const lockDatabase = (tx: Db, id: number): Promise<LockedDatabase | undefined> =>
  row(
    tx,
    sql`
      select ${workColumns} from databases d join servers s on s.id = d.server_id
      where d.id = ${id} and d.held_for is null for update of d
    `,
  );

export const findDatabaseForWork = (db: Db, id: number): Promise<LockedDatabase | undefined> =>
  row(
    db,
    sql`
      select ${workColumns} from databases d join servers s on s.id = d.server_id
      where d.id = ${id} and d.held_for is null
    `,
  );

/** Databases that belong to a project, without those that are being removed. */
export const listProjectDatabases = (db: Db, projectId: number): Promise<(DatabaseRow & { password: Buffer })[]> =>
  rows(
    db,
    sql`select ${columns}, d.password from databases d where d.project_id = ${projectId} and ${isShown} order by d.id`,
  );

export interface DatabaseInsert {
  serverId: number;
  projectId: number | null;
  engine: SqlEngine;
  name: string;
  username: string;
  /** Encrypted. */
  password: Buffer;
  isAdopted: boolean;
}

export async function insertDatabase(tx: Db, database: DatabaseInsert): Promise<DatabaseRow> {
  const inserted = await row<DatabaseRow>(
    tx,
    sql`
      insert into databases as d (server_id, project_id, database_type, database_name, username, password, is_adopted)
      values (${database.serverId}, ${database.projectId}, ${database.engine}, ${database.name}, ${database.username},
        ${database.password}, ${database.isAdopted})
      returning ${columns}
    `,
  );
  return inserted as DatabaseRow;
}

/** Records the database that comes with a server; it is created during the setup. */
export async function insertOwnDatabase(
  tx: Db,
  { serverId, engine, name, username, password }: Omit<DatabaseInsert, "projectId" | "isAdopted">,
): Promise<void> {
  await tx.query(sql`
    insert into databases (server_id, database_type, database_name, username, password, created_by_user)
    values (${serverId}, ${engine}, ${name}, ${username}, ${password}, false)
  `);
}

/** Stores whether a setup created the database that comes with its server; undefined if the row stays as it is. */
export function storeOwnDatabase(
  tx: Db,
  serverId: number,
  failure: { reason: string | null } | undefined,
): Promise<{ id: number; server_id: number; organization_id: number } | undefined> {
  const status = failure ? databaseStatus.failed : databaseStatus.exists;
  const reason = failure?.reason ?? null;
  return row(
    tx,
    sql`
      update databases d set status = ${status}, updated_at = clock_timestamp(),
        notes = case when ${status} = ${failed} or d.status = ${failed} then ${reason} else d.notes end
      from servers s
      where d.server_id = ${serverId} and s.id = d.server_id and not d.created_by_user and d.status <> ${exists}
        and (d.status <> ${status} or d.notes is distinct from ${reason})
      returning d.id, d.server_id, s.organization_id
    `,
  );
}

/** Whether the names are used by databases or users that Longshore has, or is removing, on the server. */
export async function findTakenNames(
  tx: Db,
  serverId: number,
  { name, username }: { name: string | undefined; username: string | undefined },
): Promise<{ name: "exists" | "removing" | null; username: boolean }> {
  const found = await row<{ name: "exists" | "removing" | null; username: boolean }>(
    tx,
    sql`
      select
        (select case when removed_at is null then 'exists' else 'removing' end from databases
          where server_id = ${serverId} and database_name = ${name ?? null}) as name,
        exists (select 1 from databases where server_id = ${serverId} and username = ${username ?? null})
          or exists (
            select 1 from database_users u join databases d on d.id = u.database_id
            where d.server_id = ${serverId} and u.username = ${username ?? null}
          ) as username
    `,
  );
  return found as { name: "exists" | "removing" | null; username: boolean };
}

/**
 * Locks a project on the server against deletion; false if it is not there. If the caller has locked the server, it is locked
 * against moves, too.
 */
export const holdProjectOn = async (tx: Db, projectId: number, serverId: number): Promise<boolean> =>
  (await row(tx, sql`select 1 from projects where id = ${projectId} and server_id = ${serverId} for key share`)) !==
  undefined;

export async function saveDatabase(
  tx: Db,
  id: number,
  { notes, project_id: projectId }: Pick<DatabaseRow, "notes" | "project_id">,
): Promise<void> {
  await changed(
    tx,
    sql`
      update databases set notes = ${notes}, project_id = ${projectId}, updated_at = clock_timestamp() where id = ${id}
    `,
  );
}

export async function savePassword(tx: Db, id: number, password: Buffer): Promise<void> {
  await changed(tx, sql`update databases set password = ${password}, updated_at = clock_timestamp() where id = ${id}`);
}

/** The next run empties it, or creates it if it does not exist. */
export async function startEmptying(tx: Db, id: number): Promise<void> {
  await changed(
    tx,
    sql`
      update databases set is_emptying = true, status = case when status = ${failed} then ${creating} else status end,
        notes = case when status = ${failed} then null else notes end, updated_at = clock_timestamp()
      where id = ${id}
    `,
  );
}

/** The row stays until the server has removed the database: its name is taken until then. */
export async function startRemoval(tx: Db, id: number): Promise<void> {
  await changed(
    tx,
    sql`update databases set removed_at = clock_timestamp(), project_id = null where id = ${id} and removed_at is null`,
  );
}

export async function deleteDatabaseRow(tx: Db, id: number): Promise<void> {
  await changed(tx, sql`delete from databases where id = ${id}`);
}

/** The server has it as in the row. `wasEmptied`: it has been emptied. */
export async function storeExists(tx: Db, id: number, { wasEmptied }: { wasEmptied: boolean }): Promise<void> {
  await changed(
    tx,
    sql`
      update databases set status = ${exists}, notes = case when status = ${failed} then null else notes end,
        is_emptying = is_emptying and not ${wasEmptied}, updated_at = clock_timestamp()
      where id = ${id}
    `,
  );
}

/** Stores why it could not be created; false if it exists or is being removed. */
export const storeCreationFailed = async (tx: Db, id: number, reason: string): Promise<boolean> =>
  (await changed(
    tx,
    sql`
      update databases set status = ${failed}, notes = ${reason}, is_emptying = false, updated_at = clock_timestamp()
      where id = ${id} and status = ${creating} and removed_at is null
    `,
  )) === 1;

// Checks of engines --------------------------------------------------------------------------------------------------------

export interface DueEngine {
  server_id: number;
  database_engine: SqlEngine;
}

/** Claims servers whose engine was not checked for about a minute. */
export const claimEngineChecks = (db: Db, limit: number): Promise<DueEngine[]> =>
  rows(
    db,
    sql`
      with due as (
        select s.id, s.database_engine from servers s left join database_engines e on e.server_id = s.id
        where s.server_type in (${serverType.app}, ${serverType.database}) and s.database_engine <> 'none' and ${isReadyServer}
          and (e.look_due_at is null or e.look_due_at <= clock_timestamp())
        order by e.look_due_at nulls first limit ${limit} for no key update of s skip locked
      ), claimed as (
        insert into database_engines (server_id, look_due_at)
        select id, clock_timestamp() + make_interval(secs => 55 + 10 * random()) from due
        on conflict (server_id) do update set look_due_at = excluded.look_due_at
      )
      select id as server_id, database_engine from due
    `,
  );

/** Names of all databases on a server that Longshore has records of, in any state. */
export async function listManagedNames(db: Db, serverId: number): Promise<string[]> {
  const found = await rows<{ name: string }>(
    db,
    sql`select database_name as name from databases where server_id = ${serverId}`,
  );
  return found.map(({ name }) => name);
}

export async function storeEngineCheck(
  tx: Db,
  serverId: number,
  seen: { version: string; databases: readonly SeenDatabase[]; found: readonly SeenDatabase[] },
): Promise<void> {
  await changed(
    tx,
    sql`
      update database_engines set version = ${seen.version}, found = ${JSON.stringify(seen.found.slice(0, mostFound))}::jsonb,
        looked_at = clock_timestamp(), error = null
      where server_id = ${serverId}
    `,
  );
  await changed(
    tx,
    sql`
      update databases d set size_bytes = seen."sizeBytes", connections = seen.connections,
        character_set = seen."characterSet", collation_name = seen."collation", seen_at = clock_timestamp()
      from jsonb_to_recordset(${JSON.stringify(seen.databases)}::jsonb)
        as seen(name text, "sizeBytes" bigint, connections integer, "characterSet" text, "collation" text)
      where d.server_id = ${serverId} and d.database_name = seen.name and d.held_for is null
    `,
  );
}

const mostFound = 1_000;

export async function storeEngineCheckFailure(db: Db, serverId: number, error: string): Promise<void> {
  await changed(db, sql`update database_engines set error = ${error} where server_id = ${serverId}`);
}

/** The framework of a project, such as `fw_1`. */
export async function findFramework(db: Db, projectId: number | null): Promise<string | null> {
  if (projectId === null) return null;
  const found = await row<{ framework_id: number }>(db, sql`select framework_id from projects where id = ${projectId}`);
  return found ? `fw_${found.framework_id}` : null;
}

/** Reserves the names of the project's databases on a server that does not have them, or no longer has them. */
export async function holdNames(tx: Db, projectId: number, serverId: number, deploymentId: number): Promise<void> {
  await tx.query(sql`
    insert into databases (server_id, database_type, database_name, username, password, notes, held_for)
    select ${serverId}, database_type, database_name, username, password, 'Held by the move of a project.', ${deploymentId}
    from databases where project_id = ${projectId} and held_for is null and removed_at is null
  `);
}

/** Ends the reservations of a move. */
export const releaseNames = (tx: Db, deploymentId: number): Promise<number> =>
  changed(tx, sql`delete from databases where held_for = ${deploymentId}`);

/** The project's databases are on another server, where the move has reserved their names. */
export async function moveDatabases(tx: Db, projectId: number, to: number, deploymentId: number): Promise<void> {
  await releaseNames(tx, deploymentId);
  await tx.query(sql`
    update databases set server_id = ${to} where project_id = ${projectId} and held_for is null and removed_at is null
  `);
}
