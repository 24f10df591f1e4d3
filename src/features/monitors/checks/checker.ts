import type { Context } from "../../../context.ts";
import type { Clock } from "../../../lib/clock.ts";
import { messageOf } from "../../../lib/errors.ts";
import { type CheckResult, runCheck } from "./client.ts";
import { DueQueue } from "./due.ts";
import { Judge } from "./judge.ts";
import { LocalOutage } from "./local-outage.ts";
import { Reaches } from "./reach.ts";
import { CachedResolver } from "./resolver.ts";
import { confirmationPauseMs, intervalMsOf, nextSlot } from "./slots.ts";
import { Storage } from "./storage.ts";
import { type Watch, Watches } from "./watches.ts";

type CheckerContext = Pick<Context, "config" | "pool" | "log" | "queue" | "hosts">;

export interface CheckerOptions {
  clock: Clock;
  /** Trusted in place of the usual authorities (PEM). */
  authorities?: readonly string[];
  /** Called with the lateness of each check that is begun or skipped. */
  onStart?: (lateMs: number) => void;
}

const mostAtOnce = 500;
/**
 * Begun per call: 500 a second. When many are due together, as at the start, each check of a fast site costs 20 ms and 0.2 MB,
 * and allocated memory is hardly ever released: 10,000 first checks took 140 MB without this bound.
 */
const mostStarts = 50;

/**
 * Checks the monitors of the shards that this process holds. It has no timers: the schedule (jobs.ts) calls `startDue`, `store`
 * and `refresh`, with time from the clock.
 *
 * A check goes through these parts, in this order:
 * 1. `Checker.startDue` takes the watches that are due from the `DueQueue`, and `runCheck` (client.ts) requests the address.
 * 2. `Judge.judge` compares the result with the monitor's status. `LocalOutage.isSuspected` excludes failures of our own network.
 *    If the status stays, `Storage` keeps the result and stores it with others.
 * 3. Otherwise `Outcomes.recordRecovery`, or `Outcomes.confirmFall` after a second opinion, opens the transaction.
 * 4. `recordVerdict` (verdicts/record.ts) changes the status there and sends the notice (verdicts/notices.ts).
 */
export class Checker {
  private readonly ctx: CheckerContext;
  private readonly options: CheckerOptions;
  private readonly resolver: CachedResolver;
  private readonly reaches: Reaches;
  private readonly due: DueQueue<Watch>;
  private readonly watches: Watches;
  private readonly storage: Storage;
  private readonly localOutage: LocalOutage;
  private readonly judge: Judge;
  private readonly running = new Set<Promise<void>>();
  private startsLeft = mostStarts;

  constructor(ctx: CheckerContext, options: CheckerOptions) {
    this.ctx = ctx;
    this.options = options;
    const { clock } = options;
    this.resolver = new CachedResolver({ servers: ctx.config.dnsServers });
    this.reaches = new Reaches(ctx);
    // Many first checks, as after an import, do not delay other checks.
    this.due = new DueQueue(({ monitor }) => monitor.current_status === "pending");
    this.watches = new Watches({ pool: ctx.pool, clock, due: this.due, reaches: this.reaches });
    this.storage = new Storage(ctx.pool, clock);
    const { watches, reaches, storage } = this;
    this.localOutage = new LocalOutage({
      ...{ log: ctx.log, clock, watches },
      request: (watch, timeoutMs) => this.request(watch, timeoutMs),
    });
    this.judge = new Judge({ ctx, clock, watches, reaches, storage, localOutage: this.localOutage });
  }

  get size(): number {
    return this.watches.size;
  }

  /** Since when verdicts are held back because this process's own network seems to fail. */
  get localOutageSince(): number | undefined {
    return this.localOutage.startedAt;
  }

  /** Begins to check a shard. */
  async addShard(shard: number): Promise<void> {
    await this.watches.addShard(shard);
    await this.refresh();
  }

  /** Stops checking a shard: checks under way are abandoned, results are stored. */
  async dropShard(shard: number): Promise<void> {
    if (this.watches.dropShard(shard) === 0) await this.settled();
    await this.store();
  }

