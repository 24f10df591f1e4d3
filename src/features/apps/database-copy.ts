import { type Step, step } from "../../engine/plan.ts";
import { withPrelude } from "../../host/prelude.ts";
import type { AppWork } from "./app.ts";
import { scriptFile } from "./script-file.ts";

export interface SchemaQueries {
  /** Statement whose answer changes when the application changes its tables. */
  schema: string;
  /** Run after the copy was put back. */
  afterRestore: string;
}

/**
 * Copies the application's database aside before an update. When the update is undone after it changed the tables, the copy is
 * put back; otherwise what visitors wrote since stays. The copy is root's, and removed by `dropDatabaseCopy`.
 */
export function keepDatabase({ layout, database }: AppWork, queries: SchemaQueries): Step {
  if (database?.engine !== "mariadb") throw new Error("Only MariaDB databases can be kept");
  const variables = { database: database.name, copy: copyOf(layout.state), schema: queries.schema };
  const render = (name: string, more = {}) =>
    scriptFile(new URL(`scripts/${name}`, import.meta.url), { ...variables, ...more });
  return step(
    "keep-database",
    "Keep a copy of the database",
    withPrelude("The database could not be copied.", render("keep-database.sh")),
    {
      phase: "update",
      timeoutSeconds: 1800,
      undo: withPrelude(
        "The former database could not be put back.",
        render("restore-database.sh", { afterRestore: queries.afterRestore }),
      ),
    },
  );
}

/** The copy is not needed any more. */
export const dropDatabaseCopy = ({ layout }: Pick<AppWork, "layout">): Step =>
  step(
    "drop-database-copy",
    "Remove the copy of the database",
    scriptFile(new URL("scripts/drop-copy.sh", import.meta.url), { copy: copyOf(layout.state) }),
    { phase: "finish", onFailure: "continue" },
  );

const copyOf = (state: string): string => `${state}/app-update`;
