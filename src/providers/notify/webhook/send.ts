import type { SendOptions } from "../channel.ts";
import { deliver, plainJudge, reachOf } from "../http.ts";
import type { Message, Outcome } from "../message.ts";
import { signedHeaders, webhookBody } from "./message.ts";
import type { WebhookTarget } from "./target.ts";

// A customer's own program may answer with any status while it is being repaired. Only this status means that it is
// gone.
const isGone = (status: number): boolean => status === 410;

/** Posts the message as data, signed. */
export function sendToWebhook(
  { url }: WebhookTarget,
  message: Message,
  options: SendOptions,
  secret: string | undefined,
): Promise<Outcome> {
  if (secret === undefined) throw new Error("A webhook has a secret.");
  const body = webhookBody(message);
  return deliver(
    { url, body, headers: signedHeaders(message.id, body, secret, new Date()) },
    { mayReach: reachOf(options.allowedNetworks), signal: options.signal },
    (answer) => plainJudge(answer, isGone),
  );
}
