import type { Context } from "../../../context.ts";
import { transaction } from "../../../db/transaction.ts";
import { kinds } from "../../../providers/notify/kinds.ts";
import { linksIn, type Message, type Outcome } from "../../../providers/notify/message.ts";
import { wakeChannel } from "../actions.ts";
import { sendOptions } from "../send-options.ts";
import {
  type Claimed,
  claimDelivery,
  notifyRequest,
  type Result,
  recordLast,
  returnDelivery,
  settleDelivery,
} from "./queries.ts";
import { claimMs, holdMs, retryDelayMs } from "./retries.ts";

/**
 * Sends the due deliveries of a channel, one after the other. After a failure the rest moves to the end of the queue, so that a
 * channel whose receiver takes ten seconds to fail does not occupy a worker that others wait for.
 */
export async function deliverDue(ctx: Context, channelId: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const claimed = await transaction(ctx.pool, (tx) => claimDelivery(tx, channelId, claimMs));
    if (!claimed) return;
    const outcome = await attempt(ctx, claimed, signal);
    if (!outcome.isDelivered && signal.aborted) return returnDelivery(ctx.pool, claimed);
    await settle(ctx, claimed, outcome);
    if (!outcome.isDelivered) return;
  }
}

async function attempt(ctx: Context, claimed: Claimed, signal: AbortSignal): Promise<Outcome> {
  const message: Message = {
    id: `longshore-delivery-${claimed.id}`,
    topic: claimed.topic,
    title: claimed.title,
    text: claimed.text,
    data: claimed.data,
    links: linksIn(claimed.data),
    organization: { id: claimed.organization_id, name: claimed.organization_name },
    createdAt: claimed.announced_at,
  };
  try {
    const target = ctx.secrets.decrypt(claimed.target);
    const secret = claimed.secret ? ctx.secrets.decrypt(claimed.secret) : undefined;
    return await kinds[claimed.type].send(target, message, sendOptions(ctx.config, signal), secret);
  } catch (error) {
    // A bug, or a missing encryption key. The delivery must neither block the channel nor be lost.
    ctx.log.error({ err: error, delivery: claimed.id }, "a notification could not be sent");
    return { isDelivered: false, error: "Longshore could not send it; its log says why.", isPermanent: false };
  }
}

/** Stores the result of the delivery and the state shown on its channel, and plans the next attempt, in one transaction. */
async function settle(ctx: Context, claimed: Claimed, outcome: Outcome): Promise<void> {
  const result = resultOf(claimed, outcome);
  const heldMs = outcome.isDelivered ? undefined : holdMs(outcome.retryAfterMs);
  await transaction(ctx.pool, async (tx) => {
    if (!(await settleDelivery(tx, claimed, result))) return;
    await recordLast(tx, claimed.channel_id, result, heldMs);
    if (claimed.is_test) await notifyRequest(tx, claimed.id);
    if (!outcome.isDelivered) await wakeChannel(tx, ctx.queue, claimed.channel_id);
  });
}

export function resultOf({ attempts, age_ms: ageMs, is_test: isTest }: Claimed, outcome: Outcome): Result {
  if (outcome.isDelivered) return { status: "delivered", answer: outcome.answer };
  const { error, isPermanent, retryAfterMs } = outcome;
  const delayMs = isPermanent || isTest ? undefined : retryDelayMs({ attempts, ageMs, retryAfterMs });
  return delayMs === undefined ? { status: "failed", error } : { status: "queued", error, delayMs };
}
