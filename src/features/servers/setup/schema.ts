import { Type } from "typebox";
import { stepStatuses } from "../../../engine/runs/queries.ts";
import { LogQuery, LogSearchQuery, LogStreamQuery } from "../../../http/logs.ts";
import { Page } from "../../../http/pagination.ts";
import { described, Id, Joined, maxId, Nullable, named, OneOf, Reply, Timestamp } from "../../../http/schemas.ts";

const setupStates = [
  "running",
  "completed",
  "completed_with_failures",
  "completed_with_gaps",
  "stalled",
  "failed",
  "not_recorded",
] as const;
export type SetupState = (typeof setupStates)[number];
const SetupState = OneOf(setupStates, {
  description:
    "completed_with_failures: steps failed; completed_with_gaps: some never reported; stalled: the end was never reported; " +
    "failed: it gave up; not_recorded: there was none",
});

export const ServerSetup = named(
  "ServerSetup",
  Type.Object({
    state: SetupState,
    attention_count: Type.Integer({ description: "How many entries `attention` of the setup record has" }),
  }),
  "How the newest setup of a server went, or how far it is",
);

const ofRun = {
  run_id: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxId, description: "An `id` of the list of setups; default: the newest" }),
  ),
};

export const SetupQuery = Type.Object({
  include_steps: Type.Optional(Type.Boolean({ description: "Adds `steps`, each with its state" })),
  ...ofRun,
});
export const SetupLogQuery = Type.Object({ ...LogQuery.properties, ...ofRun });
export const SetupLogStreamQuery = Type.Object({ ...LogStreamQuery.properties, ...ofRun });
export const SetupLogSearchQuery = Type.Object({ ...LogSearchQuery.properties, ...ofRun });

const SetupStepDuration = named(
  "SetupStepDuration",
  Type.Object({
    key: Type.String({ description: "Names the step, and stays the same in further versions" }),
    label: Type.String({ description: "For display" }),
    phase: Type.String({ description: "The `phase` that it belongs to" }),
    duration_ms: Nullable(Type.Integer({ description: "null before it has begun" })),
  }),
  "A step of a setup",
);

const SetupStep = named(
  "SetupStep",
  Joined(
    SetupStepDuration,
    Type.Object({
      status: OneOf(stepStatuses, { description: "Its state; skipped: it was not needed" }),
      status_label: Type.String({ description: "The state, for display" }),
      detail: Nullable(Type.String({ description: "What it produced, or why it failed" })),
      started_at: Nullable(Timestamp),
      finished_at: Nullable(Timestamp),
    }),
  ),
);

const count = Type.Integer({ description: "How many steps" });
const milliseconds = Type.Integer({ description: "Milliseconds from the beginning to the end, or until now" });

const SetupSummary = named(
  "SetupSummary",
  Type.Object({
    total: count,
    pending: count,
    running: count,
    completed: count,
    failed: count,
    skipped: count,
    unreported: count,
  }),
  "The number of steps in each state",
);

const SetupRun = named(
  "SetupRun",
  Type.Object({
    id: Id,
    state: SetupState,
    setup_version: Nullable(Type.String({ description: "null before it is planned" })),
    summary: SetupSummary,
    total_duration_ms: milliseconds,
    error: Nullable(Type.String({ description: "Why the setup gave up" })),
    created_at: Timestamp,
    started_at: Nullable(Timestamp),
    ended_at: Nullable(Timestamp),
  }),
  "One run of the setup of a server",
);
export const SetupRunPage = Page(SetupRun);

const SetupPhase = named(
  "SetupPhase",
  Type.Object({
    phase: Type.String({ description: "Names the phase" }),
    label: Type.String({ description: "For display" }),
    total: count,
    completed: count,
    failed: Type.Optional(described(count, "How many steps; omitted when none has failed")),
    duration_ms: milliseconds,
  }),
  "Steps of a setup that belong together",
);

const Setup = named(
  "Setup",
  Type.Object({
    server_id: Id,
    run_id: Nullable(described(Id, "The `id` in the list of setups; null: there was none")),
    recorded: Type.Boolean({ description: "Whether there was a setup" }),
    state: SetupState,
    summary: SetupSummary,
    phases: Type.Array(SetupPhase, { description: "In the order in which they run" }),
    attention: Type.Array(SetupStep, { description: "Steps that failed or never reported" }),
    slowest: Type.Array(SetupStepDuration, { description: "The five slowest steps" }),
    total_duration_ms: milliseconds,
    current_step: Nullable(Type.String({ description: "The label of the step that runs, or where it stopped" })),
    error: Nullable(Type.String({ description: "Why the setup gave up, or why the server cannot be connected to" })),
    steps: Type.Optional(Type.Array(SetupStep, { description: "All of them, with `include_steps`" })),
  }),
  "The setup of a server",
);
export const SetupReply = Reply(Setup);
