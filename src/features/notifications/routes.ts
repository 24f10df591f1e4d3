import { PageQuery } from "../../http/pagination.ts";
import { type Route, route, withStatus } from "../../http/route.ts";
import { IdParams, success } from "../../http/schemas.ts";
import {
  createChannel,
  deleteChannel,
  getChannel,
  renewSecret,
  showChannels,
  showDeliveries,
  updateChannel,
} from "./channels.ts";
import {
  ChannelChanged,
  ChannelCreated,
  ChannelPage,
  ChannelReply,
  ChannelRequest,
  ChannelUpdate,
  DeliveryPage,
  Done,
  SecretRenewed,
  TestReply,
} from "./schema.ts";
import { sendTest } from "./testing.ts";
import { channelChangeErrors, newChannelErrors } from "./validation.ts";

const example = {
  name: "Operations",
  type: "slack",
  target: "https://hooks.slack.com/services/T0/B0/secret",
  on: ["deployment.failed", "server.unreachable"],
};

export const notificationRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/api/v1/notification-channels",
    summary: "List notification channels",
    description: "Secrets of a target are not shown: only the beginning of a web address, and no token of a bot.",
    permission: "organization:read",
    query: PageQuery,
    reply: ChannelPage,
    handle: (ctx, { query }) => showChannels(ctx, query),
  }),
  route({
    method: "POST",
    path: "/api/v1/notification-channels",
    summary: "Create a notification channel",
    description:
      "Email, Slack, Discord, Telegram, or a webhook of your own, whose deliveries are signed with the `secret` of this answer. A restricted membership names projects in its reach.",
    permission: "organization:manage",
    showsSecret: true,
    body: ChannelRequest,
    status: 201,
    reply: ChannelCreated,
    examples: { body: example },
    check: (ctx, { body }) => newChannelErrors(ctx, body),
    handle: async (ctx, { body }) => {
      const data = await createChannel(ctx, body);
      const shown = data.secret === undefined ? "" : " Its secret is shown only now.";
      return success({ message: `The notification channel ${data.name} was created.${shown}`, data });
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/notification-channels/:id",
    summary: "Read a notification channel",
    permission: "organization:read",
    params: IdParams,
    reply: ChannelReply,
    handle: async (ctx, { params }) => success({ data: await getChannel(ctx.pool, ctx, params.id) }),
  }),
  route({
    method: "PUT",
    path: "/api/v1/notification-channels/:id",
    summary: "Change a notification channel",
    description:
      "Omitted fields keep their values, also the target's secrets. Switched off, the channel drops what is queued.",
    permission: "organization:manage",
    params: IdParams,
    body: ChannelUpdate,
    reply: ChannelChanged,
    examples: { body: { on: ["deployment.failed"], is_active: false } },
    check: (ctx, { body }) => channelChangeErrors(ctx, body),
    handle: async (ctx, { params, body }) => {
      const data = await updateChannel(ctx, params.id, body);
      return success({ message: `The notification channel ${data.name} was changed.`, data });
    },
  }),
  route({
    method: "DELETE",
    path: "/api/v1/notification-channels/:id",
    summary: "Delete a notification channel",
    permission: "organization:manage",
    params: IdParams,
    reply: Done,
    handle: async (ctx, { params }) => {
      await deleteChannel(ctx, params.id);
      return success({ message: "The notification channel was deleted." });
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/notification-channels/:id/test",
    summary: "Send a test message",
    description:
      "Waits for the answer of the other side for at most 15 seconds, and then answers 202: the list of deliveries shows the rest. A channel that is switched off can be tested as well.",
    permission: "organization:manage",
    params: IdParams,
    reply: TestReply,
    otherStatuses: [202],
    errors: { refused: "The message was not accepted; the sentence states where and why." },
    handle: async (ctx, { params }) => {
      const data = await sendTest(ctx, await getChannel(ctx.pool, ctx, params.id));
      if (data.status === "delivered")
        return success({ message: `The test message was delivered: ${data.answer}`, data });
      return withStatus(202, success({ message: "The test message is under way.", data }));
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/notification-channels/:id/secret",
    summary: "Replace the secret of a webhook",
    description: "The former one is not used from then on.",
    permission: "organization:manage",
    showsSecret: true,
    params: IdParams,
    reply: SecretRenewed,
    errors: { refused: "The channel is not a webhook." },
    handle: async (ctx, { params }) =>
      success({ message: "The secret was renewed. It is shown only now.", data: await renewSecret(ctx, params.id) }),
  }),
  route({
    method: "GET",
    path: "/api/v1/notification-channels/:id/deliveries",
    summary: "List a channel's deliveries",
    description: "The last 30 days, the newest first.",
    permission: "organization:read",
    params: IdParams,
    query: PageQuery,
    reply: DeliveryPage,
    handle: (ctx, { params, query }) => showDeliveries(ctx, params.id, query),
  }),
];
