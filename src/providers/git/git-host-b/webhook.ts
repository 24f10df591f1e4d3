import { createHmac } from "node:crypto";
import { objectOf } from "../../../lib/foreign.ts";
import {
  commitAmong,
  commitOf,
  type Delivery,
  headerOf,
  idIn,
  isEqual,
  jsonOf,
  lineOf,
  messageOf,
  type Proof,
  pushOfRef,
  type WebhookDialect,
} from "../webhook.ts";

// Maximum age of a signed delivery; each retry is signed again.
const toleranceMs = 5 * 60_000;

/**
 * GitLab: from version 19 on a signature over id, time and body (the scheme of Standard Webhooks), before that the secret
 * itself in `X-Gitlab-Token`. If there is a signature, it must be valid: a valid token does not replace it.
 */
export const webhookB: WebhookDialect = {
  verify(delivery, secret) {
    const signature = headerOf(delivery, "webhook-signature");
    if (signature !== undefined) return verifySigned(delivery, signature, secret);
    const token = headerOf(delivery, "x-gitlab-token");
    if (token === undefined) return "missing";
    return isEqual(token, secret) ? "valid" : "wrong";
  },
  // Retries of a delivery share the key; the id of a signed one is signed. Without a signature nothing is signed, not
  // even the body.
  identitiesOf: (delivery) => idIn(delivery, "webhook-id", "idempotency-key", "x-gitlab-event-uuid"),
  namesDeliveries: true,
  read: (delivery) => {
    const event = headerOf(delivery, "x-gitlab-event") ?? "unknown";
    if (event !== "Push Hook" && event !== "Tag Push Hook") return { other: event };
    const push = jsonOf(delivery);
    const commit = commitOf(push.checkout_sha) ?? commitOf(push.after);
    const head = commitAmong(push.commits, commit);
    return pushOfRef(push, {
      commit,
      author: lineOf(objectOf(head.author).name) ?? lineOf(push.user_name),
      ...messageOf(head.message),
    });
  },
};

function verifySigned({ headers, body, receivedAt }: Delivery, signatures: string, secret: string): Proof {
  const id = headerOf({ headers }, "webhook-id");
  const timestamp = headerOf({ headers }, "webhook-timestamp");
  if (id === undefined || timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return "wrong";
  if (Math.abs(receivedAt.getTime() - Number(timestamp) * 1_000) > toleranceMs) return "wrong";
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64");
  return signatures.split(" ").some((each) => isEqual(each, `v1,${expected}`)) ? "valid" : "wrong";
}
