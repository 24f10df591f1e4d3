import type { PoolClient } from "pg";
import { emitEvent } from "../../engine/events.ts";
import type { ProjectRow } from "./schema.ts";

/** A visible field of a project changed. */
export const emitUpdated = (
  tx: PoolClient,
  { id, server_id, organization_id }: Pick<ProjectRow, "id" | "server_id" | "organization_id">,
): Promise<void> =>
  emitEvent(tx, {
    organizationId: organization_id,
    serverId: server_id,
    projectId: id,
    name: "project.updated",
    data: { id },
  });
