import type { Db } from "../../db/sql.ts";
import { findRunOf, isEnded, type Run } from "../../engine/runs/queries.ts";
import { installKind } from "./schema.ts";

/** Retry delay of a site that waits for the installation of a certificate. */
export const installationSeconds = 1;

/**
 * The present run that installs a certificate on a server. It publishes the site with the certificate before the rows have it.
 */
export async function findInstallation(tx: Db, projectId: number, serverId: number): Promise<Run | undefined> {
  const last = await findRunOf(tx, installKind, projectId);
  return last && !isEnded(last) && last.server_id === serverId ? last : undefined;
}
