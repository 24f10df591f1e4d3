import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { recordApplied } from "../../engine/reconcile/reconcile.ts";
import { listRunSteps, type Run } from "../../engine/runs/queries.ts";
import { projectLayout } from "../../host/layout.ts";
import { setPrepared } from "../placements/queries.ts";
import { emitUpdated } from "../projects/events.ts";
import { onServer } from "../projects/on-server.ts";
import { fingerprint, preparationFingerprints, siteStep } from "../projects/plans.ts";
import { lockProjectForWork, lockProjectOn } from "../projects/queries.ts";
import type { ProjectRow } from "../projects/schema.ts";
import { beginPublication, siteOf, touchBalancerSite, touchSite } from "../projects/site-targets.ts";
import { setDrift } from "../sites/queries.ts";
import { reconcileCertificate } from "./certificate-check.ts";

// What a run prepared and published on a server for a project, for every kind of run that does so.

/**
 * In the transaction that stores the end of a run that prepares or publishes: records the state of the project on the server. If
 * the rows have changed since the run was planned, another run makes the web server follow: then returns true.
 */
export async function recordPreparation(
  tx: PoolClient,
  ctx: Pick<Context, "queue">,
  run: Run,
  projectId: number,
): Promise<boolean> {
  const published = run.plan.steps.find(({ key }) => key === siteStep);
  const prepared = await preparedBy(tx, run);
  // Without a server: it was deleted.
  if (run.server_id === null || (!published && Object.keys(prepared).length === 0)) return false;
  const placement = { projectId, serverId: run.server_id };
  const project = await lockProjectOn(tx, placement);
  if (!project) return false;
  await setPrepared(tx, placement, prepared, siteStep);
  await recordDrift(tx, run, projectId);
  const isPrepared = project.is_prepared || siteStep in prepared;
  if (!published || !isPrepared || !isServing(project)) return false;
  // For the whole preparation, since the project's next deployment asks for it.
  const wanted = preparationFingerprints(onServer(project, project.has_environment));
  const isFollowed = wanted[siteStep] !== fingerprint(published);
  if (isFollowed) await (project.role === "own" ? beginPublication : touchSite)(tx, ctx, project);
  else if (project.balance) await touchBalancerSite(tx, ctx, projectId);
  else if (project.ssl_is_enabled) await reconcileCertificate(tx, ctx, projectId);
  if (prepared[siteStep] === wanted[siteStep]) await recordApplied(tx, siteOf(project));
  return isFollowed;
}

/** Whether the server of a placement follows the project's rows. */
export const isServing = ({ role }: Pick<ProjectRow, "role">): boolean => role === "own" || role === "replica";

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

/** The completed steps of a project's preparation, with their fingerprints. */
export async function preparedBy(tx: PoolClient, run: Run): Promise<Record<string, string>> {
  if (run.plan.steps.every((step) => step.phase !== "prepare")) return {};
  const completed = (await listRunSteps(tx, run.id)).filter((step) => step.status === "completed");
  return Object.fromEntries(
    completed.flatMap(({ position }) => {
      const step = run.plan.steps[position];
      return step?.phase === "prepare" ? [[step.key, fingerprint(step)]] : [];
    }),
  );
}
