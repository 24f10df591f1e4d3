import { PageQuery } from "../../http/pagination.ts";
import { type Route, route } from "../../http/route.ts";
import { Acknowledgement, IdParams, success } from "../../http/schemas.ts";
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
  backgroundJobExample,
  backgroundJobPageExample,
  jobLogExample,
  schedulerJobExample,
  schedulerJobPageExample,
} from "./examples.ts";
import {
  BackgroundJobChanged,
  BackgroundJobPage,
  BackgroundJobReply,
  BackgroundJobRequest,
  BackgroundJobUpdate,
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
const howItRuns =
  "It runs as the project's own user, `project-7` for the project 7 (another `user` gets 422), by bash, in the live release's " +
  "working directory with its environment variables, and in a sandbox; also in maintenance.";

const whenItIsThere =
  "The request does not wait for the server: `status` is `pending` until it has reported. Before the first deployment the job " +
  "waits. A failure is in `error` and is retried automatically; `sync` shows when. A project has at most 50 jobs of each kind.";

const recordRules =
  "`status` is the server's report, and `error` why it is `failed`. `sync` is that of all jobs of the project: whether the server " +
  "has them, since when, why not, and when that is retried. Both kinds of jobs share one sequence of ids; an id of the other kind " +
  "gets 404.";

const changeRules =
  "Omitted fields keep their values. The request does not wait for the server: `status` is `pending` until it has reported. " +
  "`name` is for people alone and changes nothing there; saving a failed job again retries it at once.";

const tooMany = { refused: "The project has as many as it can have." };

const logRoute = (path: string, kind: JobKind): Route =>
  route({
    method: "GET",
    path: `${path}/:jobId/log`,
    summary: `Read the last lines of a ${kind} job's log`,
    description:
      "What it printed, with a line for each start and end, read from the server at this moment. Kept for a month, within a " +
      "gigabyte for all projects of the server; the secrets of the project's environment are masked. A server that does not " +
      "answer gets 503.",
    tag,
    permission: "project:read",
    params: JobParams,
    query: LogQuery,
    reply: JobLogReply,
    errors: { unavailable: "The server does not answer." },
    examples: { reply: jobLogExample },
    handle: async (ctx, { params: { id: projectId, jobId }, query }) =>
      success({ data: await showLog(ctx, { kind, projectId, jobId }, query.lines) }),
  });

const asEntry = (text: string) => ({ at: "2026-03-01T10:20:30.123456Z", text });

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
    examples: { reply: { ...jobLogExample.data, left_out: 0, entries: jobLogExample.data.lines.map(asEntry) } },
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
    description: `By id, 25 on a page. ${recordRules}`,
    tag,
    permission: "project:read",
    params: IdParams,
    query: PageQuery,
    reply: SchedulerJobPage,
    examples: { reply: schedulerJobPageExample },
    handle: (ctx, { params, query }) => showJobs(ctx, params.id, "scheduled", query),
  }),
  route({
    method: "POST",
    path: schedulerJobs,
    summary: "Add a scheduled job",
    description:
      `${howItRuns} \`cron_expression\` has five fields, or is a nickname such as \`@daily\`, in the server's time ` +
      "zone, and means what the server's cron means by it; what cron does not understand gets 422. A job that is " +
      "still running at its next time runs twice. " +
      whenItIsThere,
    tag,
    permission: "project:update",
    params: IdParams,
    body: SchedulerJobRequest,
    status: 201,
    reply: SchedulerJobChanged,
    errors: tooMany,
    examples: {
      body: { name: "Scheduler", cron_expression: "* * * * *", command: "php artisan schedule:run" },
      reply: success({
        message: "The scheduled job was created. The server is being updated.",
        data: schedulerJobExample,
      }),
    },
    check: checkJob,
    handle: async (ctx, { params, body }) => success(await createJob(ctx, params.id, "scheduled", body)),
  }),
  route({
    method: "GET",
    path: `${schedulerJobs}/:jobId`,
    summary: "Read a scheduled job",
    description: recordRules,
    tag,
    permission: "project:read",
    params: JobParams,
    reply: SchedulerJobReply,
    examples: { reply: success({ data: schedulerJobExample }) },
    handle: async (ctx, { params }) => success({ data: await showJob(ctx, scheduled(params)) }),
  }),
  route({
    method: "PUT",
    path: `${schedulerJobs}/:jobId`,
    record: `${schedulerJobs}/:jobId`,
    summary: "Change a scheduled job",
    description: `${changeRules} \`is_active: false\` takes it out of the crontab; a run under way ends by itself.`,
    tag,
    permission: "project:update",
    params: JobParams,
    body: SchedulerJobUpdate,
    reply: SchedulerJobChanged,
    examples: {
      body: { is_active: true },
      reply: success({ message: "The scheduled job was updated.", data: schedulerJobExample }),
    },
    check: checkJob,
    handle: async (ctx, { params, body }) => success(await changeJob(ctx, scheduled(params), body)),
  }),
  route({
    method: "DELETE",
    path: `${schedulerJobs}/:jobId`,
    summary: "Delete a scheduled job with its log",
    description: "The server removes it in the background. A run of it that is under way ends by itself.",
    tag,
    permission: "project:update",
    params: JobParams,
    reply: Acknowledgement,
    examples: { reply: success({ message: "The scheduled job was deleted. The server is being updated." }) },
    handle: async (ctx, { params }) => success(await deleteJob(ctx, scheduled(params))),
  }),
  route({
    method: "POST",
    path: `${schedulerJobs}/:jobId/run`,
    summary: "Run a scheduled job now",
    description:
      "Also one that is switched off, in addition to its times. Answers when the server has started it, at the " +
      "latest after 90 seconds, and does not wait for its end: its log shows that. It is refused while the job runs " +
      "after an earlier such request, and before the first deployment.",
    tag,
    permission: "project:update",
    params: JobParams,
    status: 202,
    reply: Acknowledgement,
    errors: { refused: "The project is not installed yet, or the job runs already after it was started by hand." },
    examples: { reply: success({ message: "The job was started; its log shows what it says." }) },
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
    description: `By id, 25 on a page. ${recordRules}`,
    tag,
    permission: "project:read",
    params: IdParams,
    query: PageQuery,
    reply: BackgroundJobPage,
    examples: { reply: backgroundJobPageExample },
    handle: (ctx, { params, query }) => showJobs(ctx, params.id, "background", query),
  }),
  route({
    method: "POST",
    path: backgroundJobs,
    summary: "Add a background job",
    description:
      "A command that runs permanently, in `processes` processes (1). They are restarted when they end, with " +
      "growing pauses, and after each deployment that goes live. To stop, a process gets SIGTERM and a minute; " +
      `\`max_memory\` of the project limits each of them. ${howItRuns} ${whenItIsThere}`,
    tag,
    permission: "project:update",
    params: IdParams,
    body: BackgroundJobRequest,
    status: 201,
    reply: BackgroundJobChanged,
    errors: tooMany,
    examples: {
      body: { name: "Queue", command: "php artisan queue:work", processes: 2 },
      reply: success({
        message: "The background job was created. The server is being updated.",
        data: backgroundJobExample,
      }),
    },
    check: checkJob,
    handle: async (ctx, { params, body }) => success(await createJob(ctx, params.id, "background", body)),
  }),
  route({
    method: "GET",
    path: `${backgroundJobs}/:jobId`,
    summary: "Read a background job",
    description: recordRules,
    tag,
    permission: "project:read",
    params: JobParams,
    reply: BackgroundJobReply,
    examples: { reply: success({ data: backgroundJobExample }) },
    handle: async (ctx, { params }) => success({ data: await showJob(ctx, background(params)) }),
  }),
  route({
    method: "PUT",
    path: `${backgroundJobs}/:jobId`,
    record: `${backgroundJobs}/:jobId`,
    summary: "Change a background job",
    description: `${changeRules} \`is_active: false\` stops its processes.`,
    tag,
    permission: "project:update",
    params: JobParams,
    body: BackgroundJobUpdate,
    reply: BackgroundJobChanged,
    examples: {
      body: { processes: 2 },
      reply: success({ message: "The background job was updated.", data: backgroundJobExample }),
    },
    check: checkJob,
    handle: async (ctx, { params, body }) => success(await changeJob(ctx, background(params), body)),
  }),
  route({
    method: "DELETE",
    path: `${backgroundJobs}/:jobId`,
    summary: "Stop and delete a background job with its log",
    description: "The server ends its processes in the background: each gets SIGTERM and a minute to finish.",
    tag,
    permission: "project:update",
    params: JobParams,
    reply: Acknowledgement,
    examples: { reply: success({ message: "The background job was deleted. The server is being updated." }) },
    handle: async (ctx, { params }) => success(await deleteJob(ctx, background(params))),
  }),
  route({
    method: "POST",
    path: `${backgroundJobs}/:jobId/restart`,
    summary: "Restart a background job",
    description:
      "Answers when its processes were restarted, at the latest after 90 seconds; the restart continues then. A " +
      "deployment restarts them too, so this is for processes that hang.",
    tag,
    permission: "project:update",
    params: JobParams,
    status: 202,
    reply: Acknowledgement,
    errors: { refused: "The project is not installed yet, or the job is switched off." },
    examples: { reply: success({ message: "The job's processes were restarted." }) },
    handle: async (ctx, { params }) => success(await restartJob(ctx, params.id, params.jobId)),
  }),
  logRoute(backgroundJobs, "background"),
  liveLogRoute(backgroundJobs, "background"),
];

export const jobRoutes: Route[] = [...schedulerJobRoutes, ...backgroundJobRoutes];
