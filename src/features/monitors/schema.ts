import { type Static, Type } from "typebox";
import { Page, PageQuery } from "../../http/pagination.ts";
import {
  described,
  Id,
  Joined,
  maxId,
  Name,
  Nullable,
  named,
  OneOf,
  Reply,
  Success,
  Switch,
  Timestamp,
} from "../../http/schemas.ts";
import { channelTypes } from "../../providers/notify/kinds.ts";

// The tables (migration 0015):
//
// monitors           One row for each monitor, with its configuration and newest state. `current_status` and its related fields
//                    change only in recordVerdict (verdicts.ts), by compare-and-set on (id, revision, current_status).
//                    `revision` is raised by each change of what is checked, so that a verdict on an earlier one is dropped.
//                    `observed_until` limits how long the open interval counts without a newer check or evaluation.
// monitor_events     One row for each change of current_status. An outage is a `down` row without `resolved_at`.
// monitor_intervals  What was known when: up, down or unobserved; at most one open interval for each monitor. Gaps count as
//                    not observed. Uptime is computed from these (queries.ts: uptimeColumns).
// monitor_hours      Results of HTTP checks by hour, partitioned by month: counts and histograms, no row for a single check.
// notification_channels.monitor_id   Channels that belong to one monitor.

export const monitorTypes = ["http", "heartbeat"] as const;
export type MonitorType = (typeof monitorTypes)[number];

export const monitorStatuses = ["pending", "up", "down"] as const;
export type MonitorStatus = (typeof monitorStatuses)[number];
/** A verdict: the statuses that events have. */
export type Verdict = "up" | "down";

export type ObservedState = Verdict | "unobserved";

/** What is watched, as stored; `monitorable_type` is its name in the API. */
export const targetKinds = ["project", "domain", "scheduled", "background"] as const;
export type TargetKind = (typeof targetKinds)[number];

export const monitorableTypes = {
  project: "App\\Models\\Project",
  domain: "App\\Models\\Domain",
  scheduled: "App\\Models\\SchedulerJob",
  background: "App\\Models\\BackgroundJob",
} as const satisfies Record<TargetKind, string>;

export const targetsOf: Record<MonitorType, readonly TargetKind[]> = {
  http: ["project", "domain"],
  heartbeat: ["scheduled", "background"],
};

export const methods = ["GET", "HEAD", "POST"] as const;
export type Method = (typeof methods)[number];

export const maxIntervalSeconds = 86_400;
export const defaultIntervalSeconds = 60;
export const defaultTimeoutSeconds = 10;
export const defaultThreshold = 3;
export const shownEvents = 50;

/** Upper limits in milliseconds of the classes in `monitor_hours.latency`; the last class has none. */
export const latencyClasses = [25, 50, 100, 200, 300, 500, 1_000, 2_000, 5_000, 10_000, 30_000] as const;

// Rows -------------------------------------------------------------------------------------------------------------------

/** A row of `monitors` with further fields for readers. */
export interface MonitorRow {
  id: number;
  organization_id: number;
  project_id: number;
  server_id: number;
  type: MonitorType;
  target: TargetKind;
  domain_id: number | null;
  job_id: number | null;
  name: string;
  is_active: boolean;
  revision: number;
  url: string | null;
  method: Method | null;
  expected_status: number | null;
  interval_seconds: number | null;
  timeout_seconds: number | null;
  certificate_expires_at: string | null;
  expected_period_seconds: number | null;
  grace_seconds: number | null;
  /** Of a scheduled job. */
  cron_expression: string | null;
  /** The server's. */
  timezone: string;
  /** Encrypted. */
  ping_token: Buffer | null;
  last_ping_at: string | null;
  confirmation_threshold: number;
  current_status: MonitorStatus;
  last_checked_at: string | null;
  last_status_changed_at: string | null;
  flapping_since: string | null;
  created_at: string;
  updated_at: string;
  /** What it watches, in words: the project's name, the domain or the job's name. */
  target_name: string;
  uptime_24h: number | null;
  uptime_7d: number | null;
}

export interface MonitorEventRow {
  id: number;
  status: Verdict;
  message: string;
  context: Record<string, unknown>;
  resolved_at: string | null;
  created_at: string;
}

// Requests ---------------------------------------------------------------------------------------------------------------

const Whole = (minimum: number, maximum: number, options: object = {}) =>
  Type.Integer({ minimum, maximum, ...options });

