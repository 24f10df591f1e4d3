import type { Db } from "../../db/sql.ts";
import { emitEvent } from "../../engine/events.ts";
import type { DeploymentRow } from "./schema.ts";

type Told = Pick<DeploymentRow, "id" | "organization_id" | "project_id" | "server_id" | "status">;

const emit = (tx: Db, name: string, { id, organization_id, project_id, server_id, status }: Told): Promise<void> =>
  emitEvent(tx, {
    organizationId: organization_id,
    serverId: server_id,
    projectId: project_id,
    name,
    data: { id, project_id, status },
  });

/** A deployment is new or changed its status. */
export const emitDeployment = (tx: Db, deployment: Told): Promise<void> => emit(tx, "deployment.updated", deployment);

/** A deployment's log grew; a listener reads on from where it was. */
export const emitLog = (tx: Db, deployment: Told): Promise<void> => emit(tx, "deployment.log", deployment);
