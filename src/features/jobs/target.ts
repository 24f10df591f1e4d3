import { hash } from "node:crypto";
import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { emitEvent } from "../../engine/events.ts";
import { forgetTarget, touch } from "../../engine/reconcile/reconcile.ts";
import type { Target, TargetKind, TargetRef } from "../../engine/reconcile/target.ts";
import type { Plan } from "../../engine/runs/plan.ts";
import { listRunSteps, type Run } from "../../engine/runs/queries.ts";
import { reportSecret } from "../../host/jobs/job-reports.ts";
import { isMoving } from "../projects/hooks.ts";
import { onServer } from "../projects/on-server.ts";
import { fingerprint } from "../projects/plans.ts";
import { findProjectForWork, lockProjectForWork } from "../projects/queries.ts";
import type { ProjectRow } from "../projects/schema.ts";
import { recordPreparation } from "../publication/preparation.ts";
import { jobOnServer } from "./on-server.ts";
import { applyJobs, applyKey, type JobOnServer, jobFact, jobsPlan, restartKey } from "./plans.ts";
import { type JobReport, listJobsForWork, reportJobs, setHeartbeat } from "./queries.ts";
import { type JobRow, jobsKind } from "./schema.ts";

// Makes the server follow the rows of a project's jobs: a target of engine/reconcile with the project as subject.

type Queueing = Pick<Context, "queue">;

/** Identifies the state of a project's jobs that the server gets. */
export const jobsFingerprint = (project: ProjectRow, jobs: readonly JobRow[]): string =>
  fingerprint(applyJobs(onServer(project, false), jobs.map(jobOnServer)));

/** Nothing can run without a live release; the deployment that makes one live also brings the jobs. */
export const canRunJobs = (project: ProjectRow): boolean => project.is_prepared && project.live_release_id !== null;

/** Makes the server follow the project's jobs, in the transaction that changed them, with the project locked. */
export const touchJobs = async (tx: Db, ctx: Queueing, project: ProjectRow): Promise<void> =>
  void (await touch(tx, ctx.queue, { ...jobsKind, subjectId: project.id, serverId: project.server_id }));

/** The server has exactly the jobs of the rows, and their records show its reports. */
export const jobsTarget = (ctx: Context): TargetKind => ({
  ...jobsKind,
  desired: (tx, target) => desired(tx, ctx, target),
  // The addresses of the jobs' heartbeats.
  secrets: async ({ subjectId }) => {
    const reporting = (await listJobsForWork(ctx.pool, subjectId)).filter((job) => job.heartbeat_url !== null);
    const files = reporting.map(({ id, heartbeat_url: url }) => [reportSecret(id), ctx.secrets.decrypt(url as Buffer)]);
    return { files: Object.fromEntries(files), masked: [] };
  },
  onApplied: (tx, target, run) => recordApplied(tx, ctx, target, run),
  onFailed: (tx, target, run, error) => recordFailed(tx, ctx, { target, run, error }),
});

async function desired(tx: Db, ctx: Context, { subjectId, serverId }: TargetRef): Promise<Plan | undefined> {
  const project = await findProjectForWork(tx, subjectId);
  if (project?.server_id !== serverId || !canRunJobs(project)) return undefined;
  // The end of a move touches the target of the project's server.
  if (await isMoving(tx, ctx, subjectId)) return undefined;
  const jobs = await listJobsForWork(tx, subjectId);
  return jobsPlan(onServer(project, false), jobs.map(jobOnServer));
}

async function recordApplied(tx: PoolClient, ctx: Queueing, target: Target, run: Run | undefined): Promise<void> {
  if (!run) {
    // The engine has locked the target, so the project must not be locked here: callers of `touchJobs` lock it first.
    const project = await findProjectForWork(tx, target.subjectId);
    if (project?.server_id !== target.serverId) await forgetTarget(tx, target);
    return;
  }
  const project = await lockProjectHere(tx, target);
  if (!project) return;
  await recordPreparation(tx, ctx, run, project.id);
  const jobs = await listJobsForWork(tx, project.id);
  if (appliedBy(run) !== jobsFingerprint(project, jobs)) return touchJobs(tx, ctx, project);
  await report(
    tx,
    project,
    jobs.map((job) => reportOf(job, run.facts)),
  );
}

async function recordFailed(
  tx: PoolClient,
  ctx: Queueing,
  { target, run, error }: { target: Target; run: Run | undefined; error: string },
): Promise<"retry" | "stop"> {
  const project = await lockProjectHere(tx, target);
  if (!project) return "stop";
  const jobs = await listJobsForWork(tx, project.id);
  if (run && appliedBy(run) !== jobsFingerprint(project, jobs)) {
    await touchJobs(tx, ctx, project);
  } else {
    // Processes from before the failure keep running.
    const waiting = jobs.filter(({ status }) => status === "pending");
    await report(
      tx,
      project,
      waiting.map(({ id }) => ({ id, status: "failed", error })),
    );
  }
  return "retry";
}

