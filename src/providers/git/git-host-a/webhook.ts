import { objectOf } from "../../../lib/foreign.ts";
import {
  commitOf,
  contentOf,
  headerOf,
  idIn,
  jsonOf,
  lineOf,
  messageOf,
  pushOfRef,
  verifyHmac,
  type WebhookDialect,
} from "../webhook.ts";

/** GitHub: `X-Hub-Signature-256` over the body, one branch or tag a delivery. */
export const webhookA: WebhookDialect = {
  verify: (delivery, secret) => verifyHmac(headerOf(delivery, "x-hub-signature-256"), delivery.body, secret),
  // The id is not signed; the bytes are, and each push contains its time.
  identitiesOf: (delivery) => [...idIn(delivery, "x-github-delivery"), contentOf(delivery)],
  namesDeliveries: true,
  read: (delivery) => {
    const event = headerOf(delivery, "x-github-event") ?? "unknown";
    if (event !== "push") return { other: event };
    const push = jsonOf(delivery);
    const head = objectOf(push.head_commit);
    const pushedAt = objectOf(push.repository).pushed_at;
    return pushOfRef(push, {
      commit: commitOf(head.id),
      author: lineOf(objectOf(head.author).name) ?? lineOf(objectOf(push.pusher).name),
      ...messageOf(head.message),
      pushedAt: typeof pushedAt === "number" && pushedAt > 0 && pushedAt < 1e11 ? new Date(pushedAt * 1_000) : null,
    });
  },
};
