import type { PoolClient } from "pg";
import type { Db } from "../../db/sql.ts";
import { hookPoint, isAny, type WithHooks } from "../../lib/hooks.ts";
import type { PlacementRef } from "../placements/schema.ts";

/** What later features report about their work for a project, and do before it is deleted. */
export interface ProjectHooks {
  /** Whether the feature is moving the project to another server: its processes must stay as they are. */
  isMoving?: (db: Db, projectId: number) => Promise<boolean>;
  /** Whether the feature itself removes a project from a server that the project leaves. */
  clears?: (db: Db, placement: PlacementRef) => Promise<boolean>;
  /** Locks its records, so that none begins work before the deletion is committed. The project is locked. */
  lockForDeletion?: (tx: PoolClient, projectId: number) => Promise<void>;
  /** Its unended runs for the project that have another subject, such as a deployment: on one server, or on all. */
  listActiveRuns?: (tx: Db, projectId: number, serverId?: number) => Promise<{ id: number }[]>;
}

export const projectHooks = hookPoint<ProjectHooks>();

/** Whether the project is being moved to another server. */
export const isMoving = (db: Db, ctx: WithHooks, projectId: number): Promise<boolean> =>
  isAny(projectHooks.of(ctx), (hook) => hook.isMoving?.(db, projectId));
