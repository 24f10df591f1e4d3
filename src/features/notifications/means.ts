import { type Config, mailServerOf } from "../../config.ts";
import type { Means } from "../../providers/notify/channel.ts";

/** The settings for sending. */
export const meansOf = (config: Config, signal: AbortSignal): Means => ({
  mail: mailServerOf(config),
  telegramUrl: config.telegramUrl,
  allowedNetworks: config.notifyAllow,
  signal,
});
