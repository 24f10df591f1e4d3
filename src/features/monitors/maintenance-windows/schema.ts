import { type Static, Type } from "typebox";
import { Page } from "../../../http/pagination.ts";
import {
  Changed,
  described,
  Id,
  maxId,
  Name,
  Nullable,
  named,
  Reply,
  Switch,
  Timestamp,
} from "../../../http/schemas.ts";

/** A row of `maintenance_windows` with its targets. */
export interface WindowRow {
  id: number;
  organization_id: number;
  name: string;
  starts_at: string | null;
  ends_at: string | null;
  cron_expression: string | null;
  timezone: string | null;
  duration_seconds: number | null;
  is_for_all: boolean;
  /** The current occurrence, or the next one; for a window that is over, the last. */
  active_from: string;
  active_until: string;
  is_active: boolean;
  monitor_ids: number[];
  server_ids: number[];
  created_at: string;
  updated_at: string;
}

const Ids = Type.Array(Type.Integer({ minimum: 1, maximum: maxId }), { maxItems: 500 });
const Moment = Nullable(Type.String({ maxLength: 40, description: "ISO 8601, such as 2026-12-24T22:00:00Z" }));

const aboutTargets = {
  all: "Whether it applies to every monitor of the organization; default: off",
  monitors: "Monitors that it applies to, at most 500",
  servers: "Servers with all monitors of what is on them, at most 500",
};

const requestFields = {
  name: described(Name, "For people"),
  starts_at: Type.Optional(Moment),
  ends_at: Type.Optional(Moment),
  cron_expression: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 200,
        title: "cron expression",
        description: "When it begins, for a recurring window: five fields, or a nickname such as @daily",
      }),
    ),
  ),
  duration_seconds: Type.Optional(
    Nullable(
      Type.Integer({ minimum: 60, maximum: 604_800, description: "How long a recurring window lasts: up to a week" }),
    ),
  ),
  timezone: Type.Optional(
    Nullable(Type.String({ maxLength: 100, description: "For the cron expression; UTC when omitted" })),
  ),
  all_monitors: Type.Optional(described(Switch, aboutTargets.all)),
  monitor_ids: Type.Optional(described(Ids, aboutTargets.monitors)),
  server_ids: Type.Optional(described(Ids, aboutTargets.servers)),
};

export const WindowRequest = named("MaintenanceWindowRequest", Type.Object(requestFields));
export type WindowRequestBody = Static<typeof WindowRequest>;

export const WindowUpdate = named(
  "MaintenanceWindowUpdate",
  Type.Object({ ...requestFields, name: Type.Optional(requestFields.name) }),
);
export type WindowUpdateBody = Static<typeof WindowUpdate>;

const text = Type.String();

const MaintenanceWindow = named(
  "MaintenanceWindow",
  Type.Object({
    id: Id,
    name: text,
    starts_at: Nullable(Timestamp),
    ends_at: Nullable(Timestamp),
    cron_expression: Nullable(described(text, "When a recurring window begins; null: it is once")),
    duration_seconds: Nullable(Type.Integer({ description: "How long a recurring window lasts" })),
    timezone: Nullable(described(text, "Of the cron expression")),
    all_monitors: Type.Boolean({ description: "Whether it applies to every monitor of the organization" }),
    monitor_ids: Type.Array(Id, { description: "Monitors that it applies to" }),
    server_ids: Type.Array(Id, { description: "Servers with all monitors of what is on them" }),
    is_active: Type.Boolean({ description: "Whether it is active now" }),
    next_starts_at: Nullable({ ...Timestamp, description: "Of the current or the next time; null when it is over" }),
    next_ends_at: Nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  "A period in which monitors do not count failures",
);

export const WindowPage = Page(MaintenanceWindow);
export const WindowReply = Reply(MaintenanceWindow);
export const WindowChanged = Changed(MaintenanceWindow);
