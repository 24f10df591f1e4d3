import { capabilities } from "../../http/capabilities.ts";
import type { ChannelRow } from "./schema.ts";

export const channelCapabilities = capabilities<ChannelRow>()({
  noun: "notification_channel",
  record: "GET /api/v1/notification-channels/:id",
  verbs: {
    update: { route: "PUT /api/v1/notification-channels/:id", refusals: {} },
    delete: { route: "DELETE /api/v1/notification-channels/:id", refusals: {} },
    test: {
      route: "POST /api/v1/notification-channels/:id/test",
      refusals: {
        no_mail: { message: "This installation cannot send mail: its operator has not set LONGSHORE_SMTP_URL." },
        not_delivered: { late: true, message: "The test message was not delivered. {error}" },
        deleted: { late: true, message: "The channel was deleted while it was tested." },
      },
    },
    renew_secret: {
      route: "POST /api/v1/notification-channels/:id/secret",
      refusals: {
        no_webhook: {
          unless: { type: ["webhook"] },
          message: "Only a webhook has a secret that signs its deliveries.",
        },
      },
    },
  },
});
