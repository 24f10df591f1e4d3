import { Type } from "typebox";
import type { Kind } from "../../engine/kind.ts";
import type { RunState } from "../../engine/runs/queries.ts";
import { logPageFields } from "../../http/logs.ts";
import { Page } from "../../http/pagination.ts";
import { described, Id, Joined, Nullable, named, OneOf, Success, Timestamp } from "../../http/schemas.ts";
import { onOneServer } from "../projects/schema.ts";

export const commandKind: Kind = { kind: "command", subject: "project" };

export const commandStatuses = ["queued", "running", "cancelling", "succeeded", "failed", "cancelled"] as const;
export type CommandStatus = (typeof commandStatuses)[number];

/** A row of `project_commands`, with the state of its run. */
export interface CommandRow {
  id: number;
  project_id: number;
  organization_id: number;
  server_id: number | null;
  run_id: number;
  initiated_by: number | null;
  command: string;
  timeout_seconds: number;
  state: RunState;
  cancel_requested_at: string | null;
  exit_code: number | null;
  error: string | null;
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
}

export function statusOf({
  state,
  cancel_requested_at,
}: Pick<CommandRow, "state" | "cancel_requested_at">): CommandStatus {
  if (state === "stalled") return "failed";
  if (state === "succeeded" || state === "failed" || state === "cancelled") return state;
  if (cancel_requested_at !== null) return "cancelling";
  return state === "running" ? "running" : "queued";
}

/** Unended commands of a project. */
export const mostCommands = 5;
export const longestTimeoutSeconds = 3_600;
export const usualTimeoutSeconds = 1_800;

const text = Type.String();

const Command = named(
  "Command",
  Type.Object({
    id: Id,
    project_id: described(Id, "Whose live release it runs in"),
    server_id: Nullable(Type.Integer({ description: "Where it ran; null when that server was deleted" })),
    initiated_by: Nullable(Type.Integer({ description: "The id of the account; null once it was deleted" })),
    command: described(text, "As it was requested"),
    timeout_seconds: Type.Integer({ description: "When it is ended" }),
    status: OneOf(commandStatuses, { description: "queued, running or cancelling until it has ended" }),
    exit_code: Nullable(Type.Integer({ description: "The exit status of the command; null until it has one" })),
    error: Nullable(Type.String({ description: "Why it failed, in a sentence" })),
    created_at: Timestamp,
    started_at: Nullable(Timestamp),
    ended_at: Nullable(Timestamp),
  }),
  "A single command in the live release of a project",
);

const CommandWithLog = named(
  "CommandWithLog",
  Joined(Command, Type.Object({ log: named("CommandLog", Type.Object(logPageFields), "A page of its output") })),
  "A command with a page of its output",
);

export const CommandParams = Type.Object({ id: Id, commandId: described(Id, "The `id` of a command of the project") });

export const CommandRequest = named(
  "CommandRequest",
  Type.Object({
    ...onOneServer,
    command: Type.String({
      minLength: 1,
      maxLength: 10_000,
      pattern: "\\S",
      description: "For bash, as it would be typed in the live release's working directory",
    }),
    timeout_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: longestTimeoutSeconds,
        description: `When it is ended; default: ${usualTimeoutSeconds}`,
      }),
    ),
  }),
);

export const CommandPage = Page(Command);
export const CommandAccepted = named("CommandAccepted", Success({ message: text, data: Command }));
export const CommandReply = named("CommandReply", Success({ data: CommandWithLog }));
