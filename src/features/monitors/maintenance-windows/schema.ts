import { type Static, Type } from "typebox";
import { Page } from "../../../http/pagination.ts";
import { Changed, Id, maxId, Name, Nullable, named, Reply, Switch, Timestamp } from "../../../http/schemas.ts";

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

const requestFields = {
  name: Name,
  starts_at: Type.Optional(Moment),
  ends_at: Type.Optional(Moment),
  cron_expression: Type.Optional(Nullable(Type.String({ maxLength: 200, title: "cron expression" }))),
  duration_seconds: Type.Optional(Nullable(Type.Integer({ minimum: 60, maximum: 604_800 }))),
  timezone: Type.Optional(
    Nullable(Type.String({ maxLength: 100, description: "For the cron expression; UTC when omitted" })),
  ),
  all_monitors: Type.Optional(Switch),
  monitor_ids: Type.Optional(Ids),
  server_ids: Type.Optional(Ids),
};

export const WindowRequest = named("MaintenanceWindowRequest", Type.Object(requestFields));
export type WindowRequestBody = Static<typeof WindowRequest>;

export const WindowUpdate = named(
  "MaintenanceWindowUpdate",
  Type.Object({ ...requestFields, name: Type.Optional(Name) }),
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
    cron_expression: Nullable(text),
    duration_seconds: Nullable(Type.Integer()),
    timezone: Nullable(text),
    all_monitors: Type.Boolean(),
    monitor_ids: Type.Array(Id),
    server_ids: Type.Array(Id),
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
