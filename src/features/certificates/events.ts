import type { PoolClient } from "pg";
import { emitEvent } from "../../engine/events.ts";
import type { ProjectRef } from "../projects/events.ts";

/** A visible field of a project's certificate changed. */
export const emitCertificate = (tx: PoolClient, { id, home_server_id, organization_id }: ProjectRef): Promise<void> =>
  emitEvent(tx, {
    organizationId: organization_id,
    serverId: home_server_id,
    projectId: id,
    name: "certificate.updated",
    data: { project_id: id },
  });
