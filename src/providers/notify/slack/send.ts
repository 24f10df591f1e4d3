import type { SendOptions } from "../channel.ts";
import { deliver, isRefusal, plainJudge, reachOf } from "../http.ts";
import type { Message, Outcome } from "../message.ts";
import { slackBody } from "./message.ts";
import type { SlackTarget } from "./target.ts";

/** Posts to an incoming webhook. */
export const sendToSlack = ({ url }: SlackTarget, message: Message, options: SendOptions): Promise<Outcome> =>
  deliver(
    { url, body: JSON.stringify(slackBody(message)) },
    { mayReach: reachOf(options.allowedNetworks), signal: options.signal },
    (answer) => plainJudge(answer, isRefusal),
  );
