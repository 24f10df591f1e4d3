import { objectOf, textOf } from "../../../lib/foreign.ts";
import {
  commitAmong,
  commitOf,
  type Delivery,
  headerOf,
  jsonOf,
  lineOf,
  messageOf,
  pushOfRef,
  type Received,
  verifyHmac,
  type WebhookDialect,
} from "../webhook.ts";

/**
 * Any other git server. The address of the webhook is secret, and is sufficient proof for a hook that can only call an
 * address; if the sender signs the body, as Gitea and Forgejo do, the signature must be valid. The body has `ref` and
 * `after` as theirs do.
 */
export const webhookPlain: WebhookDialect = {
  verify(delivery, secret) {
    const signature = headerOf(delivery, "x-hub-signature-256");
    return signature === undefined ? "valid" : verifyHmac(signature, delivery.body, secret);
  },
  // Not all of them send an id of the delivery: the pushed commits identify it.
  identitiesOf(delivery) {
    const { ref, before, after } = jsonOf(delivery);
    return [`push ${textOf(ref)} ${commitOf(before) ?? ""} ${commitOf(after) ?? ""}`.slice(0, 500)];
  },
  namesDeliveries: false,
  read: readPush,
};

function readPush(delivery: Delivery): Received {
  const push = jsonOf(delivery);
  const after = commitOf(push.after);
  const named = objectOf(push.head_commit);
  const isOfTag = textOf(push.ref).startsWith("refs/tags/");
  // That of an annotated tag has another id than the tag.
  const head = named.id === after || isOfTag ? named : commitAmong(push.commits, after);
  return pushOfRef(push, {
    commit: isOfTag ? commitOf(named.id) : after,
    author: lineOf(objectOf(head.author).name) ?? lineOf(push.author) ?? lineOf(objectOf(push.pusher).full_name),
    ...messageOf(head.message, push.message),
  });
}
