import type { Context } from "../../context.ts";
import { eventsChannel } from "../../engine/events.ts";
import { messageOf } from "../../lib/errors.ts";
import { findEnds, listEvents } from "./queries.ts";
import type { EventRow } from "./schema.ts";

/** Whoever hears of an organization's events. */
export interface Hearer {
  readonly organizationId: number;
  /** Called for each event after the hearer joined, in order, and again for some that it knows already. */
  hear(event: EventRow): void;
  /** Called in the silence between, every `beatMs`. */
  beat(): void;
}

export const beatMs = 15_000;
const pageSize = 500;

/**
 * What happens in this installation, read once for all that hear of it in this process: one LISTEN and one query for a
 * burst of events, however many streams there are.
 */
export class Feed {
  private readonly ctx: Pick<Context, "pool" | "log">;
  private readonly hearers = new Map<number, Set<Hearer>>();
  private position = 0;
  private reading = false;
  private again = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(ctx: Pick<Context, "pool" | "log">) {
    this.ctx = ctx;
  }

  /** Returns where the events begin that the hearer is told of, unless it reads on from somewhere else itself. */
  async join(hearer: Hearer): Promise<{ oldest: number; newest: number }> {
    const ends = await findEnds(this.ctx.pool);
    if (this.hearers.size === 0) this.position = ends.newest;
    const { organizationId } = hearer;
    this.hearers.set(organizationId, (this.hearers.get(organizationId) ?? new Set()).add(hearer));
    this.timer ??= setInterval(() => this.beat(), beatMs).unref();
    return ends;
  }

  leave(hearer: Hearer): void {
    const ofOrganization = this.hearers.get(hearer.organizationId);
    if (!ofOrganization?.delete(hearer) || ofOrganization.size > 0) return;
    this.hearers.delete(hearer.organizationId);
    if (this.hearers.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Something happened: reads what, and tells it. What happens meanwhile is read right after. */
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
      // Nothing is lost: the next event or beat reads on from the same position.
      this.ctx.log.warn(`Events cannot be read: ${messageOf(error)}`);
    } finally {
      this.reading = false;
    }
  }

  private async readOn(): Promise<void> {
    if (this.hearers.size === 0) return;
    const events = await listEvents(this.ctx.pool, [...this.hearers.keys()], this.position, pageSize);
    for (const event of events) {
      for (const hearer of this.hearers.get(event.organization_id) ?? []) hearer.hear(event);
    }
    this.position = events.at(-1)?.position ?? this.position;
    if (events.length === pageSize) this.again = true;
  }

  private beat(): void {
    for (const ofOrganization of this.hearers.values()) for (const hearer of ofOrganization) hearer.beat();
    // In case a notification was lost.
    void this.wake();
  }
}

const feeds = new WeakMap<Context["listener"], Promise<Feed>>();

/** The feed of this process, opened when somebody first wants to hear. */
export function feedOf(ctx: Pick<Context, "pool" | "log" | "listener">): Promise<Feed> {
  const known = feeds.get(ctx.listener);
  if (known) return known;
  const opening = openFeed(ctx);
  feeds.set(ctx.listener, opening);
  opening.catch(() => feeds.delete(ctx.listener));
  return opening;
}

async function openFeed(ctx: Pick<Context, "pool" | "log" | "listener">): Promise<Feed> {
  const feed = new Feed(ctx);
  await ctx.listener.listen(eventsChannel, () => void feed.wake());
  return feed;
}
