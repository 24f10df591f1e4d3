import type { PoolClient } from "pg";
import type { Context, WithQueue } from "../../../context.ts";
import { transaction } from "../../../db/transaction.ts";
import type { Kind } from "../../../engine/kind.ts";
import type { JobHandler } from "../../../engine/queue/worker.ts";
import { forgetTarget, touchAll } from "../../../engine/reconcile/reconcile.ts";
import type { OutsideTargetKind } from "../../../engine/reconcile/target.ts";
import { AppError } from "../../../lib/errors.ts";
import { findProjectForWork } from "../../projects/queries.ts";
import { connectionOf, pathOf } from "../../sources/hosts.ts";
import { findSourceProjectForWork, setReportError } from "../../sources/queries.ts";
import { isEndedStatus } from "../schema.ts";
import { findShownAtHost, listShowable, type ShownAtHost } from "./queries.ts";
import { liveUrlOf, reportOf } from "./report.ts";

// The git host of a connected account shows at each commit how its deployment stands. Deployments do not wait for it: transactions
// that change them only leave a job, and an outside target with its retries does the rest.

const callTimeoutMs = 50_000;
const reportQueue = "report-deployments";

/** What the git host shows of a deployment. */
export const commitStatusKind: Kind = { kind: "commit-status", subject: "deployment" };

/** Has the git hosts of deployments follow them after the commit of the transaction. */
export async function showAtHosts(tx: PoolClient, { queue }: WithQueue, ids: readonly number[]): Promise<void> {
  const shown = await listShowable(tx, ids);
  if (shown.length > 0) await queue.enqueue(tx, reportQueue, { deploymentIds: shown.map(({ id }) => id) });
}

/**
 * A job of its own touches the targets: the call of a host locks a deployment before its target, and transactions that change
 * deployments lock others after it.
 */
export const commitStatusJobs = (ctx: Context): JobHandler[] => [
  {
    name: reportQueue,
    concurrency: 4,
    work: async ({ deploymentIds }) => {
      const ids = deploymentIds as number[];
      const targets = ids.map((subjectId) => ({ ...commitStatusKind, subjectId }));
      await transaction(ctx.pool, (tx) => touchAll(tx, ctx.queue, targets));
    },
  },
];

export const commitStatusTarget = (ctx: Context): OutsideTargetKind => ({
  ...commitStatusKind,
  call: ({ subjectId }, signal) => showAtHost(ctx, subjectId, signal),
});

async function showAtHost(ctx: Context, deploymentId: number, signal: AbortSignal): Promise<void> {
  const deployment = await findShownAtHost(ctx.pool, deploymentId);
  if (deployment) await attempt(ctx, deployment, signal);
  // Nothing of it changes any more.
  if (!deployment || isEndedStatus(deployment.status))
    await forgetTarget(ctx.pool, { ...commitStatusKind, subjectId: deploymentId });
}

/** Throws when another attempt may help. */
async function attempt(ctx: Context, deployment: ShownAtHost, signal: AbortSignal): Promise<void> {
  const { project_id: projectId } = deployment;
  try {
    await report(ctx, deployment, AbortSignal.any([signal, AbortSignal.timeout(callTimeoutMs)]));
    await setReportError(ctx.pool, projectId, null);
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError)) throw error;
    await setReportError(ctx.pool, projectId, error.message);
    if (!error.permanent && !deployment.is_old) throw error;
    ctx.log.warn(`The git host does not show deployment ${deployment.id}: ${error.message}`);
  }
}

async function report(ctx: Context, deployment: ShownAtHost, signal: AbortSignal): Promise<void> {
  const source = await findSourceProjectForWork(ctx.pool, deployment.project_id);
  const project = await findProjectForWork(ctx.pool, deployment.project_id);
  const repository = source && pathOf(ctx.config, source);
  const { commit_id: commit } = deployment;
  if (!source || !project || source.provider_id === null || repository === undefined || commit === null) return;
  const { publicUrl } = ctx.config;
  const shown = reportOf(deployment, { project: project.name, liveUrl: liveUrlOf(project.site), publicUrl });
  const { api, access } = await connectionOf(ctx, ctx.pool, source.provider_id, signal);
  // A renamed repository is found by its former path for reads only.
  const { path } = await api.getRepository(access, repository);
  await api.showStatus(access, { path, commit }, shown);
  await api.showDeployment?.(access, { path, commit }, shown);
}
