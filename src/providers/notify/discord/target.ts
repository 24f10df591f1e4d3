import type { ChannelKind } from "../channel.ts";
import { readUrl, secretsOfUrl, showUrl, type UrlTarget } from "../url.ts";

/** The address of a webhook of a Discord channel. Anyone who has it can post. */
export type DiscordTarget = UrlTarget;

export const discordTarget: Pick<ChannelKind<DiscordTarget>, "read" | "show" | "secretsOf"> = {
  read: readUrl,
  show: showUrl,
  secretsOf: secretsOfUrl,
};
