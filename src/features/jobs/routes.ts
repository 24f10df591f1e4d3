import { PageQuery } from "../../http/pagination.ts";
import { type Route, route } from "../../http/route.ts";
import { IdParams, success } from "../../http/schemas.ts";
import { followErrors, howLogsStream } from "../projects/live-log.ts";
import { LiveLines, LiveLogQuery } from "../projects/schema.ts";
import {
  changeJob,
  checkJob,
  createJob,
  deleteJob,
  followJob,
  restartJob,
  runJob,
  showJob,
  showJobs,
  showLog,
} from "./actions.ts";
import {
  BackgroundJobChanged,
  BackgroundJobPage,
  BackgroundJobReply,
  BackgroundJobRequest,
  BackgroundJobUpdate,
  JobCommanded,
  JobDeleted,
  type JobKind,
  JobLogReply,
  JobParams,
  LogQuery,
  SchedulerJobChanged,
  SchedulerJobPage,
  SchedulerJobReply,
  SchedulerJobRequest,
  SchedulerJobUpdate,
} from "./schema.ts";

const schedulerJobs = "/api/v1/projects/:id/scheduler-jobs";
const backgroundJobs = "/api/v1/projects/:id/background-jobs";

const tag = "jobs";
const tooMany = { refused: "The project has as many as it can have." };

const logRoute = (path: string, kind: JobKind): Route =>
  route({
    method: "GET",
    path: `${path}/:jobId/log`,
    summary: `Read the last lines of a ${kind} job's log`,
    tag,
    permission: "project:read",
    params: JobParams,
    query: LogQuery,
    reply: JobLogReply,
    errors: { unavailable: "The server does not answer." },
    handle: async (ctx, { params: { id: projectId, jobId }, query }) =>
      success({ data: await showLog(ctx, { kind, projectId, jobId }, query.lines) }),
  });

const liveLogRoute = (path: string, kind: JobKind): Route =>
  route({
    method: "GET",
    path: `${path}/:jobId/log/stream`,
    summary: `Follow a ${kind} job's log`,
    description: howLogsStream,
    tag,
    permission: "project:read",
    params: JobParams,
    query: LiveLogQuery,
    streams: "text/event-stream",
    reply: LiveLines,
    errors: followErrors,
    handle: (ctx, { params: { id: projectId, jobId }, query }) => followJob(ctx, { kind, projectId, jobId }, query),
  });

const scheduled = ({ id, jobId }: { id: number; jobId: number }) =>
  ({ kind: "scheduled", projectId: id, jobId }) as const;
const background = ({ id, jobId }: { id: number; jobId: number }) =>
  ({ kind: "background", projectId: id, jobId }) as const;

const schedulerJobRoutes: Route[] = [
  route({
    method: "GET",
    path: schedulerJobs,
    summary: "List a project's scheduled jobs",
    tag,
    permission: "project:read",
    params: IdParams,
    query: PageQuery,
    reply: SchedulerJobPage,
    handle: (ctx, { params, query }) => showJobs(ctx, params.id, "scheduled", query),
  }),
  route({
    method: "POST",
    path: schedulerJobs,
    summary: "Add a scheduled job",
    description:
      "It runs from the server's crontab, as the project's own user, in the live release's working directory and with its environment.",
    tag,
    permission: "project:update",
    params: IdParams,
    body: SchedulerJobRequest,
    status: 201,
    reply: SchedulerJobChanged,
    errors: tooMany,
    examples: { body: { name: "Scheduler", cron_expression: "* * * * *", command: "php artisan schedule:run" } },
    check: checkJob,
    handle: async (ctx, { params, body }) => success(await createJob(ctx, params.id, "scheduled", body)),
  }),
  route({
    method: "GET",
    path: `${schedulerJobs}/:jobId`,
    summary: "Read a scheduled job",
    tag,
    permission: "project:read",
    params: JobParams,
    reply: SchedulerJobReply,
    handle: async (ctx, { params }) => success({ data: await showJob(ctx, scheduled(params)) }),
  }),
  route({
    method: "PUT",
    path: `${schedulerJobs}/:jobId`,
    summary: "Change a scheduled job",
    description: "Omitted fields keep their values.",
    tag,
    permission: "project:update",
    params: JobParams,
    body: SchedulerJobUpdate,
    reply: SchedulerJobChanged,
    examples: { body: { cron_expression: "30 4 * * *", is_active: true } },
    check: checkJob,
    handle: async (ctx, { params, body }) => success(await changeJob(ctx, scheduled(params), body)),
  }),
  route({
    method: "DELETE",
    path: `${schedulerJobs}/:jobId`,
    summary: "Delete a scheduled job with its log",
    description: "A run of it that is under way ends by itself.",
    tag,
    permission: "project:update",
    params: JobParams,
    reply: JobDeleted,
    handle: async (ctx, { params }) => success(await deleteJob(ctx, scheduled(params))),
  }),
  route({
    method: "POST",
    path: `${schedulerJobs}/:jobId/run`,
    summary: "Run a scheduled job now",
    description: "Answers when the server has started it, and does not wait for its end: its log shows that.",
    tag,
    permission: "project:update",
    params: JobParams,
    status: 202,
    reply: JobCommanded,
    errors: { refused: "The project is not installed yet, or the job runs already after it was started by hand." },
    handle: async (ctx, { params }) => success(await runJob(ctx, params.id, params.jobId)),
  }),
  logRoute(schedulerJobs, "scheduled"),
  liveLogRoute(schedulerJobs, "scheduled"),
];