/** Locks the project of a target. Undefined if it is gone, or on another server: then the target is deleted too. */
async function lockProjectHere(tx: PoolClient, target: Target): Promise<ProjectRow | undefined> {
  const project = await lockProjectForWork(tx, target.subjectId);
  if (project?.server_id === target.serverId) return project;
  await forgetTarget(tx, target);
  return undefined;
}

function appliedBy({ plan }: Run): string | undefined {
  const step = plan.steps.find((each) => each.key === applyKey);
  return step && fingerprint(step);
}

function reportOf({ id, is_active }: JobRow, facts: Run["facts"]): JobReport {
  if (!is_active) return { id, status: "inactive", error: null };
  const reported = facts[jobFact(id)];
  if (reported === undefined || reported === "active") return { id, status: "active", error: null };
  return { id, status: "failed", error: reported };
}

/** Records a run's reports on the jobs whose processes it restarted. */
export async function recordRestart(
  tx: PoolClient,
  project: ProjectRow,
  run: Run,
  jobs: readonly JobRow[],
): Promise<void> {
  const reported = jobs.filter((job) => job.is_active && job.status !== "pending" && jobFact(job.id) in run.facts);
  await report(
    tx,
    project,
    reported.map((job) => reportOf(job, run.facts)),
  );
}

async function report(tx: PoolClient, project: ProjectRow, reports: readonly JobReport[]): Promise<void> {
  if (reports.length === 0) return;
  for (const { id } of await reportJobs(tx, project.id, reports)) await emitJob(tx, project, id);
}

/** A visible field of a job changed. */
export const emitJob = (tx: PoolClient, project: ProjectRow, id: number): Promise<void> =>
  emitEvent(tx, {
    organizationId: project.organization_id,
    serverId: project.server_id,
    projectId: project.id,
    name: "job.updated",
    data: { id },
  });

/**
 * Makes a job report on its runs to this address, or to none, in the caller's transaction. The address contains a secret. Does
 * nothing if it is the present address.
 */
export async function setHeartbeatUrl(
  tx: PoolClient,
  ctx: Queueing & Pick<Context, "secrets">,
  job: { id: number; project_id: number },
  url: string | undefined,
): Promise<void> {
  const project = await lockProjectForWork(tx, job.project_id);
  const heartbeat = url === undefined ? undefined : { url: ctx.secrets.encrypt(url), digest: heartbeatDigest(url) };
  if (!project || !(await setHeartbeat(tx, job.id, heartbeat))) return;
  await touchJobs(tx, ctx, project);
  await emitJob(tx, project, job.id);
}

/** Identifies the address of a heartbeat. */
export const heartbeatDigest = (url: string): string => hash("sha256", url, "hex");

// Deployments --------------------------------------------------------------------------------------------------------------

const activationKeys = ["activate", "switch-upstream", "restart"];

/** The jobs of a project as a deployment's plan needs them. */
export async function jobsForDeployment(tx: PoolClient, projectId: number): Promise<JobOnServer[]> {
  return (await listJobsForWork(tx, projectId)).map(jobOnServer);
}

/** Whether a project has jobs of any kind, and background jobs. */
export async function whatRunsOf(db: Db, projectId: number): Promise<{ hasJobs: boolean; restartsJobs: boolean }> {
  const jobs = (await listJobsForWork(db, projectId)).map(jobOnServer);
  return { hasJobs: jobs.length > 0, restartsJobs: hasProcesses(jobs) };
}

const hasProcesses = (jobs: readonly JobOnServer[]): boolean =>
  jobs.some((job) => job.isActive && "processes" in job.runs);

/**
 * In the transaction that ends a deployment; the project is locked, and passed as it was before. A process that started while a
 * release was live for a moment may still run it, even if the release was undone; and the deployment did not restart jobs that
 * were added while it ran.
 */
export async function followDeployment(
  tx: PoolClient,
  ctx: Queueing,
  run: Run,
  { id, prepared }: Pick<ProjectRow, "id" | "prepared">,
): Promise<void> {
  const jobs = await listJobsForWork(tx, id);
  if (jobs.length === 0 && !(applyKey in prepared)) return;
  const project = await findProjectForWork(tx, id);
  if (!project) return;
  await recordRestart(tx, project, run, jobs);
  const isOutdated = project.prepared[applyKey] !== jobsFingerprint(project, jobs);
  if (isOutdated || (hasProcesses(jobs.map(jobOnServer)) && (await mayRunFormer(tx, run)))) {
    await touchJobs(tx, ctx, project);
  }
}

// Whether the live release changed in the run without a successful restart of the processes.
async function mayRunFormer(tx: PoolClient, run: Run): Promise<boolean> {
  const steps = await listRunSteps(tx, run.id);
  const hasBegun = steps.some(({ key, started_at }) => activationKeys.includes(key) && started_at !== null);
  const isRestarted = steps.some(({ key, status }) => key === restartKey && status === "completed");
  return hasBegun && !isRestarted;
}
