import type { Pool, PoolClient } from "pg";
import { changed, type Db, row, sql } from "../db/sql.ts";
import { bookkeeping, callAfterCommit, onCommitted } from "../db/transaction.ts";
import { messageOf } from "../lib/errors.ts";
import type { Logger } from "../lib/log.ts";
import type { PeriodicTask } from "./schedule/schedule.ts";

/** The channel that notifies the processes of events with new positions. The payload is empty. */
export const eventsChannel = "longshore_events";

/** The channel that notifies them of events that triggers of the database recorded, which have no positions yet. */
export const unplacedChannel = "longshore_unplaced";

/** Something that happened to a record, sent to every actor that may read that record. */
export interface Event {
  organizationId: number;
  serverId?: number | null;
  projectId?: number | null;
  /** Past tense or `noun.updated`; `GET /events` documents them (features/events/routes.ts). */
  name: string;
  data: Record<string, unknown>;
}

/** Records an event in the caller's transaction; listeners are notified soon after the commit. */
export const emitEvent = (tx: PoolClient, event: Event): Promise<void> => emitEvents(tx, [event]);

/** Records several, in their order; listeners are notified once. */
export async function emitEvents(tx: PoolClient, events: readonly Event[]): Promise<void> {
  if (events.length === 0) return;
  callAfterCommit(tx);
  await changed(
    tx,
    sql`
      insert into events (organization_id, server_id, project_id, name, data)
      select * from unnest(
        ${events.map((event) => event.organizationId)}::bigint[], ${events.map((event) => event.serverId ?? null)}::bigint[],
        ${events.map((event) => event.projectId ?? null)}::bigint[], ${events.map((event) => event.name)}::text[],
        ${events.map((event) => JSON.stringify(event.data))}::jsonb[])
    `,
  );
}

// Positions ---------------------------------------------------------------------------------------------------------------

const placedAtOnce = 2_000;
const sweepMs = 5_000;

/**
 * Gives events their positions as soon as the transactions of this pool that recorded them are committed. Transactions that
 * commit at about the same time share one update and one notification, and none of them waits for another one.
 */
export function placeEventsOf(pool: Pool, log: Pick<Logger, "warn">): void {
  let isPlacing = false;
  let isWanted = false;
  const place = async (): Promise<void> => {
    isWanted = true;
    if (isPlacing) return;
    isPlacing = true;
    try {
      while (isWanted) {
        isWanted = false;
        await placeEvents(pool);
      }
    } catch (error) {
      // The sweep will find them.
      log.warn(`Events did not get their positions yet: ${messageOf(error)}`);
    } finally {
      isPlacing = false;
    }
  };
  Object.assign(pool, { [onCommitted]: () => void place() });
}

/** Finds events whose process ended between the commit and the assignment of positions. */
export const eventPlacement = (ctx: { pool: Pool }): PeriodicTask => ({
  name: "place-events",
  everyMs: sweepMs,
  work: () => placeEvents(ctx.pool),
});

/**
 * Gives each committed event without a position a position that is later than all readable ones. Only one transaction at a time
 * does this, so a reader that sees a position sees every event before it. An event that is committed later gets a later position,
 * regardless of when it was recorded. Of events of one transaction that say the same of a record, as the request and a trigger record
 * them, only the last stays.
 */
export async function placeEvents(pool: Pool): Promise<void> {
  let placed = placedAtOnce;
  while (placed === placedAtOnce) placed = await bookkeeping(pool, placeSome);
}

/** Gives later events positions after this one. */
export const skipPositions = (pool: Pool, upTo: number): Promise<unknown> =>
  bookkeeping(pool, async (tx) => {
    await lockPositions(tx);
    await changed(
      tx,
      sql`select setval('event_positions', ${upTo}::bigint) from event_positions where last_value < ${upTo}::bigint`,
    );
  });

const lockPositions = (tx: PoolClient): Promise<unknown> => tx.query("select pg_advisory_xact_lock(7235002)");

async function placeSome(tx: PoolClient): Promise<number> {
  // A separate statement: the next one has to see what was committed while this one waited.
  await lockPositions(tx);
  const unplaced = await row<{ count: number }>(
    tx,
    sql`
      with unplaced as materialized (
        select *, xmin::text as transaction from events where position is null order by id limit ${placedAtOnce}
      ), judged as materialized (
        select id, name like '%.updated' and lead(id) over (
          partition by transaction, organization_id, server_id, project_id, name, data order by id) is not null as is_repeated
        from unplaced
      ), dropped as (
        delete from events using judged where events.id = judged.id and is_repeated
      ), placed as (
        update events set position = own.position
        from (select id, nextval('event_positions') as position from (
          select id from judged where not is_repeated order by id) ordered) own
        where events.id = own.id
      )
      select count(*)::int as count from unplaced
    `,
  );
  const count = unplaced?.count ?? 0;
  if (count > 0) await tx.query(`notify ${eventsChannel}`);
  return count;
}

// Retention ---------------------------------------------------------------------------------------------------------------

/** Deletes up to `limit` events that are older than `days` days, oldest first; returns the number deleted. */
export const deleteOldEvents = (db: Db, days: number, limit: number): Promise<number> =>
  changed(
    db,
    sql`
      delete from events where id = any(array(
        select id from events where created_at < clock_timestamp() - make_interval(days => ${days})
        order by created_at limit ${limit}))
    `,
  );
