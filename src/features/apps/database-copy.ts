import type { Step } from "../../engine/plan.ts";
import { withPrelude } from "../../host/prelude.ts";
import type { AppDatabase, AppWork } from "./app.ts";
import { databaseCopyOf } from "./copies.ts";
import { scriptFile } from "./script-file.ts";
import { asProject } from "./steps.ts";

export interface SchemaQueries {
  /** Statement whose answer changes when the application changes its tables. */
  schema: string;
  /** Run when the update was undone. */
  afterUndo: string;
}

/**
 * The state of an application's tables as one statement: what it records of them (`COUNT(*), MAX(id) FROM migrations`), and their
 * columns. Statements that change tables take effect at once, and are recorded later.
 */
export const tablesOf = (recorded: string): string =>
  `SELECT ${recorded} UNION ALL SELECT COUNT(*),
  COALESCE(SUM(CRC32(CONCAT_WS(' ', table_name, column_name, column_type, is_nullable))), 0)
  FROM information_schema.columns WHERE table_schema = DATABASE()`;

/**
 * Copies the application's database aside before an update. When the update is undone after it changed the tables, the copy is
 * put back; otherwise what visitors wrote since stays. All of it with the rights of the application alone: names and contents of
 * its tables are the application's, and a dump is read by a client that can start programs.
 */
export function keepDatabase({ layout, database }: AppWork, queries: SchemaQueries): Step {
  if (database?.engine !== "mariadb") throw new Error("Only MariaDB databases can be kept");
  const variables = { ...accountOf(database), copy: databaseCopyOf(layout), schema: queries.schema };
  const script = (name: string, more = {}) =>
    scriptFile(new URL(`scripts/${name}`, import.meta.url), { ...variables, ...more });
  return asProject(
    layout,
    { key: "keep-database", label: "Keep a copy of the database", sentence: "The database could not be copied." },
    script("keep-database.sh"),
    {
      phase: "update",
      timeoutSeconds: 1800,
      secrets: ["database-password"],
      undo: withPrelude(
        "The former database could not be put back.",
        script("restore-database.sh", { afterUndo: queries.afterUndo }),
      ),
    },
  );
}

const accountOf = ({ name, username }: AppDatabase) => ({ database: name, username });
