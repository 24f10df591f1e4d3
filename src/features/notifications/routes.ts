import { PageQuery, pageOf, paginated } from "../../http/pagination.ts";
import { type Route, route, withStatus } from "../../http/route.ts";
import { Acknowledgement, IdParams, success } from "../../http/schemas.ts";
import {
  createChannel,
  deleteChannel,
  getChannel,
  renewSecret,
  showChannels,
  showDeliveries,
  updateChannel,
} from "./channels.ts";
import { channel, channelRequest, channelUpdate, delivery, newChannel, renewedSecret } from "./examples.ts";
import {
  ChannelChanged,
  ChannelCreated,
  ChannelPage,
  ChannelReply,
  ChannelRequest,
  ChannelUpdate,
  DeliveryPage,
  SecretRenewed,
  TestReply,
} from "./schema.ts";
import { sendTest } from "./testing.ts";
import { channelChangeErrors, newChannelErrors } from "./validation.ts";

export const notificationRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/api/v1/notification-channels",
    summary: "List notification channels",
    description:
      "Without the secrets of their targets: of a web address only `https://host/…`, and no token of a bot. " +
      "`last_delivery` shows the result of the newest attempt; its status `queued` means that it failed and will be " +
      "retried. A restricted membership sees only channels whose `project_ids` are all in its reach. The channels of a " +
      "single monitor are part of the monitor.",
    permission: "organization:read",
    query: PageQuery,
    reply: ChannelPage,
    examples: { reply: paginated(pageOf({}, 25), 1, [channel]) },
    handle: (ctx, { query }) => showChannels(ctx, query),
  }),
  route({
    method: "POST",
    path: "/api/v1/notification-channels",
    summary: "Create a notification channel",
    description:
      "Email, Slack, Discord, Telegram, or a webhook of your own, whose deliveries are signed with the `secret` of " +
      "this answer; it is shown only here.\n\n" +
      "* With `project_ids` the channel receives only what happens to these projects. Without, it receives everything " +
      "that its topics name, also what belongs to a server or the organization and to no project.\n" +
      "* A restricted membership has to name `project_ids`, all of them in its reach.\n" +
      "* A channel whose projects are all gone receives nothing; it does not become one for everything.\n" +
      "* The name is one line. The target has a public address unless an operator allowed others " +
      "(`LONGSHORE_NOTIFY_ALLOW`). An organization has at most 50 channels (422).",
    permission: "organization:manage",
    showsSecret: true,
    body: ChannelRequest,
    status: 201,
    reply: ChannelCreated,
    examples: {
      body: channelRequest,
      reply: success({
        message: "The notification channel Operations was created. Its secret is shown only now.",
        data: newChannel,
      }),
    },
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
    description:
      "Its target is shown without its secret, as in the list, and may be sent back so. `project_ids` has only " +
      "projects that still exist.",
    permission: "organization:read",
    params: IdParams,
    reply: ChannelReply,
    examples: { reply: success({ data: channel }) },
    handle: async (ctx, { params }) => success({ data: await getChannel(ctx.pool, ctx, params.id) }),
  }),
  route({
    method: "PUT",
    path: "/api/v1/notification-channels/:id",
    record: "/api/v1/notification-channels/:id",
    summary: "Change a notification channel",
    description:
      "Omitted fields keep their values, also the target's secrets, and a target that is sent back as it was shown is " +
      "no change. `type` cannot be changed (422). Switched off (`is_active`), the channel receives nothing, and drops " +
      "what is queued. A changed target is used for what is still queued, at once.",
    permission: "organization:manage",
    params: IdParams,
    body: ChannelUpdate,
    reply: ChannelChanged,
    examples: {
      body: channelUpdate,
      reply: success({
        message: "The notification channel Operations was changed.",
        data: { ...channel, ...channelUpdate },
      }),
    },
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
    description: "With its deliveries: what is still queued is not sent.",
    permission: "organization:manage",
    params: IdParams,
    reply: Acknowledgement,
    examples: { reply: success({ message: "The notification channel was deleted." }) },
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
      "Sends a message to the channel alone, and waits at most 15 seconds for the other side: 200 when it accepted the " +
      "message, 422 with its answer when it did not, and 202 when the attempt continues; the list of deliveries then " +
      "shows its result. The message is sent once and never retried. A channel that is switched off or has to wait can " +
      "be tested too.",
    permission: "organization:manage",
    params: IdParams,
    reply: TestReply,
    otherStatuses: [202],
    errors: { refused: "The message was not accepted; the sentence states where and why." },
    examples: { reply: success({ message: "The test message was delivered: 204", data: delivery }) },
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
    description:
      "Deliveries are signed with the new secret from the next attempt on, those that are queued included. It is in " +
      "this answer and shown nowhere else. Channels of other types have no secret (422).",
    permission: "organization:manage",
    showsSecret: true,
    params: IdParams,
    reply: SecretRenewed,
    errors: { refused: "The channel is not a webhook." },
    examples: { reply: success({ message: "The secret was renewed. It is shown only now.", data: renewedSecret }) },
    handle: async (ctx, { params }) =>
      success({ message: "The secret was renewed. It is shown only now.", data: await renewSecret(ctx, params.id) }),
  }),
  route({
    method: "GET",
    path: "/api/v1/notification-channels/:id/deliveries",
    summary: "List a channel's deliveries",
    description:
      "What was sent within the last 30 days, or is queued, the newest first. A delivery that failed and is retried is " +
      "`queued`, with the reason in `error` and the time in `next_attempt_at`. A restricted membership sees those of " +
      "projects in its reach, and tests.",
    permission: "organization:read",
    params: IdParams,
    query: PageQuery,
    reply: DeliveryPage,
    examples: { reply: paginated(pageOf({}, 25), 1, [delivery]) },
    handle: (ctx, { params, query }) => showDeliveries(ctx, params.id, query),
  }),
];