const MonitorChannelRequest = named(
  "MonitorChannelRequest",
  Type.Object({
    type: OneOf(channelTypes, { description: "What is sent to" }),
    target: Type.String({
      minLength: 1,
      maxLength: 6_000,
      description: "As of a notification channel: addresses, a web address, or a chat",
    }),
    bot_token: Type.Optional(Type.String({ maxLength: 200, description: "telegram: the bot's token; never shown" })),
    on: Type.Array(OneOf(["down", "up"]), { minItems: 1, maxItems: 2, description: "The changes that are sent" }),
  }),
);

const notificationChannels = Type.Array(MonitorChannelRequest, {
  maxItems: 10,
  description: "Where this monitor sends notifications besides the organization's channels",
});

export type NotificationChannels = Static<typeof notificationChannels>;

const commonConfig = {
  confirmation_threshold: Type.Optional(Whole(1, 10, { description: "Consecutive failures before down; default: 3" })),
};

const httpConfig = {
  url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      title: "address",
      description: "http: what is requested; redirects are not followed",
    }),
  ),
  method: Type.Optional(OneOf(methods, { description: "http; default: GET" })),
  expected_status: Type.Optional(Nullable(Whole(100, 599, { description: "http; null or omitted: any 2xx passes" }))),
  interval_seconds: Type.Optional(
    Whole(1, maxIntervalSeconds, {
      title: "interval",
      description: "http: seconds between checks; the plan sets the minimum, and the default if that is over 60",
    }),
  ),
  timeout_seconds: Type.Optional(
    Whole(1, 60, { title: "timeout", description: "http: until the whole answer is there; default: 10" }),
  ),
};

const heartbeatConfig = {
  expected_period_seconds: Type.Optional(
    Nullable(
      Whole(60, 2_592_000, {
        description: "heartbeat: seconds between reports; from the job's schedule when omitted or null",
      }),
    ),
  ),
  grace_seconds: Type.Optional(
    Nullable(
      Whole(30, 86_400, {
        description:
          "heartbeat: seconds that a report may be late; when omitted or null half of the period, at least 60, for a scheduled job, and 150 for a background job",
      }),
    ),
  ),
};

const AnyConfig = named("MonitorConfigRequest", Type.Object({ ...httpConfig, ...commonConfig, ...heartbeatConfig }));
export type MonitorConfigBody = Static<typeof AnyConfig>;

/** The config of each type, and of a request without a valid type. */
export const configSchemas = {
  http: Type.Object({ ...httpConfig, ...commonConfig }),
  heartbeat: Type.Object({ ...heartbeatConfig, ...commonConfig }),
  unknown: Type.Object(commonConfig),
} as const satisfies Record<MonitorType | "unknown", unknown>;

/** Read by validation.ts by the type of the monitor: fields of the other type are ignored, like unknown ones. */
const ConfigRequest = Type.Unsafe<MonitorConfigBody | null>({
  documentedAs: {
    anyOf: [AnyConfig, { type: "null" }],
    description: "Required for http. Fields of the other type are ignored; null is the same as omitted.",
  },
});

export const MonitorRequest = named(
  "MonitorRequest",
  Type.Object({
    type: OneOf(monitorTypes, { description: "http: a site is requested; heartbeat: a job reports" }),
    name: described(Name, "For people; stands in notifications"),
    monitorable_type: OneOf(Object.values(monitorableTypes), {
      description: "What is watched; http: a project or domain, heartbeat: a scheduled or background job",
    }),
    monitorable_id: Whole(1, maxId, { description: "The id of the project, domain or job" }),
    config: Type.Optional(ConfigRequest),
    notification_channels: Type.Optional(notificationChannels),
    is_active: Type.Optional(described(Switch, "Whether it is checked; default: on")),
  }),
);
export type MonitorRequestBody = Static<typeof MonitorRequest>;

const Fixed = Type.Optional(Type.Unsafe<unknown>({ description: "Rejected: fixed at creation", documentedAs: {} }));

export const MonitorUpdate = named(
  "MonitorUpdate",
  Type.Object({
    name: Type.Optional(described(Name, "For people; stands in notifications")),
    config: Type.Optional(ConfigRequest),
    notification_channels: Type.Optional(notificationChannels),
    is_active: Type.Optional(described(Switch, "Whether it is checked; one that is off counts against no limit")),
    type: Fixed,
    monitorable_type: Fixed,
    monitorable_id: Fixed,
  }),
);
export type MonitorUpdateBody = Static<typeof MonitorUpdate>;

