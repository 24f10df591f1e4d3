import type { SendOptions } from "../channel.ts";
import { deliver, isRefusal, plainJudge, reachOf } from "../http.ts";
import type { Message, Outcome } from "../message.ts";
import { discordBody } from "./message.ts";
import type { DiscordTarget } from "./target.ts";

/** Posts to a channel's webhook. Discord answers too many requests with Retry-After. */
export const sendToDiscord = ({ url }: DiscordTarget, message: Message, options: SendOptions): Promise<Outcome> =>
  deliver(
    { url, body: JSON.stringify(discordBody(message)) },
    { mayReach: reachOf(options.allowedNetworks), signal: options.signal },
    (answer) => plainJudge(answer, isRefusal),
  );
