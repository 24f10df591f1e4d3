import type { Context } from "../../context.ts";
import { eventsChannel, placeEvents, skipPositions, unplacedChannel } from "../../engine/events.ts";
import { coalesced } from "../../lib/coalesce.ts";
import { AppError, messageOf } from "../../lib/errors.ts";
import { type Ends, findEnds, listEvents } from "./queries.ts";
import type { EventRow } from "./schema.ts";

/** Subscribers of one sort, of which an account may have so many in one process. */
export interface Crowd {
  name: string;
  most: number;
}

/** A console needs one for each of its pages. */
export const eventStreams: Crowd = { name: "event streams", most: 100 };

/** A client of an organization's events. */
export interface Subscriber {
  readonly organizationId: number;
  readonly userId: number;
  /** Undefined: there may be any number of them. */
  readonly crowd?: Crowd;
  /** Called for each event after the subscriber joined, in order; some events may be repeated. */
  onEvent(event: EventRow): void;
  /** Called when the database lost events, as in a failover: it continues after this position, which is that of its newest one. */
  onLoss(newest: number): void;
  /** Called every 15 seconds. All events up to `position` that are for the subscriber's organization were passed to it. */
  beat(position: number): void;
  /** Called when the user's access was reduced: no later event may reach a client that has lost it. */
  recheck(): void;
}

const beatMs = 15_000;
/** The subscribers are divided into turns, so that thousands of them are not checked at once. */
const turns = 30;
const pageSize = 500;

/**
 * The channel on which the database announces users whose access was reduced. An empty payload means that announcements may have
 * been missed.
 */
const accessChannel = "longshore_access";

/**
 * The events of this installation, read once for all subscribers in this process: one LISTEN and one query for a burst of events,
 * for any number of streams.
 */
export class Feed {
  private readonly ctx: Pick<Context, "pool" | "log">;
  /** Subscribers that join at the same time share the look, which waits for a lock of the whole installation. */
  private readonly findEndsNow: (lastPosition: number) => Promise<Ends>;
  private readonly subscribers = new Map<number, Set<Subscriber>>();
  private readonly turnOf = new Map<Subscriber, number>();
  private position = 0;
  /** When the event at `position` was recorded. */
  private positionAt: string | null = null;
  private reading = false;
  private again = false;
  /** Whether an organization joined while events of the others were read. */
  private hasJoined = false;
  private timer: NodeJS.Timeout | undefined;
  private turn = 0;
  private joined = 0;

  constructor(ctx: Pick<Context, "pool" | "log">) {
    this.ctx = ctx;
    const placeAll = coalesced(
      () => "",
      () => placeEvents(ctx.pool),
    );
    this.findEndsNow = coalesced(String, async (lastPosition) => {
      // The subscriber does not get events that were committed before.
      await placeAll(undefined);
      return findEnds(ctx.pool, lastPosition);
    });
  }

  /**
   * Returns the positions of the oldest kept event and the newest, and what is at the position where the subscriber was last; the
   * subscriber gets later events. Throws 429 if the user has too many of its crowd.
   */
  async join(subscriber: Subscriber, lastPosition = 0): Promise<Ends> {
    refuseCrowd(this.turnOf.keys(), subscriber);
    const ends = await this.findEndsNow(lastPosition);
    if (this.subscribers.size === 0) this.moveTo(ends);
    const { organizationId } = subscriber;
    refuseCrowd(this.turnOf.keys(), subscriber);
    if (!this.subscribers.has(organizationId)) this.hasJoined = true;
    this.subscribers.set(organizationId, (this.subscribers.get(organizationId) ?? new Set()).add(subscriber));
    this.turnOf.set(subscriber, this.joined++ % turns);
    this.timer ??= setInterval(() => this.beat(), beatMs / turns).unref();
    return ends;
  }