export const MonitorListQuery = Type.Object({
  ...PageQuery.properties,
  type: Type.Optional(OneOf(monitorTypes, { description: "Only monitors of this type" })),
  status: Type.Optional(OneOf(monitorStatuses, { description: "Only those with this `current_status`" })),
});

export const HistoryQuery = Type.Object({
  from: Type.Optional(Type.String({ maxLength: 40, description: "ISO 8601; a day before `to` when omitted" })),
  to: Type.Optional(Type.String({ maxLength: 40, description: "ISO 8601; now when omitted" })),
  resolution: Type.Optional(
    OneOf(["hour", "day"], {
      description: "What a point stands for; hour up to three days when omitted, and day for more",
    }),
  ),
});

// Answers ----------------------------------------------------------------------------------------------------------------

const text = Type.String();

const MonitorConfig = named(
  "MonitorConfig",
  Type.Object({
    url: Type.Optional(described(text, "http only: what is requested")),
    method: Type.Optional(OneOf(methods, { description: "http only" })),
    expected_status: Type.Optional(Nullable(Type.Integer({ description: "http only; null: any 2xx passes" }))),
    interval_seconds: Type.Optional(Type.Integer({ description: "http only: seconds between checks" })),
    timeout_seconds: Type.Optional(Type.Integer({ description: "http only: until the whole answer is there" })),
    expected_period_seconds: Type.Optional(
      Nullable(
        Type.Integer({
          description:
            "heartbeats only: in force, by the job's schedule unless it was set; null: no report is expected, since the job runs only at boot",
        }),
      ),
    ),
    grace_seconds: Type.Optional(
      Nullable(Type.Integer({ description: "heartbeats only: in force; null: there is no period to derive it from" })),
    ),
    confirmation_threshold: Type.Integer({ description: "Consecutive failures before down" }),
  }),
  "How it is checked; which fields there are depends on the type",
);

const MonitorChannel = named(
  "MonitorChannel",
  Type.Object({
    type: OneOf(channelTypes, { description: "What is sent to" }),
    target: Type.String({ description: "Without its secret: only the beginning of a web address" }),
    on: Type.Array(OneOf(["down", "up"]), { description: "The changes that are sent" }),
  }),
  "Where a monitor sends notifications besides the organization's channels",
);

const Percent = Nullable(
  Type.Number({ minimum: 0, maximum: 100, description: "Percent of the observed time; null without enough of it" }),
);

