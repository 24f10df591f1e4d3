import { Readable } from "node:stream";
import type { Pool } from "pg";
import { isOutage } from "../../db/outage.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Logger } from "../../lib/log.ts";
import { type Actor, can, isWithinReach } from "../accounts/reach.ts";
import type { Feed, Subscriber } from "./feed.ts";
import { listEvents } from "./queries.ts";
import { type EventKind, type EventRow, isChosen, streamPermission } from "./schema.ts";

export interface EventStreamOptions {
  actor: Actor;
  pool: Pool;
  log: Logger;
  feed: Feed;
  /** Undefined: all. */
  kinds: readonly EventKind[] | undefined;
  /** Whether the actor still has access; checked at each beat, and when the user's access was reduced. */
  isAuthorized: () => Promise<boolean>;
}

const pageSize = 200;
const bufferBytes = 64 * 1024;
const missed = "event: events.missed\ndata: {}\n\n";

/**
 * An organization's events for one client, as server-sent events. It either keeps up with the feed, or is behind and reads from
 * the database at the client's pace: so it needs little memory, loses nothing, and does not delay others.
 */
export class EventStream extends Readable implements Subscriber {
  readonly organizationId: number;
  readonly userId: number;
  private readonly options: EventStreamOptions;
  /** All events up to here were sent, or are not for this client. */
  private position = 0;
  /** The id that the client has. */
  private sentId = 0;
  private isBehind = true;
  private isReading = false;
  /** Whether an event arrived while it was behind. */
  private hasMore = false;
  /** Checks of the actor's access that are under way. Nothing is sent until they end. */
  private inDoubt = 0;
  private isOver = false;

  constructor(options: EventStreamOptions) {
    super({ highWaterMark: bufferBytes });
    this.options = options;
    this.organizationId = options.actor.organizationId;
    this.userId = options.actor.userId;
  }

  /** Begins after the event of this position, or with the next event. */
  async open(lastPosition: number | undefined): Promise<void> {
    const { oldest, newest, thereAt } = await this.options.feed.join(this, lastPosition);
    const isKept = lastPosition === newest || thereAt !== null;
    // Otherwise it is of an event that this database has lost.
    const isKnown = lastPosition !== undefined && lastPosition <= newest && (isKept || lastPosition < oldest);
    this.position = isKnown ? lastPosition : newest;
    this.push(`retry: 2000\n${this.idLine()}\n`);
    const isGap = lastPosition !== undefined && (!isKnown || lastPosition < oldest - 1);
    // Some of the missed events are deleted: the client has to reload everything that it shows.
    if (isGap) this.push(missed);
  }

  onEvent(event: EventRow): void {
    if (this.isBehind) this.hasMore = true;
    else if (!this.send(event)) this.isBehind = true;
  }

  onLoss(newest: number): void {
    if (this.isOver || this.destroyed) return;
    this.position = Math.min(this.position, newest);
    this.push(`${this.idLine()}${missed}`);
  }

  beat(position: number): void {
    if (!this.isBehind) {
      this.position = Math.max(this.position, position);
      this.push(`${this.passedId()}: still here\n\n`);
    } else if (!this.isOver && this.readableLength < bufferBytes) this._read();
    void this.checkAccess();
  }

  /** The client resumes here. An id alone, without data, is kept by clients and calls none of their handlers. */
  private idLine(): string {
    this.sentId = this.position;
    return `id: ${this.position}\n`;
  }

  /** The id of events that were not for this client: it does not read all of them again when it comes back. */
  private passedId(): string {
    return this.position > this.sentId ? this.idLine() : "";
  }

  recheck(): void {
    // Events during the check are read from the database afterwards.
    this.isBehind = true;
    this.inDoubt++;
    void this.checkAccess().finally(() => {
      this.inDoubt--;
      this._read();
    });
  }

  private async checkAccess(): Promise<void> {
    try {
      if (!(await this.options.isAuthorized())) this.end();
    } catch (error) {
      // An outage of the database proves nothing about the actor.
      this.options.log.warn(`A listener cannot be checked: ${messageOf(error)}`);
    }
  }

  override _read(): void {
    if (this.isBehind && !this.isReading) void this.catchUp();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.options.feed.leave(this);
    callback(error);
  }

  private end(): void {
    if (this.isOver || this.destroyed) return;
    this.isOver = true;
    this.options.feed.leave(this);
    this.push(null);
  }

  // Until the client's buffer is full, or there are no more events.
  private async catchUp(): Promise<void> {
    this.isReading = true;
    try {
      while (this.isBehind && this.maySend) {
        this.hasMore = false;
        const events = await listEvents(this.options.pool, [this.organizationId], this.position, pageSize);
        if (!this.maySend || !events.every((event) => this.send(event))) return;
        const passed = this.passedId();
        if (passed !== "") this.push(`${passed}\n`);
        this.isBehind = this.hasMore || events.length === pageSize;
      }
    } catch (error) {
      // An outage of the database ends no stream: the next beat reads again.
      if (!isOutage(error)) this.destroy(error as Error);
    } finally {
      this.isReading = false;
    }
  }

  private get maySend(): boolean {
    return this.inDoubt === 0 && !this.isOver && !this.destroyed;
  }

  /** False when the client's buffer is full now: `_read` is called when there is room again. */
  private send(event: EventRow): boolean {
    const { position, name, data, server_id, project_id, created_at } = event;
    if (this.isOver || position <= this.position) return true;
    this.position = position;
    if (!this.isForClient(event)) return true;
    const shown = JSON.stringify({ ...data, server_id, project_id, created_at });
    return this.push(`${this.idLine()}event: ${name}\ndata: ${shown}\n\n`);
  }

  private isForClient({ name, data, organization_id, server_id, project_id }: EventRow): boolean {
    const { actor, kinds } = this.options;
    const permission = isChosen(kinds, name) ? streamPermission(name, data) : undefined;
    if (permission === undefined) return false;
    // It is about something of this user's alone.
    if (data.user_id !== undefined) return data.user_id === actor.userId;
    const record = { organizationId: organization_id, serverId: server_id, projectId: project_id };
    return permission !== "any" && can(actor, permission) && isWithinReach(actor, record);
  }
}
