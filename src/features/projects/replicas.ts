import type { Db } from "../../db/sql.ts";
import { projectCapabilities } from "./capabilities.ts";
import { findName } from "./queries.ts";
import type { ProjectRow } from "./schema.ts";

// The replicas of a balanced project on further servers have separate rows. Their settings are changed only on the project
// itself.

/** Refuses changes that belong to the project of a replica. */
export async function refuseReplica(db: Db, project: Pick<ProjectRow, "replica_of">): Promise<void> {
  if (project.replica_of === null) return;
  const main_name = await findName(db, project.replica_of);
  throw projectCapabilities.refusal("update", "is_replica", { ...project, main_name });
}
