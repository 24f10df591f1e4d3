import type { PoolClient } from "pg";
import type { Static } from "typebox";
import { transaction } from "../../db/transaction.ts";
import { listSyncs } from "../../engine/reconcile/reconcile.ts";
import { inSync } from "../../engine/reconcile/target.ts";
import { awaitRun, linesOf } from "../../engine/runs/await-run.ts";
import { createRun } from "../../engine/runs/runs.ts";
import { nextRun, readCronExpression } from "../../host/jobs/cron.ts";
import { projectLayout } from "../../host/layout.ts";
import { printJobLog } from "../../host/systemd/project-log.ts";
import { jobUnitPattern } from "../../host/systemd/unit.ts";
import { refuseChanged } from "../../http/expected.ts";
import { pageOf, paginated, totalOf } from "../../http/pagination.ts";
import { endRehearsal } from "../../http/rehearsal.ts";
import type { Partly, RequestContext } from "../../http/route.ts";
import { isOn } from "../../http/schemas.ts";
import { AppError, type FieldErrors, notFound } from "../../lib/errors.ts";
import { masker } from "../../lib/mask.ts";
import { timestamp } from "../../lib/timestamp.ts";
import { getProject } from "../projects/actions.ts";
import { projectState } from "../projects/capabilities.ts";
import { followUnits, type LiveQuery } from "../projects/live-log.ts";
import { askForLog, maskedValues } from "../projects/logs.ts";
import { lockProject } from "../projects/queries.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { addingJobsCapabilities, backgroundJobCapabilities, scheduledJobCapabilities } from "./capabilities.ts";
import { restartJobPlan, runJobPlan } from "./plans.ts";
import {
  countJobs,
  deleteJobRow,
  findJob,
  insertJob,
  type JobPath,
  type JobSettings,
  listJobs,
  updateJob,
} from "./queries.ts";
import {
  type BackgroundJobRequest,
  type JobKind,
  type JobRow,
  jobCommandKind,
  jobsKind,
  jobsPerProject,
  type SchedulerJobRequest,
} from "./schema.ts";
import { canRunJobs, emitJob, touchJobs } from "./targets.ts";

const jobsPerPage = 25;
const shownLines = 200;

type Request = Partly<Static<typeof SchedulerJobRequest> & Static<typeof BackgroundJobRequest>>;

const nouns: Record<JobKind, string> = { scheduled: "scheduled job", background: "background job" };

const jobNotFound = (kind: JobKind): AppError => notFound(`The ${nouns[kind]}`);

export async function showJobs(
  ctx: RequestContext,
  projectId: number,
  kind: JobKind,
  query: { page?: unknown; per_page?: unknown },
) {
  const page = pageOf(query, jobsPerPage);
  const jobs = await listJobs(ctx.pool, ctx.actor, { kind, projectId }, page);
  // Nothing to show: there is no such project, or no such page.
  if (jobs.length === 0) await getProject(ctx, projectId);
  const total = await totalOf(page, jobs, () => countJobs(ctx.pool, projectId, kind));
  return paginated(page, total, await recordsOf(ctx, projectId, jobs));
}

export async function showJob(ctx: RequestContext, path: JobPath) {
  const [record] = await recordsOf(ctx, path.projectId, [await getJob(ctx, path)]);
  return record as NonNullable<typeof record>;
}

async function getJob(ctx: RequestContext, path: JobPath): Promise<JobRow> {
  const job = await findJob(ctx.pool, ctx.actor, path);
  if (!job) throw jobNotFound(path.kind);
  return job;
}

/**
 * The jobs of a project, which share one sync, as the API shows them: with the fields of both kinds, from which the reply's
 * schema selects.
 */
async function recordsOf({ pool }: RequestContext, projectId: number, jobs: readonly JobRow[]) {
  const sync = (await listSyncs(pool, jobsKind, [projectId])).get(projectId) ?? inSync;
  const { user } = projectLayout(projectId);
  return jobs.map(({ timezone, ...job }) => {
    const expression = job.cron_expression ?? "";
    const next = job.is_active && expression !== "" ? nextRun(expression, timezone) : undefined;
    return {
      ...job,
      cron_expression: expression,
      processes: job.processes ?? 0,
      user,
      next_run_at: next === undefined ? null : timestamp(next),
      sync,
    };
  });
}

/** The errors of a job beyond the schema. */
export function checkJob(
  _ctx: RequestContext,
  { params, body }: { params: { id: number }; body: Request },
): FieldErrors {
  const { user, cron_expression: expression, command } = body;
  const own = projectLayout(params.id).user;
  const read = expression === undefined ? undefined : readCronExpression(expression);
  return {
    ...(user === undefined || user === null || user === "" || user === own
      ? {}
      : { user: `Jobs of this project run as its own user, ${own}: leave the user out.` }),
    ...(read && "error" in read ? { cron_expression: read.error } : {}),
    ...(command?.includes("\0") ? { command: "The command must not contain a NUL character." } : {}),
  };
}

/** Adds a job; the server receives it at once, or by the deployment that installs the project. */
export async function createJob(ctx: RequestContext, projectId: number, kind: JobKind, body: Request) {
  const settings = settingsAfter(kind, undefined, body);
  const jobId = await changeJobs(ctx, projectId, async (tx, project) => {
    await addingJobsCapabilities.refuse(`create_${kind}_job`, projectState(project), {
      too_many: async () => (await countJobs(tx, projectId, kind)) >= jobsPerProject,
    });
    const id = await insertJob(tx, projectId, kind, settings);
    await touchJobs(tx, ctx, project);
    await emitJob(tx, project, id);
    return id;
  });
  const data = await showJob(ctx, { kind, projectId, jobId });
  return { message: `The ${nouns[kind]} was created. The server is being updated.`, data };
}

