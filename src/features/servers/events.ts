import type { PoolClient } from "pg";
import { emitEvent } from "../../engine/events.ts";

/** A server changed; listeners read it again. */
export const emitServer = (
  tx: PoolClient,
  server: { id: number; organization_id: number },
  name: "server.updated" | "server.setup_step" | "server.deleted" | "server.transferred" = "server.updated",
): Promise<void> =>
  emitEvent(tx, { organizationId: server.organization_id, serverId: server.id, name, data: { id: server.id } });
