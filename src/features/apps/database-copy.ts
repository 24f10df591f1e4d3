import type { Step } from "../../engine/runs/plan.ts";
import type { SqlEngine } from "../../host/databases/engine.ts";
import { withPrelude } from "../../host/runner/prelude.ts";
import { scriptFile } from "../../host/script-file.ts";
import { lines } from "../../host/sh.ts";
import type { AppDatabase, AppWork } from "./app.ts";
import { databaseCopyOf } from "./copies.ts";
import { asProject } from "./steps.ts";

export interface SchemaQueries {
  /** Statements whose answer changes when the application changes its tables. */
  schema: string;
  /** Run when the update was undone. */
  afterUndo?: string;
}

// A checksum over all columns.
const columnsOf: Record<SqlEngine, string> = {
  mariadb: `SELECT COUNT(*), COALESCE(SUM(CRC32(CONCAT_WS(' ', table_name, column_name, column_type, is_nullable))), 0)
  FROM information_schema.columns WHERE table_schema = DATABASE()`,
  postgresql: `SELECT count(*), sum(hashtext(concat_ws(' ', table_name, column_name, data_type, is_nullable)))
  FROM information_schema.columns WHERE table_schema NOT IN ('pg_catalog', 'information_schema')`,
};

/**
 * The state of an application's tables: its record of migrations (`COUNT(*), MAX(id) FROM migrations`), and the columns, since a
 * statement that changes a table takes effect before it is recorded.
 */
export const tablesOf = (work: Pick<AppWork, "database">, recorded: string): string =>
  `SELECT ${recorded}; ${columnsOf[databaseOf(work).engine]}`;

/**
 * Copies the application's database before an update. If the update is undone after it changed the tables, the copy is restored;
 * otherwise newer data of visitors stays. Everything runs with only the application's rights: it controls the names and contents
 * of its tables, and the client that reads a dump can start programs.
 */
export function keepDatabase(work: AppWork, { schema, afterUndo = "" }: SchemaQueries): Step {
  const { layout } = work;
  const { engine, name, username } = databaseOf(work);
  const file = (path: string): URL => new URL(`scripts/${path}`, import.meta.url);
  const script = (path: string, more = {}) =>
    lines(
      scriptFile(file(`${engine}.sh`), { database: name, username }),
      scriptFile(file(path), { copy: databaseCopyOf(layout), schema, ...more }),
    );
  return asProject(
    layout,
    { key: "keep-database", label: "Keep a copy of the database", sentence: "The database could not be copied." },
    script("keep-database.sh"),
    {
      phase: "update",
      timeoutSeconds: 1800,
      secrets: ["database-password"],
      undo: withPrelude("The former database could not be put back.", script("restore-database.sh", { afterUndo })),
    },
  );
}

function databaseOf({ database }: Pick<AppWork, "database">): AppDatabase {
  if (!database) throw new Error("The application has no database");
  return database;
}
