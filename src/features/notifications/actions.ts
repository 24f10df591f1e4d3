import type { Context, WithQueue } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { insertAnnouncement, type QueuedDelivery } from "./queries.ts";
import type { Announcement } from "./schema.ts";

/** The queue whose jobs send the due deliveries of a channel. */
export const deliveryQueue = "deliver-notifications";

/**
 * Notifies the organization's channels, in the caller's transaction: sent if and only if that commits. Call it once per event,
 * beside the compare-and-set that caused the event.
 */
export async function announce(tx: Db, { queue }: WithQueue, announcement: Announcement): Promise<void> {
  // No message is rejected for its length; its record has the full details.
  const title = cut(announcement.title.replace(/\s+/g, " ").trim(), maxTitle);
  const text = cut(announcement.text.trim(), maxText);
  const deliveries = await insertAnnouncement(tx, { ...announcement, title, text });
  for (const delivery of deliveries) await wake(tx, queue, delivery);
}

/**
 * Queues a delivery for after the caller's transaction. One job each: concurrent transactions with a shared job would wait for
 * each other, and a worker could take it before the second of them is committed.
 */
export const wake = (tx: Db, queue: Context["queue"], { id, channel_id: channelId }: QueuedDelivery): Promise<void> =>
  queue.enqueue(tx, deliveryQueue, { channelId }, { key: `delivery ${id}` });

/** Queues the due deliveries of a channel; at most one such job waits for each channel. */
export const wakeChannel = (tx: Db, queue: Context["queue"], channelId: number): Promise<void> =>
  queue.enqueue(tx, deliveryQueue, { channelId }, { key: `channel ${channelId}` });

const maxTitle = 200;
const maxText = 4_000;

/** By grapheme clusters, so that no visible character is cut in half. */
function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}
