import { hash } from "node:crypto";
import type { PoolClient } from "pg";
import type { Context, WithQueue } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { emitEvent } from "../../engine/events.ts";
import { findTarget } from "../../engine/reconcile/queries.ts";
import { forgetTarget, touch } from "../../engine/reconcile/reconcile.ts";
import type { Target, TargetKind, TargetRef } from "../../engine/reconcile/target.ts";
import type { Plan } from "../../engine/runs/plan.ts";
import { findRunOf, listRunSteps, type Run } from "../../engine/runs/queries.ts";
import { reportSecret } from "../../host/jobs/job-reports.ts";
import type { WithHooks } from "../../lib/hooks.ts";
import type { ProjectRef } from "../projects/events.ts";
import { isMoving } from "../projects/hooks.ts";
import { onServer } from "../projects/on-server.ts";
import { findProjectForWork, lockProjectForWork } from "../projects/queries.ts";
import type { PlacedProject, ProjectRow } from "../projects/schema.ts";
import { jobOnServer } from "./on-server.ts";
import { type JobOnServer, jobFact, jobsPlan, restartKey } from "./plans.ts";
import { type JobReport, listJobsForWork, reportJobs, setHeartbeat } from "./queries.ts";
import { type JobRow, jobsKind } from "./schema.ts";

// Makes the server follow the rows of a project's jobs: a target of engine/reconcile with the project as subject.

/** Nothing can run without a live release; the deployment that makes one live also brings the jobs. */
export const canRunJobs = ({ placement }: PlacedProject): boolean =>
  placement.is_prepared && placement.live_release_id !== null;

/** Makes the server follow the project's jobs, in the transaction that changed them, with the project locked. */
export const touchJobs = async (
  tx: Db,
  ctx: WithQueue,
  project: PlacedProject,
  options?: { again: boolean },
): Promise<void> => void (await touch(tx, ctx.queue, targetOf(project), options));

const targetOf = ({ id, placement }: PlacedProject): TargetRef => ({
  ...jobsKind,
  subjectId: id,
  serverId: placement.server_id,
});

/** Whether a project has jobs, or had some on its server. */
const hadJobs = async (tx: Db, project: PlacedProject, jobs: readonly JobRow[]): Promise<boolean> =>
  jobs.length > 0 || (await findTarget(tx, targetOf(project))) !== undefined;

/** A move has ended: jobs waited for it, and then run on the project's server; jobs that were deleted during it end. */
export async function resumeJobs(tx: Db, ctx: WithQueue, project: PlacedProject): Promise<void> {
  const jobs = await listJobsForWork(tx, project.id);
  if (await hadJobs(tx, project, jobs)) await touchJobs(tx, ctx, project, { again: true });
}

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
  onFailed: (tx, target, _, error) => recordFailed(tx, target, error),
});

async function desired(tx: Db, ctx: Context, { subjectId, serverId }: TargetRef): Promise<Plan | undefined> {
  const project = await findProjectForWork(tx, subjectId);
  if (project?.placement.server_id !== serverId || !(await mayFollow(tx, ctx, project))) return undefined;
  const jobs = await listJobsForWork(tx, subjectId);
  return jobsPlan(onServer(project, false), jobs.map(jobOnServer));
}

/** The end of a move touches the target of the project's server. */
const mayFollow = async (tx: Db, ctx: WithHooks, project: PlacedProject): Promise<boolean> =>
  canRunJobs(project) && !(await isMoving(tx, ctx, project.id));

async function recordApplied(tx: PoolClient, ctx: Context, target: Target, run: Run | undefined): Promise<void> {
  const project = await lockProjectHere(tx, target);
  if (!project || (!run && !(await mayFollow(tx, ctx, project))) || isBehind(target)) return;
  const jobs = await listJobsForWork(tx, project.id);
  // Without a run, the server has the jobs as the last one set them up.
  const { facts = {} } = run ?? (await findRunOf(tx, jobsKind, project.id, project.placement.server_id)) ?? {};
  const reported = run ? jobs : jobs.filter(({ status }) => status === "pending");
  await report(
    tx,
    project,
    reported.map((job) => reportOf(job, facts)),
  );
}

async function recordFailed(tx: PoolClient, target: Target, error: string): Promise<"retry" | "stop"> {
  const project = await lockProjectHere(tx, target);
  if (!project) return "stop";
  if (isBehind(target)) return "retry";
  // Processes from before the failure keep running.
  const waiting = (await listJobsForWork(tx, project.id)).filter(({ status }) => status === "pending");
  await report(
    tx,
    project,
    waiting.map(({ id }) => ({ id, status: "failed", error })),
  );
  return "retry";
}

/** The jobs have changed since the run was planned: the next one reports. */
const isBehind = ({ wantedVersion, runningVersion }: Target): boolean =>
  wantedVersion > (runningVersion ?? wantedVersion);

/** Locks the project of a target. Undefined if it is gone, or on another server: then the target is deleted too. */
async function lockProjectHere(tx: PoolClient, target: Target): Promise<PlacedProject | undefined> {
  const project = await lockProjectForWork(tx, target.subjectId);
  if (project?.placement.server_id === target.serverId) return project;
  await forgetTarget(tx, target);
  return undefined;
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
  project: PlacedProject,
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
export const emitJob = (tx: PoolClient, project: ProjectRef, id: number): Promise<void> =>
  emitEvent(tx, {
    organizationId: project.organization_id,
    serverId: project.home_server_id,
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
  ctx: WithQueue & Pick<Context, "secrets">,
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
  ctx: WithQueue,
  run: Run,
  { id }: Pick<ProjectRow, "id">,
): Promise<void> {
  const jobs = await listJobsForWork(tx, id);
  const project = await findProjectForWork(tx, id);
  if (!project || !(await hadJobs(tx, project, jobs))) return;
  await recordRestart(tx, project, run, jobs);
  const again = hasProcesses(jobs.map(jobOnServer)) && (await mayRunFormer(tx, run));
  await touchJobs(tx, ctx, project, { again });
}

// Whether the live release changed in the run without a successful restart of the processes.
async function mayRunFormer(tx: PoolClient, run: Run): Promise<boolean> {
  const steps = await listRunSteps(tx, run.id);
  const hasBegun = steps.some(({ key, started_at }) => activationKeys.includes(key) && started_at !== null);
  const isRestarted = steps.some(({ key, status }) => key === restartKey && status === "completed");
  return hasBegun && !isRestarted;
}