  leave(subscriber: Subscriber): void {
    this.turnOf.delete(subscriber);
    const ofOrganization = this.subscribers.get(subscriber.organizationId);
    if (!ofOrganization?.delete(subscriber) || ofOrganization.size > 0) return;
    this.subscribers.delete(subscriber.organizationId);
    if (this.subscribers.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Reads new events and sends them. Events that arrive in between are read right after. */
  async wake(): Promise<void> {
    this.again = true;
    if (this.reading) return;
    this.reading = true;
    try {
      while (this.again) {
        this.again = false;
        await this.readOn();
      }
    } catch (error) {
      // Nothing is lost: the next event or beat continues from the same position.
      this.ctx.log.warn(`Events cannot be read: ${messageOf(error)}`);
    } finally {
      this.reading = false;
    }
  }

  /** Gives events their positions; those that are missed are found by the periodic task. */
  async place(): Promise<void> {
    if (this.subscribers.size === 0) return;
    await placeEvents(this.ctx.pool).catch((error) =>
      this.ctx.log.warn(`Events cannot be placed: ${messageOf(error)}`),
    );
  }

  private async readOn(): Promise<void> {
    if (this.subscribers.size === 0) return;
    this.hasJoined = false;
    const ends = await findEnds(this.ctx.pool, this.position);
    // Old events were deleted, or the database has lost them all: the next one tells.
    if (ends.newest === 0) return;
    if (this.hasLost(ends)) return await this.continueAfterLoss(ends);
    const events = await listEvents(this.ctx.pool, [...this.subscribers.keys()], this.position, pageSize);
    for (const event of events) {
      for (const subscriber of this.subscribers.get(event.organization_id) ?? []) subscriber.onEvent(event);
    }
    // The events of the organization that joined are read from the same position.
    if (this.hasJoined) this.again = true;
    else if (events.length === pageSize) {
      this.moveTo({ newest: events.at(-1)?.position ?? this.position, newestAt: events.at(-1)?.created_at ?? null });
      this.again = true;
    } else this.moveTo(latest(events.at(-1), ends));
  }

  private moveTo({ newest, newestAt }: Pick<Ends, "newest" | "newestAt">): void {
    this.position = newest;
    this.positionAt = newestAt;
  }

  /** Whether the database is an older state of itself, or one that continued without the last events: it does not have ours. */
  private hasLost({ oldest, thereAt }: Ends): boolean {
    // Old events are deleted.
    if (this.positionAt === null || this.position < oldest) return false;
    return thereAt !== this.positionAt;
  }

  private async continueAfterLoss(ends: Ends): Promise<void> {
    this.ctx.log.warn(`The database lost events after ${ends.newest}, as after a failover; clients are notified`);
    // A client that comes back later must not find another event at the position that it had.
    await skipPositions(this.ctx.pool, this.position);
    this.moveTo(ends);
    for (const subscriber of this.turnOf.keys()) subscriber.onLoss(ends.newest);
    this.again = true;
  }

  /** Rechecks the access of the announced user, or of all users if none is named. */
  recheck(announced: string): void {
    for (const subscriber of this.turnOf.keys()) {
      if (announced === "" || String(subscriber.userId) === announced) subscriber.recheck();
    }
  }

  /** One of the turns of `beatMs`. */
  private beat(): void {
    this.turn = (this.turn + 1) % turns;
    for (const [subscriber, turn] of this.turnOf) if (turn === this.turn) subscriber.beat(this.position);
    // In case a notification was lost.
    if (this.turn === 0) void this.wake();
  }
}

function refuseCrowd(subscribers: Iterable<Subscriber>, { userId, crowd }: Subscriber): void {
  if (!crowd) return;
  const open = [...subscribers].filter((each) => each.userId === userId && each.crowd === crowd).length;
  if (open < crowd.most) return;
  throw new AppError("rate_limited", `Your account has ${open} ${crowd.name} open. Close some of them first.`, {
    headers: { "Retry-After": "15" },
  });
}

/** The position up to which all events are read: events may have been placed between the two queries. */
const latest = (event: EventRow | undefined, ends: Ends): Pick<Ends, "newest" | "newestAt"> =>
  event && event.position > ends.newest ? { newest: event.position, newestAt: event.created_at } : ends;

const feeds = new WeakMap<Context["listener"], Promise<Feed>>();

/** The feed of this process, opened at the first subscription. */
export function feedOf(ctx: Pick<Context, "pool" | "log" | "listener">): Promise<Feed> {
  const known = feeds.get(ctx.listener);
  if (known) return known;
  const opening = openFeed(ctx);
  feeds.set(ctx.listener, opening);
  opening.catch(() => feeds.delete(ctx.listener));
  return opening;
}

async function openFeed(ctx: Pick<Context, "pool" | "log" | "listener">): Promise<Feed> {
  // Not the context itself: that of a request would be kept with it, for as long as the process runs.
  const feed = new Feed({ pool: ctx.pool, log: ctx.log });
  await ctx.listener.listen(accessChannel, (userId) => feed.recheck(userId));
  await ctx.listener.listen(eventsChannel, () => void feed.wake());
  await ctx.listener.listen(unplacedChannel, () => void feed.place());
  return feed;
}
