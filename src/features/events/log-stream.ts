import { setImmediate as nextTurn } from "node:timers/promises";
import type { Static } from "typebox";
import type { Context } from "../../context.ts";
import { isOutage } from "../../db/outage.ts";
import type { LogPlace } from "../../engine/runs/log.ts";
import type { RunStep } from "../../engine/runs/queries.ts";
import type { LogStreamQuery } from "../../http/logs.ts";
import { type RequestContext, StreamAnswer } from "../../http/route.ts";
import { watchAccess } from "../accounts/watch.ts";
import { type Crowd, type Feed, feedOf } from "./feed.ts";
import { FeedStream, type FeedStreamOptions } from "./feed-stream.ts";
import { batchMs, FollowedLog, type LogState, type ShownState } from "./followed-log.ts";
import type { EventRow } from "./schema.ts";

// The log of work on a server, as it is printed: what is stored first, at the pace of the client, and then what is new.

/** A record whose log can be followed. */
export interface LoggedRecord {
  /** Distinguishes it from all others. */
  key: string;
  /** Read for all who follow the log; undefined when it was deleted. */
  look: () => Promise<LogState | undefined>;
  /** Whether the caller reaches it. */
  isReached: () => Promise<boolean>;
  /** What an event means for it: it or its log has changed, or who reaches it has. */
  effectOf: (event: EventRow) => "change" | "reach" | undefined;
}

/** What an event means for a record that is reached with its project. */
export const effectOnProject = ({ name, project_id }: EventRow, projectId: number): "reach" | undefined =>
  name === "server.transferred" || (project_id === projectId && name.startsWith("project.")) ? "reach" : undefined;

/** A step of a run as its stream shows it. */
export const shownStep = ({ run_id: _run, position: _position, exit_code: _code, ...step }: RunStep) => step;

type Start = Static<typeof LogStreamQuery>;

/** Streams the log of a record that the caller reaches. */
export async function streamLog(ctx: RequestContext, record: LoggedRecord, query: Start): Promise<StreamAnswer> {
  const { actor, log, pool } = ctx;
  const lastId = ctx.headers["last-event-id"];
  // An offset that is none is ignored.
  const start = /^\d{1,15}$/.test(String(lastId)) ? { after: Number(lastId) + 1 } : query;
  const [feed, isAuthorized] = await Promise.all([feedOf(ctx), watchAccess(ctx)]);
  const options = { actor, log, feed, isAuthorized: async () => (await isAuthorized()) && (await record.isReached()) };
  const stream = new LogStream({ ...options, pool, record });
  try {
    await stream.open(start);
  } catch (error) {
    stream.destroy();
    throw error;
  }
  return new StreamAnswer("text/event-stream; charset=utf-8", stream);
}

/** More than a wall of screens shows. */
const logStreams: Crowd = { name: "log streams", most: 250 };

/** Beats without a read after which a client is too slow. */
const mostMissed = 2;

interface LogStreamOptions extends FeedStreamOptions {
  pool: Context["pool"];
  record: LoggedRecord;
}

/** One client. It holds a batch at most, and asks for the next one when the client has taken that. */
export class LogStream extends FeedStream {
  readonly crowd = logStreams;
  private readonly record: LoggedRecord;
  private readonly followed: FollowedLog;
  private place: LogPlace = { offset: 0, line: 0 };
  private shownStatus = "";
  private shownSteps: readonly string[] = [];
  private hasRoom = true;
  /** Also until it is open: before, its place is not known. */
  private isAdvancing = true;
  /** Whether there may be something new since it last looked. */
  private hasNews = false;
  private sentAt = Number.NEGATIVE_INFINITY;
  private missedBeats = 0;

  constructor({ pool, record, ...options }: LogStreamOptions) {
    // Nothing is read ahead.
    super(options, 0);
    this.record = record;
    this.followed = followedLog(options.feed, pool, record);
    this.followed.join(this);
  }

