import { type Config, mailServerOf } from "../../config.ts";
import type { SendOptions } from "../../providers/notify/channel.ts";

/** The settings for sending. */
export const sendOptions = (config: Config, signal: AbortSignal): SendOptions => ({
  mail: mailServerOf(config),
  telegramUrl: config.telegramUrl,
  allowedNetworks: config.notifyAllow,
  signal,
});
