import type { Db } from "../../db/sql.ts";
import { AppError } from "../../lib/errors.ts";
import { findName } from "./queries.ts";
import type { ProjectRow } from "./schema.ts";

// What further servers have of a project that is behind a load balancer: rows of projects of their own. What people decide of
// such a project is decided on the project alone.

/** Refuses what is decided on the project that this is a replica of. */
export async function refuseReplica(db: Db, project: Pick<ProjectRow, "replica_of">): Promise<void> {
  if (project.replica_of === null) return;
  const name = await findName(db, project.replica_of);
  throw new AppError(
    "refused",
    `This is what a further server has of ${name}, which is behind a load balancer: change ${name} (project ${project.replica_of}) instead.`,
  );
}
