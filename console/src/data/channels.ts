import type { NotificationChannel, NotificationChannelRequest, NotificationDelivery } from "../../../contract/types.ts";
import type { OrganizationId } from "../paths.ts";
import { reading } from "./cache.ts";

export type Channel = NotificationChannel;
export type ChannelType = Channel["type"];
export type Delivery = NotificationDelivery;
export type Topic = NotificationChannelRequest["on"][number];

/** What is sent to. */
export const kindNames: Record<ChannelType, string> = {
  email: "Email",
  slack: "Slack",
  discord: "Discord",
  telegram: "Telegram",
  webhook: "Webhook",
};

/** All of them: an organization has at most 50. */
export const channels = (o: OrganizationId) =>
  reading({ organization: o, noun: "channels" }, "GET /api/v1/notification-channels", { query: { per_page: 100 } });

export const channel = (o: OrganizationId, id: number) =>
  reading({ organization: o, noun: "channel", id }, "GET /api/v1/notification-channels/{id}", { params: { id } });

/** Read each time: there is no event for one that succeeds like the one before. */
export const deliveries = (o: OrganizationId, id: number, page: number) => ({
  ...reading({ organization: o, noun: "channel", id }, "GET /api/v1/notification-channels/{id}/deliveries", {
    params: { id },
    query: { per_page: 50, page },
  }),
  staleTime: 0,
});