/** Changes the given fields of a job; the rest stays. */
export async function changeJob(ctx: RequestContext, path: JobPath, body: Request) {
  await changeJobs(ctx, path.projectId, async (tx, project) => {
    const job = await findJob(tx, ctx.actor, path);
    if (!job) throw jobNotFound(path.kind);
    refuseChanged(ctx, job);
    const settings = settingsAfter(path.kind, job, body);
    // A new name changes nothing on the server. A failed sync is retried even without a change.
    const again = job.status === "failed";
    const isChanged = again || applied.some((field) => settings[field] !== job[field]);
    await updateJob(tx, job.id, settings, isChanged);
    if (isChanged) await touchJobs(tx, ctx, project, { again });
    await emitJob(tx, project, job.id);
  });
  return { message: `The ${nouns[path.kind]} was updated.`, data: await showJob(ctx, path) };
}

export async function deleteJob(ctx: RequestContext, path: JobPath) {
  await changeJobs(ctx, path.projectId, async (tx, project) => {
    if (!(await findJob(tx, ctx.actor, path)) || !(await deleteJobRow(tx, path.jobId))) throw jobNotFound(path.kind);
    await touchJobs(tx, ctx, project);
    await emitJob(tx, project, path.jobId);
  });
  return { message: `The ${nouns[path.kind]} was deleted. The server is being updated.` };
}

/** A change of a project's jobs, one at a time. */
function changeJobs<Result>(
  ctx: RequestContext,
  projectId: number,
  change: (tx: PoolClient, project: PlacedProject) => Promise<Result>,
): Promise<Result> {
  return transaction(ctx.pool, async (tx) => {
    const project = await lockProject(tx, ctx.actor, projectId);
    if (!project) throw notFound("The project");
    return await change(tx, project);
  });
}

const applied = ["command", "cron_expression", "processes", "is_active"] as const;

function settingsAfter(kind: JobKind, job: JobRow | undefined, body: Request): JobSettings {
  const expression = body.cron_expression === undefined ? undefined : readCronExpression(body.cron_expression);
  return {
    name: body.name ?? job?.name ?? "",
    command: body.command ?? job?.command ?? "",
    cron_expression:
      kind === "background"
        ? null
        : expression && "expression" in expression
          ? expression.expression
          : (job?.cron_expression ?? null),
    processes: kind === "scheduled" ? null : (body.processes ?? job?.processes ?? 1),
    is_active: body.is_active === undefined ? (job?.is_active ?? true) : isOn(body.is_active),
  };
}

// Asking the server ----------------------------------------------------------------------------------------------------

/** Runs a scheduled job now, whether it is active or not. */
export const runJob = (ctx: RequestContext, projectId: number, jobId: number) =>
  commandJob(ctx, { kind: "scheduled", projectId, jobId }, "The job was started; its log shows what it says.");

/** Replaces the processes of a background job. */
export const restartJob = (ctx: RequestContext, projectId: number, jobId: number) =>
  commandJob(ctx, { kind: "background", projectId, jobId }, "The job's processes were restarted.");

async function commandJob(ctx: RequestContext, path: JobPath, message: string) {
  const { kind, projectId: subjectId, jobId } = path;
  const job = await getJob(ctx, path);
  const runId = await transaction(ctx.pool, async (tx) => {
    const project = await lockProject(tx, ctx.actor, subjectId);
    if (!project) throw notFound("The project");
    const not_installed = () => !canRunJobs(project);
    if (kind === "scheduled") await scheduledJobCapabilities.refuse("run", job, { not_installed });
    else await backgroundJobCapabilities.refuse("restart", job, { not_installed });
    endRehearsal();
    const layout = projectLayout(subjectId);
    return createRun(tx, ctx.queue, {
      serverId: project.placement.server_id,
      ...jobCommandKind,
      subjectId,
      plan: kind === "scheduled" ? runJobPlan(layout, jobId) : restartJobPlan(layout, jobId),
    });
  });
  const wait = { timeoutMs: ctx.config.answerWithinSeconds * 1_000, signal: ctx.signal };
  const { outcome, error } = await awaitRun(ctx, runId, wait);
  if (outcome === undefined) return { message: "The server has not answered yet. It continues in the background." };
  if (outcome !== "succeeded") throw new AppError("refused", error ?? "The server could not run the job.");
  return { message };
}

/** The last lines of a job's log, read from the server, with the project's secrets masked. */
export async function showLog(ctx: RequestContext, path: JobPath, count: number = shownLines) {
  const { project_id: projectId, id } = await getJob(ctx, path);
  const project = await getProject(ctx, projectId);
  const mask = masker(await maskedValues(ctx, projectId));
  const { exitCode, stdout } = await askForLog(
    ctx,
    project.placement.server_id,
    printJobLog(projectLayout(projectId), id, count),
  );
  if (exitCode !== 0) throw new AppError("unavailable", "The server could not read the job's log.");
  return { lines: linesOf([mask(stdout)]).slice(-count) };
}

/** Follows what a job prints. */
export async function followJob(ctx: RequestContext, path: JobPath, query: LiveQuery) {
  const { project_id: projectId, id } = await getJob(ctx, path);
  return followUnits(ctx, projectId, jobUnitPattern(projectLayout(projectId), id), query);
}
