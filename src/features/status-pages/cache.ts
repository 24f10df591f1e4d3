/** How old a value may be. */
export interface Ages {
  /** Up to this age it is returned without a check. */
  freshMs: number;
  /** Up to this age it is returned while a newer one is read: with many callers, none waits. */
  recentMs: number;
  /** Up to this age it is returned if none can be read, or not within `waitMs`. */
  staleMs: number;
  waitMs: number;
}

interface Entry<Value> {
  value: Value;
  readAt: number;
  reading: Promise<Value> | undefined;
  /** The newer value, or this one when that takes too long; for all who wait for `reading`. */
  answer: Promise<Value> | undefined;
}

/**
 * Caches the results of `read` for at most `size` keys. Concurrent callers of a key share one read. If reading fails, the last
 * value is returned until it is too old.
 */
export class Cache<Value> {
  private readonly read: (key: string) => Promise<Value>;
  private readonly ages: Ages;
  private readonly size: number;
  private readonly entries = new Map<string, Entry<Value>>();
  private readonly first = new Map<string, Promise<Value>>();

  constructor(read: (key: string) => Promise<Value>, options: Ages & { size: number }) {
    this.read = read;
    this.ages = options;
    this.size = options.size;
  }

  /** The cached value, or a promise of a new one. */
  get(key: string): Value | Promise<Value> {
    const entry = this.entries.get(key);
    if (!entry) return this.readFirst(key);
    const age = performance.now() - entry.readAt;
    if (age <= this.ages.freshMs) return entry.value;
    const reading = this.renew(key, entry);
    if (age <= this.ages.recentMs) return entry.value;
    if (age > this.ages.staleMs) return reading;
    entry.answer ??= inTime(reading, entry.value, this.ages.waitMs);
    return entry.answer;
  }

  private readFirst(key: string): Promise<Value> {
    const known = this.first.get(key);
    if (known) return known;
    const reading = this.read(key)
      .then((value) => this.keep(key, value))
      .finally(() => this.first.delete(key));
    this.first.set(key, reading);
    return reading;
  }

  private renew(key: string, entry: Entry<Value>): Promise<Value> {
    entry.reading ??= this.read(key)
      .then((value) => this.keep(key, value))
      .finally(() => {
        entry.reading = undefined;
        entry.answer = undefined;
      });
    // A caller that got the last value waits for nothing.
    entry.reading.catch(() => {});
    return entry.reading;
  }

  private keep(key: string, value: Value): Value {
    this.entries.delete(key);
    this.entries.set(key, { value, readAt: performance.now(), reading: undefined, answer: undefined });
    if (this.entries.size > this.size) this.entries.delete(this.entries.keys().next().value as string);
    return value;
  }
}

/** What is being read, or the last value if that fails or takes longer. */
function inTime<Value>(reading: Promise<Value>, last: Value, waitMs: number): Promise<Value> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(last), waitMs);
    reading.then(resolve, () => resolve(last)).finally(() => clearTimeout(timer));
  });
}
