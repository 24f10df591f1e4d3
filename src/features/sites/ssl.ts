import type { PoolClient } from "pg";
import { emitUpdated } from "../projects/events.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { setSsl } from "../site-records/queries.ts";

/** Enables or disables SSL for a locked project; returns the new row. The caller updates the web server. */
export async function switchSsl(tx: PoolClient, project: PlacedProject, isEnabled: boolean): Promise<PlacedProject> {
  if (project.site.ssl_is_enabled === isEnabled) return project;
  await setSsl(tx, project.id, isEnabled);
  await emitUpdated(tx, project);
  return { ...project, site: { ...project.site, ssl_is_enabled: isEnabled } };
}
