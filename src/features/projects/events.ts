import type { PoolClient } from "pg";
import { type Event, emitEvent, emitEvents } from "../../engine/events.ts";
import type { ProjectRow } from "./schema.ts";

/** A project as events name it. */
export type ProjectRef = Pick<ProjectRow, "id" | "home_server_id" | "organization_id">;

/** A visible field of a project changed; `serverId`: on a server besides its own. */
export const emitUpdated = (tx: PoolClient, project: ProjectRef, serverId?: number): Promise<void> =>
  emitEvent(tx, updated(project, serverId));

/** The same of several projects. */
export const emitAllUpdated = (tx: PoolClient, projects: readonly ProjectRef[]): Promise<void> =>
  emitEvents(
    tx,
    projects.map((project) => updated(project)),
  );

const updated = ({ id, home_server_id, organization_id }: ProjectRef, serverId = home_server_id): Event => ({
  organizationId: organization_id,
  serverId,
  projectId: id,
  name: "project.updated",
  data: { id },
});
