import type { Db } from "../../db/sql.ts";
import { projectCapabilities } from "./capabilities.ts";
import { findName } from "./queries.ts";
import type { ProjectRow } from "./schema.ts";

// A project behind a load balancer on further servers: rows of projects of their own. Settings
// of such a project are changed on the project alone.

/** Refuses changes that belong to the project of a replica. */
export async function refuseReplica(db: Db, project: Pick<ProjectRow, "replica_of">): Promise<void> {
  if (project.replica_of === null) return;
  const main_name = await findName(db, project.replica_of);
  throw projectCapabilities.refusal("update", "is_replica", { ...project, main_name });
}
