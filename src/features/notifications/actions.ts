import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { insertAnnouncement, type QueuedDelivery } from "./queries.ts";
import type { Announcement } from "./schema.ts";

/** The queue whose jobs send the due deliveries of a channel. */
export const deliveryQueue = "deliver-notifications";

/**
 * Notifies the organization's channels, in the caller's transaction: it is sent if and only if that commits. To be called once
 * for what happened once, beside the compare-and-set that made it happen.
 */
export async function announce(tx: Db, { queue }: Pick<Context, "queue">, announcement: Announcement): Promise<void> {
  for (const delivery of await insertAnnouncement(tx, shortened(announcement))) await wake(tx, queue, delivery);
}

/**
 * Has a delivery made after the caller's transaction. One job for each: a job that is shared by what happens at the same time
 * would make those transactions wait for each other, and could be worked on before the second of them is committed.
 */
export const wake = (tx: Db, queue: Context["queue"], { id, channel_id: channelId }: QueuedDelivery): Promise<void> =>
  queue.enqueue(tx, deliveryQueue, { channelId }, { key: `delivery ${id}` });

const maxTitle = 200;
const maxText = 4_000;

/** No message is refused for its length; the whole story is in the record that it is about. */
const shortened = (announcement: Announcement): Announcement => ({
  ...announcement,
  title: cut(announcement.title.replace(/\s+/g, " ").trim(), maxTitle),
  text: cut(announcement.text.trim(), maxText),
});

/** By characters as people count them, so that none is cut in half. */
function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}
