import { changed, type Db, row, rows, sql } from "../../../db/sql.ts";
import type { ChannelType } from "../../../providers/notify/kinds.ts";

// Queries of workers about deliveries: without an actor, never for a request.

/** The PostgreSQL channel that notifies callers waiting for a test of its end. The payload is the delivery's id. */
export const testsChannel = "longshore_notification_tests";

/** An attempt for the worker that claimed it. */
export interface Claimed {
  id: number;
  channel_id: number;
  /** Its number. Its outcome counts only while this is the last one. */
  attempts: number;
  is_test: boolean;
  age_ms: number;
  type: ChannelType;
  target: Buffer;
  secret: Buffer | null;
  topic: string;
  title: string;
  text: string;
  data: Record<string, unknown>;
  announced_at: string;
  organization_id: number;
  organization_name: string;
}

/**
 * Claims the next due delivery of a channel; undefined if there is none, or one is under way: a channel gets deliveries one at a
 * time and in order, except that later ones do not wait for a retry. The channel's row is locked first, and read by a second
 * statement, so that each of several concurrent claims sees the result of the one before.
 */
export async function claimDelivery(tx: Db, channelId: number, claimMs: number): Promise<Claimed | undefined> {
  await tx.query(sql`select 1 from notification_channels where id = ${channelId} for no key update`);
  return row<Claimed>(
    tx,
    sql`
      with next as (
        select d.id from notification_deliveries d join notification_channels c on c.id = d.channel_id
        where d.channel_id = ${channelId} and d.status = 'queued' and d.next_attempt_at <= clock_timestamp()
          and (d.is_test or (c.is_active and (c.held_until is null or c.held_until <= clock_timestamp())))
          and not exists (
            select 1 from notification_deliveries busy
            where busy.channel_id = ${channelId} and busy.status = 'queued' and busy.claimed_until > clock_timestamp())
        order by d.is_test desc, d.id limit 1
      ), claimed as (
        update notification_deliveries d
        set attempts = attempts + 1, claimed_until = clock_timestamp() + make_interval(secs => ${claimMs / 1_000})
        from next where d.id = next.id
        returning d.*
      )
      select d.id, d.channel_id, d.attempts, d.is_test, c.type, c.target, c.secret, a.topic, a.title, a.text, a.data,
        a.created_at as announced_at, o.id as organization_id, o.name as organization_name,
        (extract(epoch from clock_timestamp() - d.created_at) * 1000)::bigint as age_ms
      from claimed d join notification_channels c on c.id = d.channel_id
        join announcements a on a.id = d.announcement_id join organizations o on o.id = c.organization_id
    `,
  );
}

/** The attempt was not made: the next one may be made at once. */
export async function returnDelivery(db: Db, { id, attempts }: Claimed): Promise<void> {
  await db.query(sql`
    update notification_deliveries set attempts = attempts - 1, claimed_until = null
    where id = ${id} and status = 'queued' and attempts = ${attempts}
  `);
}

export type Result =
  | { status: "delivered"; answer: string }
  | { status: "failed"; error: string }
  | { status: "queued"; error: string; delayMs: number };

/** Compare-and-set: false if the delivery has ended, or another worker has claimed it. */
export async function settleDelivery(tx: Db, { id, attempts }: Claimed, result: Result): Promise<boolean> {
  const delayMs = result.status === "queued" ? result.delayMs : 0;
  const query = sql`
    update notification_deliveries
    set status = ${result.status}, claimed_until = null,
      answer = ${result.status === "delivered" ? result.answer : null},
      error = ${result.status === "delivered" ? null : result.error},
      next_attempt_at = clock_timestamp() + make_interval(secs => ${delayMs / 1_000}),
      ended_at = case when ${result.status} = 'queued' then null else clock_timestamp() end
    where id = ${id} and status = 'queued' and attempts = ${attempts}
  `;
  return (await changed(tx, query)) === 1;
}

/** Records the last delivery for its channel. */
export async function recordLast(tx: Db, channelId: number, result: Result, heldMs: number | undefined): Promise<void> {
  const error = result.status === "delivered" ? null : result.error;
  await tx.query(sql`
    update notification_channels
    set last_delivery_status = ${result.status}, last_delivery_error = ${error}, last_delivery_at = clock_timestamp(),
      held_until = case when ${heldMs ?? null}::double precision is null then held_until
        else clock_timestamp() + make_interval(secs => ${heldMs ?? 0} / 1000.0) end
    where id = ${channelId}
  `);
}

export const notifyRequest = async (tx: Db, id: number): Promise<void> => {
  await tx.query(sql`select pg_notify(${testsChannel}, ${String(id)})`);
};

/** Channels with a due delivery and none under way: after a retry's wait, or from a worker that died. */
export const listDueChannels = (db: Db, limit: number): Promise<{ channel_id: number }[]> =>
  rows(
    db,
    sql`
      select distinct d.channel_id
      from notification_deliveries d join notification_channels c on c.id = d.channel_id
      where d.status = 'queued' and d.next_attempt_at <= clock_timestamp()
        and (d.claimed_until is null or d.claimed_until <= clock_timestamp())
        and (d.is_test or (c.is_active and (c.held_until is null or c.held_until <= clock_timestamp())))
      order by d.channel_id limit ${limit}
    `,
  );

/** Deliveries queued when a channel is switched off are not sent later; a delivery under way continues. */
export async function endQueued(tx: Db, channelId: number, error: string): Promise<void> {
  await tx.query(sql`
    update notification_deliveries set status = 'failed', error = ${error}, claimed_until = null,
      ended_at = clock_timestamp()
    where channel_id = ${channelId} and status = 'queued' and not is_test
      and (claimed_until is null or claimed_until <= clock_timestamp())
  `);
}

/** Ends deliveries that did not succeed in time. */
export const endOverdue = (db: Db, olderThanMs: number, error: string): Promise<number> =>
  changed(
    db,
    sql`
      update notification_deliveries set status = 'failed', error = coalesce(error, ${error}), claimed_until = null,
        ended_at = clock_timestamp()
      where status = 'queued' and created_at < clock_timestamp() - make_interval(secs => ${olderThanMs / 1_000})
        and (claimed_until is null or claimed_until <= clock_timestamp())
    `,
  );

/** Deletes at most `limit` old announcements with their deliveries; returns how many. */
export const deleteOldAnnouncements = (db: Db, days: number, limit: number): Promise<number> =>
  changed(
    db,
    sql`
      delete from announcements where id in (
        select id from announcements where created_at < clock_timestamp() - make_interval(days => ${days})
        order by created_at limit ${limit}
      )
    `,
  );
