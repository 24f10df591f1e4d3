import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import type { LogPart } from "../../engine/runs/log.ts";
import type { RequestContext } from "../../http/route.ts";
import { hookPoint, type WithHooks } from "../../lib/hooks.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { type DescribedDeployments, listDescribed } from "./queries.ts";
import type { DeploymentRow, ProcessType } from "./schema.ts";

/** What later features decide about the projects that are theirs, such as a catalog application. */
export interface DeploymentHooks {
  /**
   * Why a project's process cannot be replaced now; undefined: there is nothing to object. The caller has locked the project, so
   * that nothing else replaces it before the transaction ends.
   */
  recycleRefusal?: (tx: PoolClient, ctx: Context, project: PlacedProject) => Promise<string | undefined>;
}

export const deploymentHooks = hookPoint<DeploymentHooks>();

/** How the deployments of a process type are started, cancelled and shown. */
export interface Procedure {
  processType: ProcessType;
  /** Whether a queued one goes along when its project moves to another server. */
  followsProject: boolean;
  /** Whether it may fetch the repository, so that the git host has to have the server's deploy key before it starts. */
  mayFetch: boolean;
  /**
   * In the transaction that claims the deployment. Returns the release that it makes live, and whether the caller makes its run.
   * An error is the reason with which the deployment fails.
   */
  start: (
    tx: PoolClient,
    ctx: Context,
    deployment: DeploymentRow,
    project: PlacedProject,
  ) => Promise<{ releaseId: number; hasRun: boolean }>;
  /** Cancels a queued one at once, asks a running one to stop, and refuses otherwise. */
  cancel: (tx: PoolClient, ctx: RequestContext, deployment: DeploymentRow) => Promise<"cancelled" | "cancelling">;
  /** The runs of which its log consists. */
  listLogParts: (db: Db, deployment: Pick<DeploymentRow, "id" | "run_id" | "status">) => Promise<LogPart[]>;
}

/** One for each process type. */
export const procedures = hookPoint<Procedure>();

export function procedureOf(ctx: WithHooks, { process_type: type }: Pick<DeploymentRow, "process_type">): Procedure {
  const procedure = procedures.of(ctx).find(({ processType }) => processType === type);
  if (!procedure) throw new Error(`No feature has the process type ${type}`);
  return procedure;
}

/** What the records of projects name of their deployments. Without an actor: for projects whose reach the caller has checked. */
export async function describeDeployments(
  db: Db,
  projectIds: readonly number[],
): Promise<Map<number, DescribedDeployments>> {
  const described = await listDescribed(db, projectIds);
  return new Map(described.map(({ project_id: id, ...deployments }) => [id, deployments]));
}
