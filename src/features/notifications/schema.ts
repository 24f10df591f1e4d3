import { type Static, Type } from "typebox";
import { Page } from "../../http/pagination.ts";
import {
  Changed,
  described,
  Id,
  Joined,
  Name,
  Nullable,
  named,
  OneOf,
  Reply,
  Success,
  Switch,
  Timestamp,
} from "../../http/schemas.ts";
import { type ChannelType, channelTypes } from "../../providers/notify/kinds.ts";

/** The topics of notifications. A feature that announces something new adds its topic here. */
export const topics = [
  "deployment.succeeded",
  "deployment.failed",
  "certificate.failed",
  "certificate.renewed",
  "server.unreachable",
  "app.security_update",
  "app.update_failed",
  "server.not_removed",
  "server.orphan_found",
  "monitor.down",
  "monitor.up",
  "monitor.certificate_expiring",
  "process.crash_loop",
  "process.recovered",
] as const;

export type Topic = (typeof topics)[number];

/** The announcement that tests a channel. */
export const testTopic = "test";

/** Something that the people of an organization may want to know, as text for people. */
export interface Announcement {
  organizationId: number;
  topic: Topic;
  /** One line: what happened to what. */
  title: string;
  /** Plain text of a few lines: the essentials for a reader. */
  text: string;
  /**
   * For programs, and sent to webhooks unchanged: no secrets. `project_id` decides which channels receive it, and `links`, a list
   * of `{label, url}`, is shown below the text.
   */
  data: Record<string, unknown>;
}

// Channels ---------------------------------------------------------------------------------------------------------------

export const deliveryStatuses = ["queued", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** A channel as readers see it. */
export interface ChannelRow {
  id: number;
  name: string;
  type: ChannelType;
  target: string;
  on: string[];
  project_ids: number[] | null;
  is_active: boolean;
  last_delivery: { status: DeliveryStatus; error: string | null; at: string } | null;
  created_at: string;
  updated_at: string;
}

const On = Type.Array(OneOf(topics), {
  minItems: 1,
  maxItems: 100,
  title: "list of topics",
  description: "The topics that it receives",
});

const ProjectIds = Nullable(
  Type.Array(Id, {
    minItems: 1,
    maxItems: 1_000,
    description: "Only what happens to these projects; null: everything, also what belongs to no project",
  }),
);

const target = {
  target: Type.String({
    maxLength: 6_000,
    description:
      "email: addresses, separated by commas. slack, discord, webhook: a web address. telegram: a chat's number or name, with `/` and a number for a topic of it",
  }),
  bot_token: Type.String({ maxLength: 200, description: "telegram: the bot's token; never shown" }),
};

export const ChannelRequest = named(
  "NotificationChannelRequest",
  Type.Object({
    name: described(Name, "For people"),
    type: OneOf(channelTypes, { description: "What is sent to; fixed at creation" }),
    target: target.target,
    bot_token: Type.Optional(target.bot_token),
    on: On,
    project_ids: Type.Optional(ProjectIds),
    is_active: Type.Optional(described(Switch, "Whether it receives anything; default: on")),
  }),
);

export const ChannelUpdate = named(
  "NotificationChannelUpdate",
  Type.Object({
    name: Type.Optional(described(Name, "For people")),
    type: Type.Optional(OneOf(channelTypes, { description: "Cannot be changed" })),
    target: Type.Optional(target.target),
    bot_token: Type.Optional(target.bot_token),
    on: Type.Optional(On),
    project_ids: Type.Optional(ProjectIds),
    is_active: Type.Optional(described(Switch, "Whether it receives anything")),
  }),
);

export type ChannelRequestBody = Static<typeof ChannelRequest>;
export type ChannelUpdateBody = Static<typeof ChannelUpdate>;

const LastDelivery = named(
  "LastDelivery",
  Type.Object({
    status: OneOf(deliveryStatuses, { description: "queued: it failed, and is retried" }),
    error: Nullable(Type.String({ description: "Why the last attempt failed" })),
    at: Timestamp,
  }),
  "The newest notification of a channel",
);

const NotificationChannel = named(
  "NotificationChannel",
  Type.Object({
    id: Id,
    name: Type.String(),
    type: OneOf(channelTypes, { description: "What is sent to" }),
    target: Type.String({ description: "Without its secret: only the beginning of a web address" }),
    on: Type.Array(Type.String(), { description: "The topics that it receives" }),
    project_ids: Nullable(Type.Array(Id, { description: "Only what happens to these; null: everything" })),
    is_active: Type.Boolean({ description: "Whether it receives anything" }),
    last_delivery: Nullable(LastDelivery),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  "Where an organization receives notifications",
);

const Secret = Type.String({ description: "webhook: what deliveries are signed with; shown here and never again" });

const NewNotificationChannel = named(
  "NewNotificationChannel",
  Joined(NotificationChannel, Type.Object({ secret: Type.Optional(Secret) })),
  "A channel with the secret of a webhook",
);
const NewWebhookSecret = named(
  "NewWebhookSecret",
  Type.Object({ id: Id, secret: Secret }),
  "The new secret of a webhook",
);

export const ChannelPage = Page(NotificationChannel);
export const ChannelReply = Reply(NotificationChannel);
export const ChannelChanged = Changed(NotificationChannel);
export const ChannelCreated = named(
  "NotificationChannelCreated",
  Success({ message: Type.String(), data: NewNotificationChannel }),
);
export const SecretRenewed = named("WebhookSecretRenewed", Success({ message: Type.String(), data: NewWebhookSecret }));

// Deliveries -------------------------------------------------------------------------------------------------------------

export interface DeliveryRow {
  id: number;
  topic: string;
  title: string;
  status: DeliveryStatus;
  attempts: number;
  answer: string | null;
  error: string | null;
  next_attempt_at: string | null;
  created_at: string;
  ended_at: string | null;
}

const NotificationDelivery = named(
  "NotificationDelivery",
  Type.Object({
    id: Id,
    topic: Type.String({ description: "What it is about; test for one that was requested" }),
    title: Type.String({ description: "What happened, in a line" }),
    status: OneOf(deliveryStatuses, { description: "queued: it is sent, or retried" }),
    attempts: Type.Integer({ description: "How often it was sent" }),
    answer: Nullable(Type.String({ description: "The other side's answer when it accepted the message" })),
    error: Nullable(Type.String({ description: "Why the last attempt failed" })),
    next_attempt_at: Nullable(Timestamp),
    created_at: Timestamp,
    ended_at: Nullable(Timestamp),
  }),
  "A notification that was sent to a channel, or is retried",
);

export const DeliveryPage = Page(NotificationDelivery);
export const TestReply = named(
  "NotificationChannelTested",
  Success({ message: Type.String(), data: NotificationDelivery }),
);
