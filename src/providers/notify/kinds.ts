import { masker } from "../../lib/mask.ts";
import type { ChannelKind, GivenTarget, SendOptions } from "./channel.ts";
import { sendToDiscord } from "./discord/send.ts";
import { discordTarget } from "./discord/target.ts";
import { sendToEmail } from "./email/send.ts";
import { emailTarget } from "./email/target.ts";
import type { Message, Outcome } from "./message.ts";
import { sendToSlack } from "./slack/send.ts";
import { slackTarget } from "./slack/target.ts";
import { sendToTelegram } from "./telegram/send.ts";
import { telegramTarget } from "./telegram/target.ts";
import { sendToWebhook } from "./webhook/send.ts";
import { webhookTarget } from "./webhook/target.ts";

export const channelTypes = ["email", "slack", "discord", "telegram", "webhook"] as const;
export type ChannelType = (typeof channelTypes)[number];

/** A kind of channel for callers that do not need the parts of its target: they store a text, which is secret. */
export interface Kind {
  /** The stored and the displayed form, or the errors of the input. */
  read: (given: GivenTarget, stored?: string) => { target: string; shown: string } | { errors: Record<string, string> };
  /** One attempt; the result contains no secret of the target. */
  send: (target: string, message: Message, options: SendOptions, secret?: string) => Promise<Outcome>;
}

function kind<Target>({ read, show, secretsOf, send }: ChannelKind<Target>): Kind {
  const parse = (stored: string): Target => JSON.parse(stored) as Target;
  return {
    read: (given, stored) => {
      const result = read(given, stored === undefined ? undefined : parse(stored));
      if ("errors" in result) return result;
      return { target: JSON.stringify(result.target), shown: show(result.target) };
    },
    send: async (stored, message, options, secret) => {
      const target = parse(stored);
      const mask = masker([...secretsOf(target), ...(secret === undefined ? [] : [secret])]);
      const outcome = await send(target, message, options, secret);
      return outcome.isDelivered
        ? { ...outcome, answer: mask(outcome.answer) }
        : { ...outcome, error: mask(outcome.error) };
    },
  };
}

export const kinds: Record<ChannelType, Kind> = {
  email: kind({ ...emailTarget, send: sendToEmail }),
  slack: kind({ ...slackTarget, send: sendToSlack }),
  discord: kind({ ...discordTarget, send: sendToDiscord }),
  telegram: kind({ ...telegramTarget, send: sendToTelegram }),
  webhook: kind({ ...webhookTarget, send: sendToWebhook }),
};