const backgroundJobRoutes: Route[] = [
  route({
    method: "GET",
    path: backgroundJobs,
    summary: "List a project's background jobs",
    tag,
    permission: "project:read",
    params: IdParams,
    query: PageQuery,
    reply: BackgroundJobPage,
    handle: (ctx, { params, query }) => showJobs(ctx, params.id, "background", query),
  }),
  route({
    method: "POST",
    path: backgroundJobs,
    summary: "Add a background job",
    description:
      "Its processes run under systemd, are restarted when they end, and with each deployment that goes live.",
    tag,
    permission: "project:update",
    params: IdParams,
    body: BackgroundJobRequest,
    status: 201,
    reply: BackgroundJobChanged,
    errors: tooMany,
    examples: { body: { name: "Queue", command: "php artisan queue:work", processes: 2 } },
    check: checkJob,
    handle: async (ctx, { params, body }) => success(await createJob(ctx, params.id, "background", body)),
  }),
  route({
    method: "GET",
    path: `${backgroundJobs}/:jobId`,
    summary: "Read a background job",
    tag,
    permission: "project:read",
    params: JobParams,
    reply: BackgroundJobReply,
    handle: async (ctx, { params }) => success({ data: await showJob(ctx, background(params)) }),
  }),
  route({
    method: "PUT",
    path: `${backgroundJobs}/:jobId`,
    summary: "Change a background job",
    description: "Omitted fields keep their values.",
    tag,
    permission: "project:update",
    params: JobParams,
    body: BackgroundJobUpdate,
    reply: BackgroundJobChanged,
    examples: { body: { processes: 4 } },
    check: checkJob,
    handle: async (ctx, { params, body }) => success(await changeJob(ctx, background(params), body)),
  }),
  route({
    method: "DELETE",
    path: `${backgroundJobs}/:jobId`,
    summary: "Stop and delete a background job with its log",
    tag,
    permission: "project:update",
    params: JobParams,
    reply: JobDeleted,
    handle: async (ctx, { params }) => success(await deleteJob(ctx, background(params))),
  }),
  route({
    method: "POST",
    path: `${backgroundJobs}/:jobId/restart`,
    summary: "Restart a background job",
    description: "Answers when its processes were restarted.",
    tag,
    permission: "project:update",
    params: JobParams,
    status: 202,
    reply: JobCommanded,
    errors: { refused: "The project is not installed yet, or the job is switched off." },
    handle: async (ctx, { params }) => success(await restartJob(ctx, params.id, params.jobId)),
  }),
  logRoute(backgroundJobs, "background"),
  liveLogRoute(backgroundJobs, "background"),
];

export const jobRoutes: Route[] = [...schedulerJobRoutes, ...backgroundJobRoutes];
