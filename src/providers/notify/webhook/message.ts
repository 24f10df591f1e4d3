import { createHmac } from "node:crypto";
import type { Message } from "../message.ts";

/** The body: the same bytes for every attempt. */
export const webhookBody = ({ topic, createdAt, title, text, organization, data }: Message): string =>
  JSON.stringify({ type: topic, timestamp: createdAt, title, text, organization, data });

/**
 * The headers of Standard Webhooks, for which most languages have libraries: an HMAC-SHA256 over id, time and body, so that
 * neither can be changed and an old request cannot be sent again. `at` is the time of the attempt.
 */
export function signedHeaders(id: string, body: string, secret: string, at: Date): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}
