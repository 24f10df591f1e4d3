import { setMaxListeners } from "node:events";
import type { Pool } from "../../../db/pool.ts";
import { transaction } from "../../../db/transaction.ts";
import type { Clock } from "../../../lib/clock.ts";
import { listUnobserved } from "../unobserved/queries.ts";
import type { DueQueue } from "./due.ts";
import { type CheckedMonitor, closeGaps, listChecked, listCheckedOfShards, shardCount } from "./queries.ts";
import type { Reaches } from "./reach.ts";
import { firstDue, intervalMsOf } from "./slots.ts";

/** A monitor that this process checks. */
export interface Watch {
  monitor: CheckedMonitor;
  dueAt: number;
  isRunning: boolean;
  /** Since the last check that passed. */
  failures: number;
  firstFailureAt: number;
  /** Why results do not count at the moment. */
  unobservedReason: string | undefined;
  /** The last known network of its address. */
  network: string | undefined;
  /** This process no longer checks it. */
  isDropped: boolean;
  /** Aborted when this process releases its shard. */
  readonly signal: AbortSignal;
}

interface WatchesDeps {
  pool: Pool;
  clock: Clock;
  due: DueQueue<Watch>;
  reaches: Reaches;
}

/** The monitors of the shards that this process holds, each planned when it is added, and when its interval or settings change. */
export class Watches implements Iterable<Watch> {
  private readonly deps: WatchesDeps;
  private readonly watches = new Map<number, Watch>();
  private readonly shards = new Map<number, AbortController>();

  constructor(deps: WatchesDeps) {
    this.deps = deps;
  }

  get size(): number {
    return this.watches.size;
  }

  [Symbol.iterator](): Iterator<Watch> {
    return this.watches.values();
  }

  /** Records the time without checks before as unobserved. */
  async addShard(shard: number): Promise<void> {
    const { pool, clock, reaches } = this.deps;
    const now = clock.now();
    const stopping = new AbortController();
    setMaxListeners(0, stopping.signal);
    // From now on changes are read, including those after the list below was read.
    this.shards.set(shard, stopping);
    await transaction(pool, (tx) => closeGaps(tx, shard, now));
    const monitors = await listCheckedOfShards(pool, [shard]);
    await reaches.load(monitors);
    for (const monitor of monitors) if (!this.watches.has(monitor.id)) this.add(monitor, stopping.signal);
  }

  /** Returns how many shards are left. */
  dropShard(shard: number): number {
    this.shards.get(shard)?.abort();
    this.shards.delete(shard);
    for (const watch of this) if (watch.monitor.id % shardCount === shard) this.drop(watch);
    return this.shards.size;
  }

  /** Reads all monitors of the held shards again, or those of the ids. */
  async reload(ids?: readonly number[]): Promise<void> {
    const held = (ids ?? []).filter((id) => this.shards.has(id % shardCount));
    if (ids && held.length === 0) return;
    // Before the list is read: a shard that is added in between is not in it.
    const watched = ids ? held : [...this.watches.keys()];
    const { pool, reaches } = this.deps;
    const monitors = ids ? await listChecked(pool, held) : await listCheckedOfShards(pool, [...this.shards.keys()]);
    await reaches.load(monitors);
    const found = new Set(monitors.map(({ id }) => id));
    for (const id of watched) {
      const watch = this.watches.get(id);
      if (watch && !found.has(id)) this.drop(watch);
    }
    for (const monitor of monitors) {
      const watch = this.watches.get(monitor.id);
      const shard = this.shards.get(monitor.id % shardCount);
      if (watch) this.update(watch, monitor);
      else if (shard) this.add(monitor, shard.signal);
    }
  }

  /** Reads the monitor of a watch that turned out to be outdated; its failures are counted from zero. */
  async readAgain(watch: Watch): Promise<void> {
    const [monitor] = await listChecked(this.deps.pool, [watch.monitor.id]);
    if (monitor) watch.monitor = monitor;
    else this.drop(watch);
    watch.failures = 0;
  }

  /** Reads which monitors are unobserved at the moment. */
  async refreshUnobserved(): Promise<void> {
    const { pool, clock } = this.deps;
    const unobserved = await listUnobserved(pool, [...this.watches.keys()], clock.now());
    const reasons = new Map(unobserved.map(({ id, reason }) => [id, reason]));
    for (const watch of this) watch.unobservedReason = reasons.get(watch.monitor.id);
  }

  private add(monitor: CheckedMonitor, signal: AbortSignal): void {
    const watch: Watch = {
      monitor,
      dueAt: 0,
      isRunning: false,
      failures: 0,
      firstFailureAt: 0,
      unobservedReason: undefined,
      network: undefined,
      isDropped: false,
      signal,
    };
    this.watches.set(monitor.id, watch);
    this.plan(watch);
  }

  private update(watch: Watch, monitor: CheckedMonitor): void {
    const { clock, due } = this.deps;
    const before = watch.monitor;
    // This list was read before a newer one, and took longer.
    if (monitor.revision < before.revision) return;
    // A verdict of this process may have changed the monitor after it was read.
    if (watch.isRunning && before.revision === monitor.revision) return;
    watch.monitor = monitor;
    if (before.revision !== monitor.revision) {
      watch.failures = 0;
      due.plan(watch, clock.now().getTime());
    } else if (intervalMsOf(before) !== intervalMsOf(monitor)) {
      this.plan(watch);
    }
  }

  private plan(watch: Watch): void {
    const { clock, due } = this.deps;
    due.plan(watch, firstDue(watch.monitor, clock.now().getTime()));
  }

  private drop(watch: Watch): void {
    watch.isDropped = true;
    this.watches.delete(watch.monitor.id);
    this.deps.due.remove(watch);
  }
}
