import type { PoolClient } from "pg";
import type { WithQueue } from "../../context.ts";
import { findTarget } from "../../engine/reconcile/queries.ts";
import { markIn } from "../../engine/runs/plan.ts";
import { listRunSteps, type Run } from "../../engine/runs/queries.ts";
import { projectLayout } from "../../host/layout.ts";
import { setPrepared } from "../placements/queries.ts";
import { emitUpdated } from "../projects/events.ts";
import { lockProjectForWork, lockProjectOn } from "../projects/queries.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { setDrift } from "../site-records/queries.ts";
import { siteOf, touchSite } from "./publish.ts";
import { siteStep } from "./steps.ts";

// What a run published on a server for a project, for every kind of run that does so.

/**
 * In the transaction that stores the end of a run that may have published the site, of another kind than the site's own: the target
 * compares what the server has with the rows, which may have changed since the run was planned.
 */
export async function recordPreparation(tx: PoolClient, ctx: WithQueue, run: Run, projectId: number): Promise<void> {
  const project = await recordSite(tx, run, projectId);
  if (!project || !isServing(project)) return;
  // Another run has published since, or at the same time; or the version before made the plan, which declares no state.
  const again = (await findTarget(tx, siteOf(project)))?.appliedMark !== markIn(run.plan.steps, siteOf(project));
  await touchSite(tx, ctx, project, { again });
}

/** Records that a run has set up the site, and what it found there. Undefined: it has not, or the project left the server. */
export async function recordSite(tx: PoolClient, run: Run, projectId: number): Promise<PlacedProject | undefined> {
  // Without a server: it was deleted.
  if (run.server_id === null || !run.plan.steps.some(({ key }) => key === siteStep)) return undefined;
  const placement = { projectId, serverId: run.server_id };
  const project = await lockProjectOn(tx, placement);
  if (!project) return undefined;
  await recordDrift(tx, run, projectId);
  const steps = await listRunSteps(tx, run.id);
  if (!steps.some(({ key, status }) => key === siteStep && status === "completed")) return undefined;
  if (!project.placement.is_prepared) await setPrepared(tx, placement);
  return project;
}

/** Whether the server of a placement follows the project's rows. */
export const isServing = ({ placement }: PlacedProject): boolean =>
  placement.role === "own" || placement.role === "replica";

/** The manual change that the publication found. */
export async function recordDrift(tx: PoolClient, run: Run, projectId: number): Promise<void> {
  const { web_server_drift: found } = run.facts;
  if (found === undefined) return;
  const project = await lockProjectForWork(tx, projectId);
  if (!project) return;
  const { siteAvailable: file } = projectLayout(projectId);
  await setDrift(tx, projectId, { serverId: run.server_id, file, kept_as: found === "removed" ? null : found });
  await emitUpdated(tx, project);
}
