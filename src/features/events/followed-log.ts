import type { Pool } from "pg";
import {
  findPlace,
  type LogPart,
  type LogPiece,
  type LogPlace,
  type LogStart,
  readPieces,
} from "../../engine/runs/log.ts";
import { limitConcurrency } from "../../lib/limit.ts";

// What all clients that follow the same log in this process share: they look at its record together, and those at the same place read
// each piece once.

/** What a record and its log are at a moment. */
export interface LogState {
  status: { status: string | number; error: string | null };
  /** In their order, as clients see them. */
  steps: readonly { status: string }[];
  parts: readonly LogPart[];
  /** Nothing will be added to the record or its log. */
  hasEnded: boolean;
}

/** A state as it is sent. */
export interface ShownState extends LogState {
  shownStatus: string;
  /** Empty for a step that has not begun. */
  shownSteps: readonly string[];
}

/** Pieces of a log as server-sent events. */
export interface Batch {
  bytes: Buffer;
  next: LogPlace;
  /** Whether the log has nothing there yet. */
  isEmpty: boolean;
  /** Whether more can be read at once. */
  isFull: boolean;
}

/** The time between two batches that are not full. */
export const batchMs = 100;
/** The time between two looks at a log that has no lines yet: people wait for the first one. */
const firstMs = 20;
const batchBytes = 64 * 1024;
const keptBytes = 8 * 2 ** 20;

// A log is read on connections that requests need.
const inTurn = limitConcurrency(4);

interface Follower {
  /** There may be something new. */
  advance(): void;
}

export class FollowedLog {
  private readonly pool: Pool;
  private readonly look: () => Promise<LogState | undefined>;
  private readonly followers = new Set<Follower>();
  /** Batches to which nothing will be added, by place. */
  private readonly full = new Map<string, Batch>();
  private timer: NodeJS.Timeout | undefined;
  private lookedAt = 0;
  private hasLines = false;
  /** The newest one. A client reads batches of the moment whose state it has, so that it misses nothing before the end. */
  moment: Moment;

  constructor(pool: Pool, look: () => Promise<LogState | undefined>) {
    this.pool = pool;
    this.look = look;
    this.moment = this.newMoment();
  }

  join(follower: Follower): void {
    this.followers.add(follower);
  }

  /** Returns whether no client is left. */
  leave(follower: Follower): boolean {
    this.followers.delete(follower);
    if (this.followers.size > 0) return false;
    clearTimeout(this.timer);
    this.timer = undefined;
    return true;
  }

  /** Looks at the log again, for all clients at once and some time after the last look. */
  lookAgain(): void {
    const inMs = Math.max(0, this.lookedAt + (this.hasLines ? batchMs : firstMs) - performance.now());
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.lookedAt = performance.now();
      this.moment = this.newMoment();
      for (const follower of this.followers) follower.advance();
    }, inMs);
  }

  private newMoment(): Moment {
    return new Moment({
      look: async () => shownState(await this.look()),
      find: (parts, start) => findPlace(this.pool, parts, start),
      read: (parts, place) => this.read(parts, place),
    });
  }

  private async read(parts: readonly LogPart[], place: LogPlace): Promise<Batch> {
    const key = keyOf(place);
    const known = this.full.get(key);
    if (known) return known;
    const batch = batchOf(await inTurn(() => readPieces(this.pool, parts, place, batchBytes)), place);
    // Also for one who has read to its end: then the place is not its beginning.
    this.hasLines ||= place.offset > 0 || !batch.isEmpty;
    if (batch.bytes.length < batchBytes) return batch;
    this.full.set(key, batch);
    kept.add(batch, () => this.full.delete(key));
    return batch;
  }
}

interface Reader {
  look: () => Promise<ShownState | undefined>;
  find: (parts: readonly LogPart[], start: LogStart) => Promise<LogPlace>;
  read: (parts: readonly LogPart[], place: LogPlace) => Promise<Batch>;
}

/** A state, and what is read of the log after it. */
class Moment {
  private readonly reader: Reader;
  private seen: Promise<ShownState | undefined> | undefined;
  private readonly places = new Map<string, Promise<LogPlace>>();
  private readonly batches = new Map<string, Promise<Batch>>();

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** Undefined when the record was deleted. */
  state(): Promise<ShownState | undefined> {
    this.seen ??= this.reader.look();
    this.seen.catch(() => {
      this.seen = undefined;
    });
    return this.seen;
  }

  /** Where a client begins. */
  async place(start: LogStart): Promise<LogPlace> {
    const { parts = [] } = (await this.state()) ?? {};
    const find = () => this.reader.find(parts, start);
    // Many begin at the same place when they lost their connections; any other one is hardly named twice.
    return shared(this.places, JSON.stringify(start), find, () => false);
  }

  batch({ parts }: ShownState, place: LogPlace): Promise<Batch> {
    // A full one may be kept for longer, and must not be kept twice.
    return shared(
      this.batches,
      keyOf(place),
      () => this.reader.read(parts, place),
      ({ isFull }) => !isFull,
    );
  }
}

/** What is under way or known under a key; a failure is not kept. */
function shared<Value>(
  known: Map<string, Promise<Value>>,
  key: string,
  begin: () => Promise<Value>,
  isKept = (_: Value): boolean => true,
): Promise<Value> {
  const before = known.get(key);
  if (before) return before;
  const begun = begin();
  known.set(key, begun);
  const forget = () => known.delete(key);
  begun.then((value) => isKept(value) || forget(), forget);
  return begun;
}

const keyOf = ({ offset, line }: LogPlace): string => `${offset} ${line}`;

function shownState(state: LogState | undefined): ShownState | undefined {
  return (
    state && {
      ...state,
      shownStatus: JSON.stringify(state.status),
      shownSteps: state.steps.map((step, index) =>
        step.status === "pending" ? "" : JSON.stringify({ index, ...step }),
      ),
    }
  );
}

function batchOf({ pieces, next }: Awaited<ReturnType<typeof readPieces>>, { offset, line }: LogPlace): Batch {
  const bytes = Buffer.from(pieces.map(eventOf).join(""));
  const isEmpty = next === offset;
  // All of it may be before the first line that counts.
  const isLeftOut = !isEmpty && pieces.length === 0;
  const place = { offset: next, line: isEmpty || isLeftOut ? line : 0 };
  return { bytes, next: place, isEmpty, isFull: isLeftOut || bytes.length >= batchBytes };
}

function eventOf({ offset, line, step, audience, text }: LogPiece): string {
  const data = JSON.stringify({ offset, first_line: line + 1, step, audience, text });
  return `id: ${offset}\nevent: log\ndata: ${data}\n\n`;
}

/** The newest full batches of all logs: clients at about the same place share them, and their memory is bounded together. */
const kept = {
  bytes: 0,
  forgetters: new Map<Batch, () => void>(),
  add(batch: Batch, forget: () => void) {
    this.bytes += batch.bytes.length;
    this.forgetters.set(batch, forget);
    for (const [oldest, forgetOldest] of this.forgetters) {
      if (this.bytes <= keptBytes) return;
      this.bytes -= oldest.bytes.length;
      this.forgetters.delete(oldest);
      forgetOldest();
    }
  },
};
