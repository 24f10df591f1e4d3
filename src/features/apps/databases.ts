import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { type Db, row, sql } from "../../db/sql.ts";
import type { Step } from "../../engine/plan.ts";
import { step } from "../../engine/plan.ts";
import { createDatabase } from "../../host/database.ts";
import { withPrelude } from "../../host/prelude.ts";
import { lines, sh } from "../../host/sh.ts";
import type { AppDatabase } from "./app.ts";

// TEMPORARY until the databases feature is merged.
export interface FoundDatabase extends AppDatabase {
  id: number;
  password: string;
  status: number;
  notes: string | null;
}

export async function findDatabase(
  db: Db,
  { secrets }: Pick<Context, "secrets">,
  id: number,
): Promise<FoundDatabase | undefined> {
  const found = await row<{
    id: number;
    database_type: "mariadb";
    database_name: string;
    username: string;
    password: Buffer;
    status: number;
    notes: string | null;
  }>(
    db,
    sql`select id, database_type, database_name, username, password, status, notes from server_databases where id = ${id}`,
  );
  return (
    found && {
      id: found.id,
      engine: found.database_type,
      name: found.database_name,
      username: found.username,
      password: secrets.decrypt(found.password),
      status: found.status,
      notes: found.notes,
    }
  );
}

export async function makeDatabase(
  tx: PoolClient,
  ctx: Pick<Context, "secrets">,
  wanted: { serverId: number; projectId: number; name: string; password: string },
): Promise<number> {
  const made = await row<{ id: number }>(
    tx,
    sql`
    insert into server_databases (server_id, project_id, database_type, database_name, username, password, status)
    values (${wanted.serverId}, ${wanted.projectId}, 'mariadb', ${wanted.name}, ${wanted.name}, ${ctx.secrets.encrypt(wanted.password)}, 1) returning id`,
  );
  return (made as { id: number }).id;
}

export const databaseStep = (database: AppDatabase): Step =>
  step(
    "create-database",
    "Create the database",
    withPrelude(
      "The database could not be created.",
      lines(
        sh`mariadb --batch <<< ${`DROP DATABASE IF EXISTS \`${database.name}\``}`,
        createDatabase({ ...database, passwordSecret: "database-password" }),
      ),
    ),
  );
