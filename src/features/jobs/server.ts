import { hash } from "node:crypto";
import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { emitEvent } from "../../engine/events.ts";
import { findRunOf, isEnded, listRunSteps, type Run } from "../../engine/queries.ts";
import { createRun } from "../../engine/runs.ts";
import { onServer } from "../projects/on-server.ts";
import { fingerprint } from "../projects/plans.ts";
import { findProjectForWork, isMoving, lockProjectForWork } from "../projects/queries.ts";
import { jobsKind, type ProjectRow } from "../projects/schema.ts";
import { recordPreparation } from "../projects/web-server.ts";
import { jobOnServer } from "./on-server.ts";
import { applyJobs, applyKey, type JobOnServer, jobFact, jobsPlan, restartKey } from "./plans.ts";
import { type JobReport, listJobsForWork, reportJobs, setReport } from "./queries.ts";
import type { JobRow } from "./schema.ts";

// How the server follows the rows of a project's jobs. One run at a time applies their state; when they have moved
// on by its end, another one follows. So the rows win, in any order of requests, and also when a server was away.

type Queueing = Pick<Context, "queue">;

/** Distinguishes two states of a project's jobs by what the server gets of them. */
export const jobsFingerprint = (project: ProjectRow, jobs: readonly JobRow[]): string =>
  fingerprint(applyJobs(onServer(project, false), jobs.map(jobOnServer)));

/** Nothing can run before there is a release that is live; the deployment that brings it brings the jobs. */
export const canRunJobs = (project: ProjectRow): boolean => project.is_prepared && project.live_release_id !== null;

/**
 * Makes the server follow the project's jobs, in the transaction that changed them; the project is locked. With `restart`
 * also when a run is under way already, since that may have looked before what has just happened.
 */
export async function beginJobs(
  tx: PoolClient,
  ctx: Queueing,
  project: ProjectRow,
  { restart = false } = {},
): Promise<void> {
  // The end of a move begins them again.
  if (!canRunJobs(project) || (await isMoving(tx, project.id))) return;
  const { id: subjectId, server_id: serverId } = project;
  const last = await findRunOf(tx, jobsKind, subjectId);
  if (!restart && last && !isEnded(last) && last.server_id === serverId) return;
  const jobs = await listJobsForWork(tx, subjectId);
  const plan = jobsPlan(onServer(project, false), jobs.map(jobOnServer));
  await createRun(tx, ctx.queue, { serverId, kind: jobsKind, subjectId, plan });
}

/** In the transaction that stores the end of such a run: the server's reports go into the rows they are about. */
export async function recordJobs(
  tx: PoolClient,
  ctx: Queueing,
  run: Run,
  outcome: "succeeded" | "failed" | "stalled" | "cancelled",
): Promise<void> {
  const project = await lockProjectForWork(tx, run.subject_id);
  if (!project || project.server_id !== run.server_id) return;
  await recordPreparation(tx, ctx, run, project.id);
  const jobs = await listJobsForWork(tx, project.id);
  if (appliedBy(run) !== jobsFingerprint(project, jobs)) return beginJobs(tx, ctx, project);
  const failure = outcome === "succeeded" ? undefined : (run.error ?? "The server did not say why.");
  await report(
    tx,
    project,
    jobs.map((job) => reportOf(job, run.facts, failure)),
  );
}

function appliedBy({ plan }: Run): string | undefined {
  const step = plan.steps.find((each) => each.key === applyKey);
  return step && fingerprint(step);
}

function reportOf(job: JobRow, facts: Run["facts"], failure: string | undefined): JobReport {
  const { id, status, error } = job;
  // Processes from before a failure keep running.
  if (failure !== undefined)
    return status === "pending" ? { id, status: "failed", error: failure } : { id, status, error };
  if (!job.is_active) return { id, status: "inactive", error: null };
  const said = facts[jobFact(id)];
  if (said === undefined || said === "active") return { id, status: "active", error: null };
  return { id, status: "failed", error: said };
}

/** Records the reports on jobs of a run that restarted processes. */
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
    reported.map((job) => reportOf(job, run.facts, undefined)),
  );
}

async function report(tx: PoolClient, project: ProjectRow, reports: readonly JobReport[]): Promise<void> {
  if (reports.length === 0) return;
  for (const { id } of await reportJobs(tx, project.id, reports)) await emitJob(tx, project, id);
}

/** Something of a job changed that a reader of its record can see. */
export const emitJob = (tx: PoolClient, project: ProjectRow, id: number): Promise<void> =>
  emitEvent(tx, {
    organizationId: project.organization_id,
    serverId: project.server_id,
    projectId: project.id,
    name: "job.updated",
    data: { id },
  });

/**
 * Has a job report how its runs end to this address, or to none, in the caller's transaction. The address holds a secret. Nothing
 * happens when it does so already.
 */
export async function setJobReport(
  tx: PoolClient,
  ctx: Queueing & Pick<Context, "secrets">,
  job: { id: number; project_id: number },
  url: string | undefined,
): Promise<void> {
  const project = await lockProjectForWork(tx, job.project_id);
  const report = url === undefined ? undefined : { url: ctx.secrets.encrypt(url), digest: reportDigest(url) };
  if (!project || !(await setReport(tx, job.id, report))) return;
  await beginJobs(tx, ctx, project);
  await emitJob(tx, project, job.id);
}

/** Distinguishes two addresses. */
export const reportDigest = (url: string): string => hash("sha256", url, "hex");

// Deployments --------------------------------------------------------------------------------------------------------------

const activationKeys = ["activate", "switch-upstream", "restart"];

/** The jobs of a project as a deployment's plan needs them. */
export async function jobsForDeployment(tx: PoolClient, projectId: number): Promise<JobOnServer[]> {
  return (await listJobsForWork(tx, projectId)).map(jobOnServer);
}

/** What runs a project's code: jobs of any kind, and background jobs. */
export async function whatRunsOf(db: Db, projectId: number): Promise<{ hasJobs: boolean; restartsJobs: boolean }> {
  const jobs = (await listJobsForWork(db, projectId)).map(jobOnServer);
  return { hasJobs: jobs.length > 0, restartsJobs: hasProcesses(jobs) };
}

const hasProcesses = (jobs: readonly JobOnServer[]): boolean =>
  jobs.some((job) => job.isActive && "processes" in job.runs);

/**
 * In the transaction that ends a deployment; the project is locked, and given as it was before. What was live for a moment
 * may be what a process runs that started just then, also when the release was put back; and jobs that came while it was
 * under way were not restarted by it.
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
  if (project.prepared[applyKey] !== jobsFingerprint(project, jobs)) {
    await beginJobs(tx, ctx, project);
  } else if (hasProcesses(jobs.map(jobOnServer)) && (await mayRunAnother(tx, run))) {
    await beginJobs(tx, ctx, project, { restart: true });
  }
}

// Whether the live release changed in the run without a restart of the processes that ended well.
async function mayRunAnother(tx: PoolClient, run: Run): Promise<boolean> {
  const steps = await listRunSteps(tx, run.id);
  const hasBegun = steps.some(({ key, started_at }) => activationKeys.includes(key) && started_at !== null);
  const isRestarted = steps.some(({ key, status }) => key === restartKey && status === "completed");
  return hasBegun && !isRestarted;
}