const Monitor = named(
  "Monitor",
  Type.Object({
    id: Id,
    type: OneOf(monitorTypes, { description: "http: a site is requested; heartbeat: a job reports" }),
    name: text,
    is_active: Type.Boolean({ description: "Whether it is checked" }),
    current_status: OneOf(monitorStatuses, { description: "pending until the first verdict, and while it is off" }),
    monitorable_type: OneOf(Object.values(monitorableTypes), { description: "What is watched" }),
    monitorable_id: described(Id, "The id of the watched project, domain or job"),
    project_id: Type.Integer({ description: "The project that the watched record belongs to, or is" }),
    config: MonitorConfig,
    notification_channels: Type.Array(MonitorChannel, {
      description: "Where it sends notifications besides the organization's channels",
    }),
    ping_url: Type.Optional(
      Type.String({ description: "heartbeats only; without its secret for those who may not change the monitor" }),
    ),
    last_checked_at: Nullable(Timestamp),
    last_ping_at: Type.Optional(Nullable(Timestamp)),
    last_status_changed_at: Nullable(Timestamp),
    is_flapping: Type.Boolean({
      description: "It changed so often that notifications are held back until it is stable",
    }),
    certificate_expires_at: Type.Optional(Nullable(Timestamp)),
    uptime_24h: Percent,
    uptime_7d: Percent,
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  "A health check of a site, or the heartbeat of a job",
);

const OutageDeployment = named(
  "OutageDeployment",
  Type.Object({
    id: Id,
    project_id: described(Id, "What was deployed"),
    process_type: described(text, "deployment, rollback, recycle or move"),
    status: Type.Integer({ description: "As of the deployment: 1 success" }),
    rolling_of: Nullable(Type.Integer({ description: "The deployment that it continues on a further server" })),
    commit_id: Nullable(described(text, "What it made live")),
    commit_url: Nullable(described(text, "The commit at the git host")),
    description: described(text, "Where the deployment came from"),
    switched_at: Timestamp,
  }),
  "The deployment that went live shortly before an outage",
);

/** What an event of either kind of monitor can have. */
const MonitorEventContext = named(
  "MonitorEventContext",
  Type.Partial(
    Type.Object({
      status: Nullable(Type.Integer({ description: "The HTTP status; null: there was no response" })),
      latency_ms: Nullable(Type.Number({ description: "Until the whole answer was there" })),
      error: Nullable(described(text, "Why the check failed")),
      address: Nullable(Type.String({ description: "The address that was asked" })),
      phases_ms: Type.Record(Type.String(), Type.Number(), {
        description:
          "From the beginning to the end of dns, connect, tls, first_byte and whole, as far as the check came",
      }),
      failures: Type.Integer({ description: "Failed checks in a row" }),
      disturbed: Type.Boolean({ description: "It answers another server, so it is not down" }),
      second_opinion: Type.Object(
        {
          server_id: described(Id, "The server that asked"),
          server_name: described(text, "Its name then"),
          is_up: Type.Boolean({ description: "Whether it got an answer that passes" }),
          status: Nullable(Type.Integer({ description: "The HTTP status; null: there was no response" })),
          message: described(text, "What it saw, in a sentence"),
        },
        { description: "What another server of the organization saw at that time" },
      ),
      reported_at: Nullable(described(text, "When the job reported, ISO 8601")),
      exit_status: Nullable(Type.Integer({ description: "Of the job; 0 is success" })),
      duration_ms: Nullable(Type.Number({ description: "How long the job ran" })),
      output: Type.String({ description: "The end of what the job printed, without secrets" }),
      expected_at: described(text, "When the report was due, ISO 8601"),
      late_at: described(text, "When its grace ended, ISO 8601"),
      last_report_at: Nullable(described(text, "The newest report before, ISO 8601; null: there was none")),
      started_at: Nullable(Type.String({ description: "When the run started that has not ended" })),
      deployment: OutageDeployment,
      rollback: Type.Object(
        {
          deployment_id: Type.Optional(described(Id, "The deployment that rolls back")),
          target_id: Type.Optional(described(Id, "The deployment whose release is made live again")),
          refusal: Type.Optional(Type.String({ description: "Why nothing was rolled back" })),
        },
        { description: "What `rollback_on_down` of the project did" },
      ),
    }),
  ),
  "The details of a change: fields of the check, or of the job's report, and the deployment before an outage",
);

const MonitorEvent = named(
  "MonitorEvent",
  Type.Object({
    id: Id,
    status: OneOf(["up", "down"], { description: "What it changed to" }),
    message: described(text, "What the check saw, in a sentence"),
    context: Type.Unsafe<Record<string, unknown>>({
      type: "object",
      additionalProperties: true,
      documentedAs: MonitorEventContext,
    }),
    resolved_at: Nullable(Timestamp),
    created_at: Timestamp,
  }),
  "A change of a monitor's status",
);

const MonitorTarget = named(
  "MonitorTarget",
  Type.Object({
    type: OneOf(Object.values(monitorableTypes), { description: "Of the record" }),
    id: Id,
    name: described(text, "The project's or job's name, or the domain"),
    project_id: described(Id, "The project that the record belongs to, or is"),
  }),
  "What a monitor watches",
);

const MonitorWebhookSecret = named(
  "MonitorWebhookSecret",
  Type.Object({
    target: described(text, "The channel, without the rest of its address"),
    secret: described(text, "What its deliveries are signed with"),
  }),
);

const webhookSecrets = Type.Optional(
  Type.Array(MonitorWebhookSecret, {
    description: "What deliveries to new webhooks of this monitor are signed with; shown here and never again",
  }),
);

const HeartbeatReport = named(
  "HeartbeatReport",
  Type.Object(
    {
      kind: OneOf(["success", "start", "fail"], { description: "What was reported" }),
      exit_status: Nullable(Type.Integer({ description: "0 is success; null: none was reported" })),
      duration_ms: Nullable(Type.Integer({ description: "From start to end; null without a start" })),
      body: Nullable(
        Type.String({
          description: "The beginning of the output that came with it, with the environment's values masked",
        }),
      ),
    },
    {
      description: "heartbeats only: the newest report; the result of the last run, also while the next one is running",
    },
  ),
);

const MonitorDetails = named(
  "MonitorDetails",
  Joined(
    Monitor,
    Type.Object({
      last_ping: Type.Optional(Nullable(HeartbeatReport)),
      target: MonitorTarget,
      events: Type.Array(MonitorEvent, {
        description: `Changes of the status, the newest first; at most ${shownEvents}`,
      }),
    }),
  ),
  "A monitor with its target and its newest events",
);

const NewMonitor = named(
  "NewMonitor",
  Type.Object({
    id: Id,
    type: OneOf(monitorTypes, { description: "As requested" }),
    name: text,
    current_status: OneOf(monitorStatuses, { description: "pending until the first verdict" }),
    is_active: Type.Boolean({ description: "Whether it is checked" }),
    ping_url: Type.Optional(
      described(text, "heartbeats only: where the job reports; its server is configured to do so"),
    ),
    webhook_secrets: webhookSecrets,
  }),
  "A monitor that was just created",
);

const ChangedMonitor = named(
  "ChangedMonitor",
  Type.Object({
    id: Id,
    is_active: Type.Boolean({ description: "Whether it is checked" }),
    webhook_secrets: webhookSecrets,
  }),
  "What changed of a monitor",
);

export const MonitorPage = Page(Monitor);
export const MonitorReply = named("MonitorReply", Success({ data: MonitorDetails }));
export const MonitorCreated = named("MonitorCreated", Success({ message: text, data: NewMonitor }));
export const MonitorChanged = named("MonitorChanged", Success({ message: text, data: ChangedMonitor }));

const Limit = Nullable(Type.Integer({ description: "Active monitors of this type; null: no limit" }));

const MonitorOptions = named(
  "MonitorOptions",
  Type.Object({
    types: Type.Array(
      Type.Object({
        type: OneOf(monitorTypes, { description: "For `type` of a request" }),
        label: described(text, "For display"),
        targets: Type.Array(text, { description: "The values of `monitorable_type` that it takes" }),
      }),
      { description: "What a monitor can be" },
    ),
    methods: Type.Array(OneOf(methods), { description: "For `config.method`" }),
    interval: Type.Object(
      {
        min_seconds: Type.Integer({ description: "Set by the plan" }),
        max_seconds: Type.Integer({ description: "The longest interval" }),
        default_seconds: Type.Integer({ description: "In force when a request names none" }),
      },
      { description: "For `config.interval_seconds`" },
    ),
    monitor_limit: Type.Object({ http: Limit, heartbeat: Limit }, { description: "Set by the plan" }),
    defaults: Type.Object(
      {
        timeout_seconds: Type.Integer({ description: "Until the whole answer is there" }),
        confirmation_threshold: Type.Integer({ description: "Consecutive failures before down" }),
      },
      { description: "In force when a request names none" },
    ),
  }),
  "What a request for a monitor can have",
);
export const OptionsReply = Reply(MonitorOptions);

const Milliseconds = Nullable(
  Type.Integer({ description: "Milliseconds until the whole answer; null: there was none" }),
);
const WithStatus = Type.Integer({ description: "Checks with such a status" });

const MonitorHistoryPoint = named(
  "MonitorHistoryPoint",
  Type.Object({
    at: Timestamp,
    checks: Type.Integer({ description: "Checks that were made" }),
    ok: Type.Integer({ description: "Those that passed" }),
    unobserved: Type.Integer({ description: "Checks that were due and not made" }),
    average_ms: Milliseconds,
    p50_ms: Milliseconds,
    p95_ms: Milliseconds,
    statuses: Type.Object(
      {
        none: Type.Integer({ description: "Checks without an answer" }),
        "1xx": WithStatus,
        "2xx": WithStatus,
        "3xx": WithStatus,
        "4xx": WithStatus,
        "5xx": WithStatus,
      },
      { description: "Checks by the status of the answer" },
    ),
    up_seconds: Type.Integer({ description: "Seconds in which it counted as up" }),
    down_seconds: Type.Integer({ description: "Seconds in which it counted as down" }),
  }),
  "The checks of an hour or a day",
);

const MonitorPeriod = named(
  "MonitorPeriod",
  Type.Object({
    state: OneOf(["up", "down", "unobserved"], { description: "unobserved: it was off, or not checked" }),
    from: Timestamp,
    to: Nullable(Type.String({ description: "null: it continues" })),
  }),
  "A period in which the state of a monitor stayed the same",
);

const MonitorHistory = named(
  "MonitorHistory",
  Type.Object({
    from: Timestamp,
    to: Timestamp,
    resolution: OneOf(["hour", "day"], { description: "What a point stands for" }),
    uptime: Percent,
    points: Type.Array(MonitorHistoryPoint, { description: "The oldest first; none where nothing was checked" }),
    states: Type.Array(MonitorPeriod, { description: "The oldest first" }),
  }),
  "The checks and the states of a monitor in a period",
);
export const HistoryReply = Reply(MonitorHistory);
