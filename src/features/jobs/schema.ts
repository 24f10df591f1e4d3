import { Type } from "typebox";
import type { Kind } from "../../engine/kind.ts";
import { Sync } from "../../engine/reconcile/target.ts";
import { Page } from "../../http/pagination.ts";
import { Changed, described, Id, Name, Nullable, named, OneOf, Reply, Switch, Timestamp } from "../../http/schemas.ts";

/** The jobs of a project on its server. */
export const jobsKind: Kind = { kind: "jobs", subject: "project" };
/** Runs that start or restart a single job. */
export const jobCommandKind: Kind = { kind: "job-command", subject: "project" };

export type JobKind = "scheduled" | "background";

export const jobStatuses = ["pending", "active", "inactive", "failed"] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** A row of `project_jobs`, with the time zone of the server that runs it. */
export interface JobRow {
  id: number;
  project_id: number;
  kind: JobKind;
  name: string;
  command: string;
  /** For scheduled jobs. */
  cron_expression: string | null;
  /** For background jobs. */
  processes: number | null;
  is_active: boolean;
  status: JobStatus;
  error: string | null;
  /** The address of its heartbeat, encrypted, and a digest of it; null: it has none. */
  heartbeat_url: Buffer | null;
  heartbeat_digest: string | null;
  created_at: string;
  updated_at: string;
  timezone: string;
}

/** For each kind. */
export const jobsPerProject = 50;
export const mostProcesses = 32;

const text = Type.String();

const common = {
  id: Id,
  project_id: described(Id, "Where it runs"),
  name: text,
  command: described(text, "Run by bash in the live release's working directory"),
  is_active: Type.Boolean({ description: "Whether it runs" }),
  user: Type.String({ description: "The project's own system user" }),
  status: OneOf(jobStatuses, {
    description: "State on the server: pending until it reported, active, inactive when switched off, or failed",
  }),
  error: Nullable(Type.String({ description: "Why it failed, in a sentence" })),
  sync: Sync,
  created_at: Timestamp,
  updated_at: Timestamp,
};

const SchedulerJob = named(
  "SchedulerJob",
  Type.Object({
    ...common,
    cron_expression: described(text, "When it runs, in the server's time zone"),
    next_run_at: Nullable({ ...Timestamp, description: "By the server's time zone; null when inactive or @reboot" }),
  }),
  "A command that runs by a schedule",
);

const BackgroundJob = named(
  "BackgroundJob",
  Type.Object({ ...common, processes: Type.Integer({ description: "How many run at the same time" }) }),
  "A command that runs continuously",
);

export const JobParams = Type.Object({ id: Id, jobId: described(Id, "The `id` of a job of the project") });

export const LogQuery = Type.Object({
  lines: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: "How many of the last lines; 200 when omitted" }),
  ),
});

/** A command is bounded, so that it cannot be used to fill the database. */
const Command = Type.String({
  minLength: 1,
  maxLength: 10_000,
  pattern: "\\S",
  description: "For bash, in the live release's working directory",
});
const CronExpression = Type.String({
  minLength: 1,
  maxLength: 200,
  title: "cron expression",
  description: "Five fields, or a nickname such as @daily, in the server's time zone",
});
const Processes = Type.Integer({
  minimum: 1,
  maximum: mostProcesses,
  description: "How many run at the same time; default: 1",
});
const User = Nullable(
  Type.String({
    maxLength: 100,
    description: "The project's own user, whether it is sent or not; no other is accepted",
  }),
);

const JobName = described(Name, "For people; stands in notifications");
const wanted = { name: JobName, command: Command };
const optional = {
  user: Type.Optional(User),
  is_active: Type.Optional(described(Switch, "Whether it runs; default: on")),
};

export const SchedulerJobRequest = named(
  "SchedulerJobRequest",
  Type.Object({ ...wanted, cron_expression: CronExpression, ...optional }),
);
export const BackgroundJobRequest = named(
  "BackgroundJobRequest",
  Type.Object({ ...wanted, processes: Type.Optional(Processes), ...optional }),
);

export const SchedulerJobUpdate = named(
  "SchedulerJobUpdate",
  Type.Object({
    name: Type.Optional(JobName),
    command: Type.Optional(Command),
    cron_expression: Type.Optional(CronExpression),
    ...optional,
  }),
);
export const BackgroundJobUpdate = named(
  "BackgroundJobUpdate",
  Type.Object({
    name: Type.Optional(JobName),
    command: Type.Optional(Command),
    processes: Type.Optional(Processes),
    ...optional,
  }),
);

export const SchedulerJobPage = Page(SchedulerJob);
export const SchedulerJobReply = Reply(SchedulerJob);
export const SchedulerJobChanged = Changed(SchedulerJob);

export const BackgroundJobPage = Page(BackgroundJob);
export const BackgroundJobReply = Reply(BackgroundJob);
export const BackgroundJobChanged = Changed(BackgroundJob);

const JobLog = named(
  "JobLog",
  Type.Object({ lines: Type.Array(text, { description: "The oldest first" }) }),
  "The end of a log",
);

export const JobLogReply = Reply(JobLog);
