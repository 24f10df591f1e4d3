import type { PoolClient } from "pg";
import { emitEvent } from "../../engine/events.ts";

/** Something about a server changed; a listener reads it again. */
export const emitServer = (
  tx: PoolClient,
  server: { id: number; organization_id: number },
  name: "server.updated" | "server.setup_step" | "server.deleted" | "server.transferred" = "server.updated",
): Promise<void> =>
  emitEvent(tx, { organizationId: server.organization_id, serverId: server.id, name, data: { id: server.id } });
