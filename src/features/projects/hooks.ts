import type { PoolClient } from "pg";
import type { WithQueue } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import type { TargetRef } from "../../engine/reconcile/target.ts";
import type { RunReport } from "../../engine/runs/await-run.ts";
import type { Loss } from "../../http/dry-run.ts";
import type { RequestContext } from "../../http/route.ts";
import { hookPoint, isAny, type WithHooks } from "../../lib/hooks.ts";
import type { PlacementRef } from "../placements/schema.ts";
import type { SiteBefore } from "../site-records/schema.ts";
import type { PlacedProject, ProjectSummary } from "./schema.ts";

/** What later features report about their work for a project, and do before it is deleted. */
export interface ProjectHooks {
  /** What the records of projects show of the feature, with one query for all of them. The caller has checked their reach. */
  describe?: (db: Db, projectIds: readonly number[]) => Promise<ReadonlyMap<number, Partial<Described>>>;
  /** What the deletion of a project deletes of the feature's records. */
  listLosses?: (db: Db, scope: { projectId: number }) => Promise<Loss[]>;
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

/** The parts of a project's record that later features have. */
export type Described = Pick<
  ProjectSummary,
  "live_deployment" | "last_deployment" | "has_pending_changes" | "monitors" | "certificate"
>;

const undescribed: Described = {
  live_deployment: null,
  last_deployment: null,
  has_pending_changes: false,
  monitors: { up: 0, down: 0 },
  certificate: null,
};

/** What later features show of projects, by their ids. */
export async function describeProjects(
  ctx: WithHooks & { pool: Db },
  ids: readonly number[],
): Promise<(id: number) => Described> {
  const parts = await Promise.all(projectHooks.of(ctx).map(({ describe }) => describe?.(ctx.pool, ids)));
  return (id) => Object.assign({}, undescribed, ...parts.map((part) => part?.get(id)));
}

/** Whether the project is being moved to another server. */
export const isMoving = (db: Db, ctx: WithHooks, projectId: number): Promise<boolean> =>
  isAny(projectHooks.of(ctx), (hook) => hook.isMoving?.(db, projectId));

/** The target of a project's site, and the version for which a request waits. */
export type Begun = TargetRef & { version: number };

/** A change of a site, and the publication that waits for the web server's answer to it. */
export interface OpenChange {
  changeId: number;
  begun: Begun;
}

/** The result of a change: `refused` is the sentence about one that the web server rejected, which is taken back by then. */
export type ChangeReport = RunReport & { refused?: string };

/** What the feature that publishes sites does when the settings of a project's site change. */
export interface SiteHooks {
  /**
   * Makes the web servers follow `project`, the changed row, in the transaction that changed it. If the project's own server rejects
   * the site, `replaced` is restored.
   */
  beginChange: (
    tx: PoolClient,
    ctx: WithQueue,
    project: PlacedProject,
    replaced: { before: SiteBefore; hash?: Buffer | null },
  ) => Promise<OpenChange>;
  /** Makes the web servers follow `project`, the changed row, without a change that could be taken back. */
  follow: (tx: PoolClient, ctx: WithQueue, project: PlacedProject) => Promise<unknown>;
  /** The result of a change: as soon as it is known, or without an outcome after `timeoutMs`. It continues in any case. */
  followChange: (ctx: RequestContext, change: OpenChange, timeoutMs: number) => Promise<ChangeReport>;
}

/** For one feature only. */
export const siteHooks = hookPoint<SiteHooks>();

/** The hooks of the feature that publishes sites. */
export function publishingOf(ctx: WithHooks): SiteHooks {
  const [publishing] = siteHooks.of(ctx);
  if (!publishing) throw new Error("No feature publishes sites");
  return publishing;
}
