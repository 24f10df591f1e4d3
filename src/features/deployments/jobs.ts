import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { pipelined, transaction } from "../../db/transaction.ts";
import type { JobHandler } from "../../engine/queue/worker.ts";
import type { AnyTargetKind } from "../../engine/reconcile/target.ts";
import type { Run } from "../../engine/runs/queries.ts";
import type { RunKind } from "../../engine/runs/runs.ts";
import type { PeriodicTask } from "../../engine/schedule/schedule.ts";
import { commitUrl } from "../../host/git/git.ts";
import { projectLayout } from "../../host/layout.ts";
import type { Counts } from "../../lib/metrics.ts";
import { followDeployment } from "../jobs/targets.ts";
import { setDisk, setLive } from "../placements/queries.ts";
import { identityOf } from "../projects/on-server.ts";
import { deployKeyPlan } from "../projects/plans.ts";
import { findProjectForWork, findProjectOn, setInstalled } from "../projects/queries.ts";
import type { ProjectRow } from "../projects/schema.ts";
import { type DispatchJob, dispatchQueue, wakeDispatches } from "../servers/dispatch.ts";
import { recordPreparation } from "../sites/preparation.ts";
import { gitRoots, repositoryOf } from "../sources/hosts.ts";
import { hasDeployKey, recordDeployKey, syncGitHost } from "../sources/source.ts";
import { commitStatusJobs, commitStatusTarget } from "./commit-statuses/target.ts";
import { type CommitAt, markCancelling, resumeRunning } from "./ending/queries.ts";
import { type Ending, endDeployment } from "./ending.ts";
import { emitDeployment } from "./events.ts";
import { planRun, secretsOf } from "./planning.ts";
import { emitProgress } from "./progress.ts";
import { countOpenDeployments, lockPlacementOf } from "./queries.ts";
import { listServersWithQueue } from "./queue/queries.ts";
import { continuePast, continueRolling } from "./rolling.ts";
import { type DeploymentRow, placementOf } from "./schema.ts";
import { deployKeyKind, deploymentKind, dispatch, releaseHold, startNext } from "./starting.ts";
import { diskOf } from "./steps/disk.ts";
import { warningsOf, warningsOfRelease } from "./warnings.ts";

export const deploymentJobs = (ctx: Context): JobHandler[] => [
  ...commitStatusJobs(ctx),
  {
    name: dispatchQueue,
    concurrency: 64,
    work: ({ serverIds }) => dispatch(ctx, serverIds as DispatchJob["serverIds"]),
  },
];

export const deploymentSchedules = (ctx: Context): PeriodicTask[] => [
  {
    // Checks every queue, in case a wake-up was lost.
    name: "dispatch-queued-deployments",
    everyMs: 30_000,
    work: async () => {
      const serverIds = (await listServersWithQueue(ctx.pool)).map((server) => server.server_id);
      await transaction(ctx.pool, (tx) => wakeDispatches(tx, ctx.queue, serverIds));
    },
  },
];

export const deploymentCounts = ({ pool }: Context): Counts[] => [
  {
    name: "longshore_deployments",
    help: "Deployments that have not ended, by status.",
    labels: ["status"],
    read: () => countOpenDeployments(pool),
  },
];

export const deploymentRunKinds = (ctx: Context): RunKind[] => [
  {
    ...deploymentKind,
    plan: (run) => planRun(ctx, run),
    secrets: (run) => secretsOf(ctx, run),
    onProgress: (tx, progress) => emitProgress(tx, ctx, progress),
    onCancelRefused: async (tx, run) => {
      const deployment = await resumeRunning(tx, run.subject_id);
      if (deployment) await emitDeployment(tx, ctx, deployment);
    },
    onEnded: (tx, run, outcome) => finish(ctx, tx, run, outcome),
  },
];

export const deploymentTargets = (ctx: Context): AnyTargetKind[] => [
  commitStatusTarget(ctx),
  // A server has the deploy key of a project, and its public half is recorded.
  {
    ...deployKeyKind,
    desired: async (tx, { subjectId, serverId }) => {
      const placement = { projectId: subjectId, serverId };
      const project = await findProjectOn(tx, placement);
      if (!project || (await hasDeployKey(tx, placement))) return undefined;
      return deployKeyPlan(projectLayout(subjectId), identityOf(project));
    },
    onApplied: async (tx, { subjectId: projectId, serverId }, run) => {
      if (run) await recordDeployKey(tx, ctx, { projectId, serverId, publicKey: run.facts.deploy_key });
      if (await hasDeployKey(tx, { projectId, serverId })) await syncGitHost(tx, ctx, projectId);
      else await releaseHold(tx, ctx, projectId, { serverId });
    },
    // The deployment that waits for the key begins nevertheless, and reports the error of the server.
    onFailed: async (tx, { subjectId, serverId }) => {
      await releaseHold(tx, ctx, subjectId, { serverId });
      return "stop";
    },
  },
];

// In the transaction that stores the end of the journal: the record, the live release, and the next deployment.
async function finish(ctx: Context, tx: PoolClient, run: Run, outcome: Ending["outcome"]): Promise<void> {
  // Before the deployment's row is locked, as a deletion does. As on its own server if it was removed from this one.
  const placement = await lockPlacementOf(tx, run.subject_id);
  const project =
    placement && ((await findProjectOn(tx, placement)) ?? (await findProjectForWork(tx, placement.projectId)));
  if (!project) return;
  const commit = fetchedCommit(ctx, run, project);
  const warnings = outcome === "succeeded" ? [...warningsOf(run, project), ...(await warningsOfRelease(tx, run))] : [];
  // Cancelled with its run, since the project is removed from the server.
  if (outcome === "cancelled") await markCancelling(tx, run.subject_id);
  const ended = await endDeployment(tx, ctx, run.subject_id, { outcome, error: run.error, warnings, commit });
  if (!ended) return;
  // The preparation of the site stays on the server, even if the rest of an installation fails.
  await recordPreparation(tx, ctx, run, ended.project_id);
  const { deploy_key: publicKey } = run.facts;
  await recordDeployKey(tx, ctx, { projectId: ended.project_id, serverId: run.server_id, publicKey });
  const isOwn = project.placement.role === "own" && project.placement.server_id === ended.server_id;
  // In this order, but pipelined.
  await pipelined(
    outcome === "succeeded" && recordLive(tx, run, ended, isOwn),
    isOwn && followDeployment(tx, ctx, run, project),
  );
  if (outcome === "succeeded") await continueRolling(tx, ctx, ended, project);
  else if (project.placement.server_id !== ended.server_id) await continuePast(tx, ctx, [ended]);
  await startNext(ctx, tx, ended.server_id);
}

async function recordLive(tx: PoolClient, run: Run, deployment: DeploymentRow, isOwn: boolean): Promise<void> {
  const placement = placementOf(deployment);
  await setLive(tx, placement, {
    deploymentId: deployment.id,
    releaseId: deployment.release_id ?? deployment.id,
    port: run.facts.live_port ? Number(run.facts.live_port) : null,
  });
  if (isOwn) await setInstalled(tx, deployment.project_id);
  const disk = diskOf(run);
  if (disk) await setDisk(tx, placement, disk);
}

function fetchedCommit(ctx: Context, { facts }: Run, project: ProjectRow): CommitAt | undefined {
  if (!facts.commit) return undefined;
  const repository = repositoryOf(ctx.config, project);
  const url = repository && commitUrl(repository.url, facts.commit, gitRoots(ctx.config));
  const { commit_author: author = null, commit_message: message = null } = facts;
  return { id: facts.commit, url: url ?? null, author, message };
}
