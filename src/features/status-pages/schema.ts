import { type Static, Type } from "typebox";
import { Page } from "../../http/pagination.ts";
import {
  Changed,
  described,
  Id,
  maxId,
  Name,
  Nullable,
  named,
  OneOf,
  Reply,
  Switch,
  Timestamp,
} from "../../http/schemas.ts";

export const incidentStates = ["investigating", "identified", "monitoring", "resolved"] as const;
export type IncidentState = (typeof incidentStates)[number];

export const monitorsPerPage = 100;
export const shownDays = 90;

export interface StatusPageRow {
  id: number;
  organization_id: number;
  name: string;
  description: string;
  slug: string;
  domain: string | null;
  is_public: boolean;
  monitors: { id: number; label: string | null }[];
  open_incidents: number;
  created_at: string;
  updated_at: string;
}

/** The address of a page, without a slash at its end. */
export const addressOf = (installation: string, { slug, domain }: Pick<StatusPageRow, "slug" | "domain">): string =>
  domain === null ? `${installation.replace(/\/+$/, "")}/status/${slug}` : `https://${domain}`;

export interface IncidentRow {
  id: number;
  title: string;
  state: IncidentState;
  created_at: string;
  updated_at: string;
  resolved_at: string | null;
  updates: UpdateRow[];
}

export interface UpdateRow {
  id: number;
  state: IncidentState;
  text: string;
  created_at: string;
}

// Requests -----------------------------------------------------------------------------------------------------------------

const StatusPageMonitorRequest = named(
  "StatusPageMonitorRequest",
  Type.Object({
    id: Type.Integer({ minimum: 1, maximum: maxId, description: "The id of a monitor" }),
    label: Type.Optional(
      Nullable(
        Type.String({ minLength: 1, maxLength: 100, description: "What visitors see; null: the monitor's name" }),
      ),
    ),
  }),
  "A monitor on the page",
);

const requestFields = {
  name: described(Name, "Its heading"),
  description: Type.Optional(Type.String({ maxLength: 2_000, description: "Plain text below the heading" })),
  slug: Type.String({
    minLength: 1,
    maxLength: 60,
    pattern: "^[a-z0-9]+(-[a-z0-9]+)*$",
    description: "Last part of the address: lowercase letters, digits and single hyphens",
    errorMessage: "The slug must have 1 to 60 characters: lowercase letters, digits and single hyphens between them.",
  }),
  domain: Type.Optional(
    Nullable(
      Type.String({ maxLength: 253, description: "A host name for the page alone, which points here; null for none" }),
    ),
  ),
  is_public: Type.Optional(described(Switch, "Whether visitors see it; otherwise they get 404; default: on")),
  monitors: Type.Optional(
    Type.Array(StatusPageMonitorRequest, {
      maxItems: monitorsPerPage,
      description: "In the order in which visitors see them",
    }),
  ),
};

export const StatusPageRequest = named("StatusPageRequest", Type.Object(requestFields));
export type StatusPageBody = Static<typeof StatusPageRequest>;

export const StatusPageUpdate = named(
  "StatusPageUpdate",
  Type.Object({
    ...requestFields,
    name: Type.Optional(requestFields.name),
    slug: Type.Optional(requestFields.slug),
  }),
);
export type StatusPageUpdateBody = Static<typeof StatusPageUpdate>;

const Title = Type.String({ minLength: 1, maxLength: 200, pattern: "\\S", description: "What is wrong, in a line" });
const Text = Type.String({ minLength: 1, maxLength: 5_000, pattern: "\\S", description: "Plain text" });
const State = OneOf(incidentStates, { description: "How far it is; resolved ends the incident" });

export const IncidentRequest = named(
  "IncidentRequest",
  Type.Object({
    title: Title,
    state: Type.Optional(described(State, "Where it begins; default: investigating")),
    text: Text,
  }),
);
export type IncidentBody = Static<typeof IncidentRequest>;
export const IncidentUpdate = named("IncidentChange", Type.Object({ title: Title }));
export const UpdateRequest = named("IncidentUpdateRequest", Type.Object({ state: State, text: Text }));
export type UpdateBody = Static<typeof UpdateRequest>;
export const UpdateChange = named("IncidentUpdateChange", Type.Object({ text: Text }));

const incidentId = described(Id, "The `id` of an incident of the page");
export const IncidentParams = Type.Object({ id: Id, incidentId });
export const UpdateParams = Type.Object({ id: Id, incidentId, updateId: described(Id, "The `id` of an update of it") });

// Answers ------------------------------------------------------------------------------------------------------------------

const text = Type.String();

const StatusPageMonitor = named(
  "StatusPageMonitor",
  Type.Object({
    id: described(Id, "The id of a monitor"),
    label: Nullable(described(text, "What visitors see; null: the monitor's name")),
  }),
  "A monitor on the page",
);

const StatusPage = named(
  "StatusPage",
  Type.Object({
    id: Id,
    name: described(text, "Its heading"),
    description: described(text, "Plain text below the heading"),
    slug: described(text, "The last part of its address"),
    domain: Nullable(described(text, "A host name for the page alone; null: none")),
    is_public: Type.Boolean({ description: "Whether visitors see it" }),
    url: described(text, "Where it is"),
    monitors: Type.Array(StatusPageMonitor, { description: "In the order in which visitors see them" }),
    open_incidents: Type.Integer({ description: "How many of its incidents are not resolved" }),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  "A public page with the state of chosen monitors",
);

const ShownUpdate = named(
  "IncidentUpdate",
  Type.Object({ id: Id, state: State, text: described(text, "Plain text"), created_at: Timestamp }),
  "An entry of an incident",
);

const Incident = named(
  "Incident",
  Type.Object({
    id: Id,
    title: described(text, "What is wrong, in a line"),
    state: State,
    created_at: Timestamp,
    updated_at: Timestamp,
    resolved_at: Nullable(Timestamp),
    updates: Type.Array(ShownUpdate, { description: "The newest first" }),
  }),
  "An incident on a status page",
);

export const StatusPagePage = Page(StatusPage);
export const StatusPageReply = Reply(StatusPage);
export const StatusPageChanged = Changed(StatusPage);

export const IncidentPage = Page(Incident);
export const IncidentReply = Reply(Incident);
export const IncidentChanged = Changed(Incident);