  /** Reads all monitors of the held shards again, or those of the ids. */
  reload(ids?: readonly number[]): Promise<void> {
    return this.watches.reload(ids);
  }

  /** Updates the set of unobserved monitors, and ends a local outage that is over. */
  async refresh(): Promise<void> {
    const now = this.options.clock.now().getTime();
    await this.watches.refreshUnobserved();
    this.localOutage.refresh(now);
  }

  /** Stores the results since the last time; results that cannot be stored are kept for the next. */
  store(): Promise<void> {
    return this.storage.store();
  }

  /** Begins the checks that are due, as many as may run at once. */
  startDue(): void {
    this.due.collect(this.options.clock.now().getTime());
    this.startsLeft = mostStarts;
    this.startCollected();
  }

  /** Resolves when no check is under way. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  private startCollected(): void {
    const now = this.options.clock.now().getTime();
    while (this.startsLeft > 0 && this.running.size < mostAtOnce) {
      const watch = this.due.next(now);
      if (watch === undefined) return;
      if (!watch.isDropped && !watch.isRunning) this.start(watch, now);
    }
  }

  private start(watch: Watch, now: number): void {
    const { monitor } = watch;
    const intervalMs = intervalMsOf(monitor);
    // A check begins up to the length of a bucket before its slot.
    const after = Math.max(now, watch.dueAt);
    const lateMs = Math.max(0, now - watch.dueAt);
    this.options.onStart?.(lateMs);
    // A first check is never too late: otherwise a busy process would postpone it repeatedly.
    const isTooLate = lateMs > intervalMs / 2 && monitor.current_status !== "pending";
    if (isTooLate || watch.unobservedReason !== undefined) {
      this.storage.skip(watch, Math.min(now, watch.dueAt));
      this.due.plan(watch, nextSlot(monitor.id, intervalMs, after));
      return;
    }
    this.startsLeft--;
    watch.isRunning = true;
    const check = this.check(watch, now)
      .catch((error: unknown) => this.ctx.log.warn({ monitor: monitor.id }, `A check failed: ${messageOf(error)}`))
      .finally(() => {
        watch.isRunning = false;
        this.running.delete(check);
        // Settings that changed meanwhile have not been checked: there is only one check of a monitor at a time.
        const isChanged = watch.monitor.revision !== monitor.revision;
        const dueAt = isChanged ? this.options.clock.now().getTime() : nextCheck(watch, after);
        if (!watch.isDropped) this.due.plan(watch, dueAt);
        this.startCollected();
      });
    this.running.add(check);
  }

  private async check(watch: Watch, now: number): Promise<void> {
    const { monitor } = watch;
    const result = await this.request(watch, monitor.timeout_seconds * 1_000);
    const isOutdated = watch.monitor.revision !== monitor.revision;
    if (watch.isDropped || isOutdated) return;
    if (result.error === "not_checked" || watch.unobservedReason !== undefined) return this.storage.skip(watch, now);
    await this.judge.judge(watch, result, now);
  }

  private request({ monitor, signal }: Watch, timeoutMs: number): Promise<CheckResult> {
    const { url, method, expected_status: expectedStatus } = monitor;
    const { authorities } = this.options;
    return runCheck(
      { url, method, expectedStatus, timeoutMs },
      {
        resolve: (name) => this.resolver.resolve(name),
        mayReach: this.reaches.of(monitor),
        ...(authorities && { authorities }),
        signal,
      },
    );
  }
}

/** Soon after a failure that has to be confirmed, otherwise at the next slot. */
function nextCheck({ monitor, failures }: Watch, startedAt: number): number {
  const intervalMs = intervalMsOf(monitor);
  const slot = nextSlot(monitor.id, intervalMs, startedAt);
  const { confirmation_threshold: threshold, current_status } = monitor;
  if (failures === 0 || failures >= threshold || current_status === "down") return slot;
  return startedAt + confirmationPauseMs(intervalMs, threshold);
}
