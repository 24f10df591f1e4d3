import type { Db } from "../../db/sql.ts";
import { hookPoint } from "../../lib/hooks.ts";

/** What later features know of the records that entries name. */
export interface AuditHooks {
  /** The names that records of the organization have now, by their subject: `project:5`. Those that are gone are missing. */
  namesOf: (db: Db, organizationId: number, subjects: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

export const auditHooks = hookPoint<AuditHooks>();
