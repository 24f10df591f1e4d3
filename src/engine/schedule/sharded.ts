import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { messageOf } from "../../lib/errors.ts";
import type { Logger } from "../../lib/log.ts";
import {
  claimShards,
  countMembers,
  deleteMember,
  insertShards,
  leaseSeconds,
  releaseShard,
  renewShards,
} from "./queries.ts";
import type { Runner, Sharded } from "./schedule.ts";
import { Ticker } from "./ticker.ts";

interface Held {
  release: AbortController;
  /** Resolves when the work on the shard has ended. */
  ended: Promise<void>;
}

const renewMs = 2_000;
// Before the lease ends by the database's clock, so that two processes never hold one shard.
const localLeaseMs = leaseSeconds * 800;

/** Holds this process's share of the shards: as many as every other process. */
export class ShardedRunner implements Runner {
  private readonly pool: Pool;
  private readonly log: Logger;
  private readonly schedule: Sharded;
  private readonly owner = randomUUID();
  private readonly held = new Map<number, Held>();
  private readonly ticker: Ticker;
  private leaseEndsAt = 0;
  private leaseTimer: NodeJS.Timeout | undefined;

  constructor({ pool, log }: { pool: Pool; log: Logger }, schedule: Sharded) {
    this.pool = pool;
    this.log = log;
    this.schedule = schedule;
    this.ticker = new Ticker({ name: schedule.name, everyMs: renewMs, log, work: () => this.balance() });
  }

  async start(): Promise<void> {
    await insertShards(this.pool, this.schedule.name, this.schedule.shards);
    this.ticker.start();
  }

  async stop(): Promise<void> {
    await this.ticker.stop();
    clearTimeout(this.leaseTimer);
    await Promise.all([...this.held.keys()].map((shard) => this.release(shard)));
    await deleteMember(this.pool, this.schedule.name, this.owner).catch(() => undefined);
  }

  private async balance(): Promise<void> {
    const { name, shards } = this.schedule;
    const members = await countMembers(this.pool, name, this.owner);
    // Read before the statement runs: this process's lease ends no later than the database's.
    const renewedAt = performance.now();
    const own = new Set(await renewShards(this.pool, name, this.owner));
    this.renewed(renewedAt);
    for (const shard of this.held.keys()) if (!own.has(shard)) await this.endWork(shard);
    // Resumes shards whose work stopped because the lease was renewed late: this process still holds them.
    for (const shard of own) this.begin(shard);
    const fair = Math.ceil(shards / members);
    for (const shard of [...this.held.keys()].slice(fair)) await this.release(shard);
    if (this.held.size >= fair) return;
    for (const shard of await claimShards(this.pool, name, this.owner, fair - this.held.size)) this.begin(shard);
  }

  // A process that cannot reach the database ends its work before another process starts it.
  private renewed(at: number): void {
    clearTimeout(this.leaseTimer);
    this.leaseEndsAt = at + localLeaseMs;
    this.leaseTimer = setTimeout(() => {
      for (const shard of this.held.keys()) void this.endWork(shard);
    }, this.leaseEndsAt - performance.now());
    this.leaseTimer.unref();
  }

  private begin(shard: number): void {
    // After an answer that took longer than a lease, another process may hold the shard.
    if (this.held.has(shard) || performance.now() >= this.leaseEndsAt) return;
    const release = new AbortController();
    this.held.set(shard, { release, ended: this.work(shard, release.signal) });
  }

  private async work(shard: number, signal: AbortSignal): Promise<void> {
    const { name, hold } = this.schedule;
    try {
      await hold(shard, signal);
    } catch (error) {
      if (!signal.aborted) this.log.warn({ err: error }, `Shard ${shard} of ${name} failed: ${messageOf(error)}`);
    }
    // The work ended without being asked to: the shard is released, and some process claims it again at the next check.
    if (signal.aborted) return;
    this.held.delete(shard);
    await releaseShard(this.pool, name, this.owner, shard).catch(() => undefined);
  }

  private async release(shard: number): Promise<void> {
    await this.endWork(shard);
    await releaseShard(this.pool, this.schedule.name, this.owner, shard).catch((error: unknown) => {
      this.log.debug(`Shard ${shard} of ${this.schedule.name} was not given back: ${messageOf(error)}`);
    });
  }

  private async endWork(shard: number): Promise<void> {
    const held = this.held.get(shard);
    held?.release.abort();
    await held?.ended;
    this.held.delete(shard);
  }
}
