import { AppError } from "../../../lib/errors.ts";

export interface GroupLimits {
  /** A group is written this long after its first entry arrived, or as soon as it is full. */
  waitMs: number;
  groupSize: number;
  /** Groups that are written at the same time. */
  writers: number;
  /** Entries and bytes that may wait or be under way; more are refused. */
  entries: number;
  bytes: number;
}

interface Waiting<Entry> {
  entry: Entry;
  bytes: number;
  since: number;
  resolve: (isKnown: boolean) => void;
  reject: (error: unknown) => void;
}

/**
 * Writes single entries in groups, a few groups at a time. `write` stores a group and returns for each entry whether it is known;
 * it commits before it resolves. If a group cannot be written, each of its entries is written alone, so that an entry that the
 * database rejects does not block the others.
 */
export class GroupedWrites<Entry> {
  private readonly write: (entries: readonly Entry[]) => Promise<readonly boolean[]>;
  private readonly limits: GroupLimits;
  private readonly waiting: Waiting<Entry>[] = [];
  private entries = 0;
  private bytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly writing = new Set<Promise<void>>();

  constructor(write: (entries: readonly Entry[]) => Promise<readonly boolean[]>, limits: GroupLimits) {
    this.write = write;
    this.limits = limits;
  }

  /** Resolves once the entry is committed, with whether it is known. Throws `unavailable` when too many wait. */
  add(entry: Entry, bytes: number): Promise<boolean> {
    if (this.entries >= this.limits.entries || this.bytes + bytes > this.limits.bytes) {
      throw new AppError("unavailable", "Too many reports are arriving. Try again in a moment.", {
        headers: { "Retry-After": "1" },
      });
    }
    this.entries++;
    this.bytes += bytes;
    return new Promise((resolve, reject) => {
      this.waiting.push({ entry, bytes, since: performance.now(), resolve, reject });
      this.schedule();
    });
  }

  /** Writes all waiting entries. */
  async close(): Promise<void> {
    while (this.waiting.length > 0 || this.writing.size > 0) {
      this.begin();
      await Promise.race(this.writing);
    }
  }

  private schedule(): void {
    if (this.writing.size >= this.limits.writers) return;
    const [first] = this.waiting;
    // Entries that arrived while the last group was written have waited already.
    const leftMs = first === undefined ? 0 : first.since + this.limits.waitMs - performance.now();
    if (this.waiting.length >= this.limits.groupSize || leftMs <= 0) this.begin();
    else this.timer ??= setTimeout(() => this.begin(), leftMs);
  }

  private begin(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.writing.size >= this.limits.writers || this.waiting.length === 0) return;
    const group = this.waiting.splice(0, this.limits.groupSize);
    const writing = this.writeGroup(group).finally(() => {
      this.writing.delete(writing);
      if (this.waiting.length > 0) this.schedule();
    });
    this.writing.add(writing);
  }

  private async writeGroup(group: readonly Waiting<Entry>[]): Promise<void> {
    try {
      this.answer(group, await this.write(group.map(({ entry }) => entry)));
    } catch (error) {
      // The database rejected the entries, rather than being unavailable.
      const isRefusal = /^2[23]/.test(String((error as { code?: unknown })?.code ?? ""));
      if (group.length === 1 || !isRefusal) return this.fail(group, error);
      for (const each of group) await this.writeGroup([each]);
    }
  }

  private answer(group: readonly Waiting<Entry>[], known: readonly boolean[]): void {
    this.release(group);
    for (const [at, { resolve }] of group.entries()) resolve(known[at] ?? false);
  }

  private fail(group: readonly Waiting<Entry>[], cause: unknown): void {
    this.release(group);
    const error = new AppError("unavailable", "The report could not be stored. Try again in a moment.", {
      cause,
      headers: { "Retry-After": "5" },
    });
    for (const { reject } of group) reject(error);
  }

  private release(group: readonly Waiting<Entry>[]): void {
    this.entries -= group.length;
    for (const { bytes } of group) this.bytes -= bytes;
  }
}
