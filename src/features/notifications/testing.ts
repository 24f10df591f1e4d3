import { transaction } from "../../db/transaction.ts";
import { awaitChange } from "../../engine/wait.ts";
import { endRehearsal } from "../../http/rehearsal.ts";
import type { RequestContext } from "../../http/route.ts";
import { wake } from "./actions.ts";
import { channelCapabilities } from "./capabilities.ts";
import { testsChannel } from "./delivery/queries.ts";
import { findDelivery, insertTest } from "./queries.ts";
import { type ChannelRow, type DeliveryRow, testTopic } from "./schema.ts";
import { sendOptions } from "./send-options.ts";

const longestWaitMs = 15_000;

/**
 * Sends a message to a channel, like all others, and waits for the receiver's response. A channel can also be tested while it is
 * switched off. A delivery that is still queued at the timeout took too long to wait for.
 */
export async function sendTest(ctx: RequestContext, channel: ChannelRow): Promise<DeliveryRow> {
  await channelCapabilities.refuse("test", channel, {
    no_mail: () => channel.type === "email" && !sendOptions(ctx.config, ctx.signal).mail,
  });
  endRehearsal();
  const id = await transaction(ctx.pool, async (tx) => {
    const delivery = await insertTest(tx, channel.id, {
      organizationId: ctx.actor.organizationId,
      topic: testTopic,
      title: `Test of the notification channel ${channel.name}`,
      text: `${ctx.actor.userName} sent this to see if messages of ${ctx.actor.organizationName} arrive here. They do.`,
    });
    await wake(tx, ctx.queue, delivery);
    return delivery.id;
  });
  const watched = {
    listener: ctx.listener,
    channel: testsChannel,
    payload: String(id),
    look: () => findDelivery(ctx.pool, id),
    isSettled: (delivery: DeliveryRow | undefined) => delivery?.status !== "queued",
  };
  const timeoutMs = Math.min(longestWaitMs, ctx.config.answerWithinSeconds * 1_000);
  const delivery = await awaitChange(watched, { timeoutMs, signal: ctx.signal });
  if (!delivery) throw channelCapabilities.refusal("test", "deleted");
  if (delivery.status === "failed") throw channelCapabilities.refusal("test", "not_delivered", delivery);
  return delivery;
}
