import type { PoolClient } from "pg";
import { emitUpdated } from "../projects/events.ts";
import type { ProjectRow } from "../projects/schema.ts";
import { setSsl } from "../site-records/queries.ts";

/** Enables or disables SSL for a locked project; returns the new row. The caller updates the web server. */
export async function switchSsl(tx: PoolClient, project: ProjectRow, isEnabled: boolean): Promise<ProjectRow> {
  if (project.ssl_is_enabled === isEnabled) return project;
  await setSsl(tx, project.id, isEnabled);
  await emitUpdated(tx, project);
  return { ...project, ssl_is_enabled: isEnabled };
}
