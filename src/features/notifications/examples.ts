import type { Static } from "typebox";
import type {
  ChannelCreated,
  ChannelReply,
  ChannelRequest,
  ChannelUpdate,
  SecretRenewed,
  TestReply,
} from "./schema.ts";

// Examples in the documentation of the API.

export const channelRequest: Static<typeof ChannelRequest> = {
  name: "Operations",
  type: "webhook",
  target: "https://hooks.example.com/longshore/9f8e7d",
  on: ["deployment.failed", "server.unreachable"],
};

export const channelUpdate: Static<typeof ChannelUpdate> = { on: ["deployment.failed"], project_ids: [7] };

export const channel: Static<typeof ChannelReply>["data"] = {
  id: 2,
  name: "Operations",
  type: "webhook",
  target: "https://hooks.example.com/…",
  on: ["deployment.failed", "server.unreachable"],
  project_ids: null,
  is_active: true,
  last_delivery: { status: "delivered", error: null, at: "2026-03-01T10:20:31.654321Z" },
  created_at: "2026-03-01T10:20:30.123456Z",
  updated_at: "2026-03-01T10:20:30.123456Z",
};

const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

export const newChannel: Static<typeof ChannelCreated>["data"] = { ...channel, last_delivery: null, secret };

export const renewedSecret: Static<typeof SecretRenewed>["data"] = { id: 2, secret };

export const delivery: Static<typeof TestReply>["data"] = {
  id: 9,
  topic: "test",
  title: "Test of the notification channel Operations",
  status: "delivered",
  attempts: 1,
  answer: "204 No Content",
  error: null,
  next_attempt_at: null,
  created_at: "2026-03-01T10:20:30.123456Z",
  ended_at: "2026-03-01T10:20:31.654321Z",
};
