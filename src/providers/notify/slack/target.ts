import type { ChannelKind } from "../channel.ts";
import { readUrl, secretsOfUrl, showUrl, type UrlTarget } from "../url.ts";

/** The address of an incoming webhook, of Slack or of a compatible service. Anyone who has it can post. */
export type SlackTarget = UrlTarget;

export const slackTarget: Pick<ChannelKind<SlackTarget>, "read" | "show" | "secretsOf"> = {
  read: readUrl,
  show: showUrl,
  secretsOf: secretsOfUrl,
};
