import type { Db } from "../../db/sql.ts";
import { hookPoint } from "../../lib/hooks.ts";

/** What later features report about databases that they work with. */
export interface DatabaseHooks {
  /** Whether the databases of a project must stay as they are, since the feature copies them. */
  isCopying?: (db: Db, projectId: number) => Promise<boolean>;
}

export const databaseHooks = hookPoint<DatabaseHooks>();