  async open(start: Start): Promise<void> {
    await this.feed.join(this);
    this.place = await this.followed.moment.place(start);
    this.isAdvancing = false;
    this.push("retry: 2000\n\n");
  }

  onEvent(event: EventRow): void {
    const effect = this.record.effectOf(event);
    if (effect === "reach") this.recheck();
    if (effect !== undefined) this.followed.lookAgain();
  }

  onLoss(): void {
    this.followed.lookAgain();
  }

  beat(): void {
    if (!this.hasRoom) this.missedBeats++;
    else if (this.maySend) this.push(": still here\n\n");
    if (this.missedBeats > mostMissed) this.cut();
    // In case the database did not answer.
    if (this.hasNews) void this.advance();
    void this.checkAccess();
  }

  override _read(): void {
    this.hasRoom = true;
    this.missedBeats = 0;
    this.advance();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    leaveLog(this.feed, this.record, this.followed, this);
    super._destroy(error, callback);
  }

  /** Sends what is new, until the client's buffer is full. */
  advance(): void {
    this.hasNews = true;
    if (!this.isAdvancing) void this.sendNews();
  }

  private async sendNews(): Promise<void> {
    this.isAdvancing = true;
    try {
      while (this.hasNews && this.hasRoom && this.maySend) {
        this.hasNews = false;
        await this.sendNext();
        // The system takes megabytes for a client at once: others, and requests, have their turn in between.
        await nextTurn();
      }
    } catch (error) {
      // An outage of the database ends no stream: the next beat tries again.
      this.hasNews = true;
      if (!isOutage(error)) this.destroy(error as Error);
    } finally {
      this.isAdvancing = false;
    }
  }

  private async sendNext(): Promise<void> {
    const { moment } = this.followed;
    const state = await moment.state();
    if (!state) return this.finish();
    const batch = await moment.batch(state, this.place);
    if (!this.maySend) {
      this.hasNews = true;
      return;
    }
    // Little that is new waits for more.
    if (!batch.isEmpty && !batch.isFull && performance.now() < this.sentAt + batchMs) return this.followed.lookAgain();
    this.show(state);
    if (batch.isEmpty && state.hasEnded) return this.conclude(`event: end\ndata: ${state.shownStatus}\n\n`);
    if (batch.isEmpty) return;
    this.place = batch.next;
    this.sentAt = performance.now();
    this.send(batch.bytes);
    this.hasNews = true;
  }

  /** Sends what has changed of the record. */
  private show({ shownStatus, shownSteps }: ShownState): void {
    const before = this.shownSteps;
    const steps = shownSteps.filter((step, index) => step !== "" && step !== before[index]);
    const status = shownStatus === this.shownStatus ? "" : `event: status\ndata: ${shownStatus}\n\n`;
    this.shownStatus = shownStatus;
    this.shownSteps = shownSteps;
    this.send(status + steps.map((step) => `event: step\ndata: ${step}\n\n`).join(""));
  }

  private send(content: string | Buffer): void {
    // A client that does not keep up pauses the stream while it takes this.
    if (content.length > 0) this.hasRoom = this.push(content) && this.readableFlowing !== false;
  }

  private cut(): void {
    this.conclude(`event: cut\ndata: ${JSON.stringify({ after: this.place.offset })}\n\n`);
  }

  private conclude(last: string): void {
    if (!this.maySend) return;
    this.push(last);
    this.finish();
  }
}

const logsOf = new WeakMap<Feed, Map<string, FollowedLog>>();

function followedLog(feed: Feed, pool: Context["pool"], { key, look }: LoggedRecord): FollowedLog {
  const logs = logsOf.get(feed) ?? new Map<string, FollowedLog>();
  logsOf.set(feed, logs);
  const followed = logs.get(key) ?? new FollowedLog(pool, look);
  logs.set(key, followed);
  return followed;
}

function leaveLog(feed: Feed, { key }: LoggedRecord, followed: FollowedLog, stream: LogStream): void {
  if (followed.leave(stream)) logsOf.get(feed)?.delete(key);
}
