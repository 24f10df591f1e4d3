import { listOf, objectOf, textOf } from "../../../lib/foreign.ts";
import {
  commitOf,
  contentOf,
  headerOf,
  jsonOf,
  lineOf,
  messageOf,
  type Push,
  verifyHmac,
  type WebhookDialect,
} from "../webhook.ts";

/** Bitbucket: `X-Hub-Signature`, which is SHA-256 here; a delivery covers several branches and tags. */
export const webhookC: WebhookDialect = {
  verify: (delivery, secret) => verifyHmac(headerOf(delivery, "x-hub-signature"), delivery.body, secret),
  // Its id is not signed; the bytes are, and they contain no time: pushes back and forth are identical.
  identitiesOf: (delivery) => [contentOf(delivery)],
  namesDeliveries: false,
  read: (delivery) => {
    const event = headerOf(delivery, "x-event-key") ?? "unknown";
    if (event !== "repo:push") return { other: event };
    const { push, actor } = jsonOf(delivery);
    const changes = listOf(objectOf(push).changes).map(objectOf);
    const pushes = changes.flatMap((change) => pushOf(change, objectOf(actor)) ?? []);
    return pushes.length > 0 ? { pushes } : { other: "unknown" };
  },
};

function pushOf(change: Record<string, unknown>, actor: Record<string, unknown>): Push | undefined {
  const [from, to] = [objectOf(change.old), objectOf(change.new)];
  // What was deleted has no new side.
  const { type, name } = change.new === null || change.new === undefined ? from : to;
  if (type !== "branch" && type !== "tag") return undefined;
  const target = objectOf(to.target);
  const author = objectOf(target.author);
  const after = commitOf(target.hash);
  return {
    kind: type,
    name: textOf(name),
    before: commitOf(objectOf(from.target).hash),
    after,
    commit: after,
    author:
      lineOf(objectOf(author.user).display_name) ??
      lineOf(textOf(author.raw).replace(/\s*<[^>]*>\s*$/, "")) ??
      lineOf(actor.display_name),
    ...messageOf(target.message),
    pushedAt: null,
  };
}
