import { Type } from "typebox";
import type { Permission } from "../../http/actor.ts";
import { Some } from "../../http/lists.ts";
import { Id, Nullable, named, Timestamp } from "../../http/schemas.ts";

/** The permission for reading an event, by the noun at the beginning of its name. `any`: it is for one user, who is named. */
const readPermissions = {
  server: "server:read",
  database: "server:read",
  project: "project:read",
  deployment: "project:read",
  domain: "project:read",
  dns: "project:read",
  job: "project:read",
  command: "project:read",
  app: "project:read",
  group: "project:read",
  ssh_access: "server:read",
  ssh_key: "server:read",
  order: "server:read",
  snapshot: "server:read",
  certificate: "project:read",
  monitor: "monitor:read",
  maintenance_window: "monitor:read",
  status_page: "monitor:read",
  organization: "organization:read",
  member: "organization:read",
  channel: "organization:read",
  provider: "organization:read",
  invitation: "organization:manage",
  token: "any",
  preferences: "any",
} as const satisfies Record<string, Permission | "any">;

type Noun = keyof typeof readPermissions | "attention";

const permissionOf = (noun: unknown): Permission | "any" | undefined =>
  typeof noun === "string" && Object.hasOwn(readPermissions, noun)
    ? readPermissions[noun as keyof typeof readPermissions]
    : undefined;

const nounOf = (eventName: string): string => eventName.split(".", 1)[0] ?? "";

/** Undefined for a noun that is not listed: no client gets its events. Those of attention are about the record that they name. */
export const streamPermission = (
  eventName: string,
  { noun }: { noun?: unknown } = {},
): Permission | "any" | undefined => permissionOf(nounOf(eventName) === "attention" ? noun : nounOf(eventName));

/** Kinds of events that a client can choose: all of a noun, or one name. */
export const eventKinds = [
  ...(Object.keys(readPermissions) as Noun[]),
  "attention" as const,
  ...([
    "server.setup_step",
    "server.deleted",
    "server.transferred",
    "project.deleted",
    "project.crash_loop_began",
    "project.crash_loop_ended",
    "deployment.log",
    "command.log",
  ] as const),
  ...([...Object.keys(readPermissions), "attention"] as Noun[]).map((noun) => `${noun}.updated` as const),
] as const;

export type EventKind = (typeof eventKinds)[number];

/** Whether a client that chose these kinds gets the event; undefined: it chose none. */
export const isChosen = (kinds: readonly EventKind[] | undefined, eventName: string): boolean =>
  kinds === undefined || kinds.some((kind) => kind === eventName || kind === nounOf(eventName));

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
  kinds: Some(eventKinds, "Only events of these nouns, or of these names"),
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
      server_id: Nullable(Type.Integer({ description: "The server that it concerns; null: none" })),
      project_id: Nullable(Type.Integer({ description: "The project that it concerns; null: none" })),
      state: Type.Optional(Type.String({ description: "The record's state in a word, where it has one" })),
      deleted: Type.Optional(Type.Boolean({ description: "Whether the record is gone" })),
      created_at: Timestamp,
    },
    { description: "The `data` of each event. Its `event` is the name, its `id` the place to resume from." },
  ),
);
