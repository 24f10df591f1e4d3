import type { PoolClient } from "pg";
import { emitEvent } from "../../engine/events.ts";

/** A server changed; listeners read it again. */
export const emitServer = (
  tx: PoolClient,
  server: { id: number; organization_id: number },
  name: "server.updated" | "server.setup_step" | "server.deleted" | "server.transferred" = "server.updated",
): Promise<void> =>
  emitEvent(tx, { organizationId: server.organization_id, serverId: server.id, name, data: { id: server.id } });

/** The log of a setup grew; `offset` is where to read on. */
export const emitSetupLog = (
  tx: PoolClient,
  { id, organization_id: organizationId }: { id: number; organization_id: number },
  grown: { run_id: number; offset: number },
): Promise<void> => emitEvent(tx, { organizationId, serverId: id, name: "server.setup_log", data: { id, ...grown } });
