interface Due {
  dueAt: number;
}

const bucketMs = 100;

const bucketOf = (time: number): number => Math.floor(time / bucketMs);

/**
 * Items in the order in which they are due, to a tenth of a second. An item that is planned again is due only at the new time, and
 * takes no more room. Does not read the clock; times are in milliseconds.
 */
export class DueQueue<Item extends Due> {
  private readonly canWait: (item: Item) => boolean;
  private readonly buckets = new Map<number, Set<Item>>();
  private collected: Item[] = [];

  /** Items that can wait come after all others that were collected. */
  constructor(canWait: (item: Item) => boolean) {
    this.canWait = canWait;
  }

  plan(item: Item, dueAt: number): void {
    this.remove(item);
    item.dueAt = dueAt;
    const at = bucketOf(dueAt);
    const bucket = this.buckets.get(at) ?? new Set();
    this.buckets.set(at, bucket.add(item));
  }

  /** Forgets an item, unless it was collected. */
  remove(item: Item): void {
    const at = bucketOf(item.dueAt);
    const bucket = this.buckets.get(at);
    if (bucket?.delete(item) && bucket.size === 0) this.buckets.delete(at);
  }

  /** Makes the items due by `now` available to `next`, behind the rest of the last time. */
  collect(now: number): void {
    const last = bucketOf(now);
    // After a jump of the clock there may be more buckets in between than non-empty buckets.
    const due = [...this.buckets.keys()].filter((at) => at <= last).toSorted((a, b) => a - b);
    for (const at of due) {
      this.collected.push(...(this.buckets.get(at) ?? []));
      this.buckets.delete(at);
    }
    this.collected = this.collected.toSorted((one, other) => Number(this.canWait(one)) - Number(this.canWait(other)));
  }

  /** Takes the next collected item. One that was planned again for a past time after it was collected may come twice. */
  next(now: number): Item | undefined {
    for (;;) {
      const item = this.collected.shift();
      // An item that was since planned for a later time is also in that bucket.
      if (item === undefined || bucketOf(item.dueAt) <= bucketOf(now)) return item;
    }
  }
}
