import type { PoolClient } from "pg";
import { emitEvent } from "../../engine/events.ts";
import type { ProjectRow } from "./schema.ts";

/** A project as events name it. */
export type ProjectRef = Pick<ProjectRow, "id" | "home_server_id" | "organization_id">;

/** A visible field of a project changed; `serverId`: on a server besides its own. */
export const emitUpdated = (
  tx: PoolClient,
  { id, home_server_id, organization_id }: ProjectRef,
  serverId: number = home_server_id,
): Promise<void> =>
  emitEvent(tx, {
    organizationId: organization_id,
    serverId,
    projectId: id,
    name: "project.updated",
    data: { id },
  });
