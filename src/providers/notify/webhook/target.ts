import type { ChannelKind } from "../channel.ts";
import { readUrl, secretsOfUrl, showUrl, type UrlTarget } from "../url.ts";

/** The user's own URL, whose path or query may be its only protection. */
export type WebhookTarget = UrlTarget;

export const webhookTarget: Pick<ChannelKind<WebhookTarget>, "read" | "show" | "secretsOf"> = {
  read: readUrl,
  show: showUrl,
  secretsOf: secretsOfUrl,
};
