import { Type } from "typebox";
import type { Permission } from "../../http/actor.ts";
import { Id, Nullable, named, Timestamp } from "../../http/schemas.ts";

/** The permission for reading an event, by the noun at the beginning of its name. */
const readPermissions: Record<string, Permission> = {
  server: "server:read",
  database: "server:read",
  project: "project:read",
  deployment: "project:read",
  domain: "project:read",
  dns: "project:read",
  job: "project:read",
  command: "project:read",
  ssh_access: "server:read",
  certificate: "project:read",
  monitor: "monitor:read",
};

/** Undefined for a noun that is not listed: no client gets its events. */
export const streamPermission = (eventName: string): Permission | undefined =>
  readPermissions[eventName.split(".", 1)[0] ?? ""];

/** An event as it is stored. `position` is its place among all events, in the order of their commits. */
export interface EventRow {
  position: number;
  organization_id: number;
  server_id: number | null;
  project_id: number | null;
  name: string;
  data: Record<string, unknown>;
  created_at: string;
}

export const EventQuery = Type.Object({
  last_event_id: Type.Optional(
    Type.Unsafe<unknown>({
      description: "In place of the header Last-Event-ID, for clients that cannot set it",
      documentedAs: { type: "integer", minimum: 0 },
    }),
  ),
});

export const EventData = named(
  "EventData",
  Type.Object(
    {
      id: Type.Optional({ ...Id, description: "Of the record that the event is about" }),
      server_id: Nullable(Type.Integer()),
      project_id: Nullable(Type.Integer()),
      created_at: Timestamp,
    },
    { description: "The `data` of each event. Its `event` is the name, its `id` the place to resume from." },
  ),
);
