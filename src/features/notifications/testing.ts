import { setTimeout as pause } from "node:timers/promises";
import { transaction } from "../../db/transaction.ts";
import type { RequestContext } from "../../http/route.ts";
import { AppError } from "../../lib/errors.ts";
import { wake } from "./actions.ts";
import { testsChannel } from "./delivery/queries.ts";
import { meansOf } from "./means.ts";
import { findDelivery, insertTest } from "./queries.ts";
import { type ChannelRow, type DeliveryRow, testTopic } from "./schema.ts";

// A notification tells when to look; this is how long a lost one costs.
const lookMs = 1_000;
const longestWaitMs = 15_000;

/**
 * Sends a message to a channel, by the way of all others, and waits for what the other side says. A channel that is switched
 * off can be tried as well, before it is switched on. A delivery that is still queued took too long to wait for.
 */
export async function sendTest(ctx: RequestContext, channel: ChannelRow): Promise<DeliveryRow> {
  if (channel.type === "email" && !meansOf(ctx.config, ctx.signal).mail) {
    throw new AppError("refused", "This installation cannot send mail: its operator has not set LONGSHORE_SMTP_URL.");
  }
  const id = await transaction(ctx.pool, async (tx) => {
    const delivery = await insertTest(tx, channel.id, testOf(ctx, channel));
    await wake(tx, ctx.queue, delivery);
    return delivery.id;
  });
  const delivery = await awaitDelivery(ctx, id);
  if (delivery.status === "failed")
    throw new AppError("refused", `The test message was not delivered. ${delivery.error}`);
  return delivery;
}

const testOf = ({ actor }: RequestContext, { name }: ChannelRow) => ({
  organizationId: actor.organizationId,
  topic: testTopic,
  title: `Test of the notification channel ${name}`,
  text: `${actor.userName} tries whether messages of ${actor.organizationName} arrive here. They do.`,
});

async function awaitDelivery(ctx: RequestContext, id: number): Promise<DeliveryRow> {
  const deadline = performance.now() + Math.min(longestWaitMs, ctx.config.answerWithinSeconds * 1_000);
  let bell = new AbortController();
  const ring = (payload: string) => (payload === "" || payload === String(id) ? bell.abort() : undefined);
  const forget = await ctx.listener.listen(testsChannel, ring);
  try {
    for (;;) {
      // Before the look: what happens after it rings the new bell.
      bell = new AbortController();
      const delivery = await findDelivery(ctx.pool, id);
      if (!delivery) throw new AppError("refused", "The channel was deleted while it was tried.");
      const left = deadline - performance.now();
      if (delivery.status !== "queued" || left <= 0 || ctx.signal.aborted) return delivery;
      const wakeUp = AbortSignal.any([bell.signal, ctx.signal]);
      await pause(Math.min(left, lookMs), undefined, { signal: wakeUp }).catch(() => undefined);
    }
  } finally {
    forget();
  }
}
