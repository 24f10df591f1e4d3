import { Readable } from "node:stream";
import { messageOf } from "../../lib/errors.ts";
import type { Logger } from "../../lib/log.ts";
import type { Actor } from "../accounts/reach.ts";
import type { Crowd, Feed, Subscriber } from "./feed.ts";
import type { EventRow } from "./schema.ts";

export interface FeedStreamOptions {
  actor: Actor;
  log: Logger;
  feed: Feed;
  /** Whether the actor still has access; checked at each beat, and when the user's access was reduced. */
  isAuthorized: () => Promise<boolean>;
}

/** How much waits for a client; more is read when it has taken this. */
export const bufferBytes = 64 * 1024;
const longestRestMs = 60_000;

/** An endless answer that follows the feed and ends when its actor loses access. */
export abstract class FeedStream extends Readable implements Subscriber {
  abstract readonly crowd: Crowd;
  readonly organizationId: number;
  readonly userId: number;
  protected readonly feed: Feed;
  private readonly isAuthorized: FeedStreamOptions["isAuthorized"];
  private readonly log: Logger;
  /** Checks of the actor's access that are under way. Nothing is sent until they end. */
  private inDoubt = 0;
  protected isOver = false;

  constructor({ actor, log, feed, isAuthorized }: FeedStreamOptions, highWaterMark = bufferBytes) {
    super({ highWaterMark });
    this.organizationId = actor.organizationId;
    this.userId = actor.userId;
    this.feed = feed;
    this.isAuthorized = isAuthorized;
    this.log = log;
  }

  abstract onEvent(event: EventRow): void;
  abstract onLoss(newest: number): void;
  abstract beat(position: number): void;

  recheck(): void {
    this.inDoubt++;
    void this.checkAccess().finally(() => {
      this.inDoubt--;
      this._read(bufferBytes);
    });
  }

  protected async checkAccess(): Promise<void> {
    try {
      if (!(await this.isAuthorized())) this.finish();
    } catch (error) {
      // An outage of the database proves nothing about the actor.
      this.log.warn(`A listener cannot be checked: ${messageOf(error)}`);
    }
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.feed.leave(this);
    callback(error);
  }

  /** Nothing follows. */
  protected finish(): void {
    if (this.isOver || this.destroyed) return;
    this.isOver = true;
    this.feed.leave(this);
    this.push(null);
    // A client that does not read the rest keeps it no longer.
    const deadline = setTimeout(() => this.destroy(), longestRestMs).unref();
    this.once("close", () => clearTimeout(deadline));
  }

  protected get maySend(): boolean {
    return this.inDoubt === 0 && !this.isOver && !this.destroyed;
  }
}
