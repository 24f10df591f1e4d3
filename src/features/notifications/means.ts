import { type Config, mailServerOf } from "../../config.ts";
import type { Means } from "../../providers/notify/channel.ts";

/** What the settings give for sending. */
export const meansOf = (config: Config, signal: AbortSignal): Means => ({
  mail: mailServerOf(config),
  telegramUrl: config.telegramUrl,
  allowedNetworks: config.notifyAllow,
  signal,
});
