import { setMaxListeners } from "node:events";
import type { PoolClient } from "pg";
import type { Context } from "../../../context.ts";
import { transaction } from "../../../db/transaction.ts";
import { atMost } from "../../../lib/at-most.ts";
import type { Clock } from "../../../lib/clock.ts";
import { messageOf } from "../../../lib/errors.ts";
import { listUnobserved } from "../unobserved/queries.ts";
import { lockMonitors, recordStates, type StateChange } from "../verdicts/queries.ts";
import { noticeDue, recordCertificate } from "./certificates.ts";
import { type CheckResult, runCheck } from "./client.ts";
import { Counts } from "./counts.ts";
import { FirstVerdicts } from "./first-verdicts.ts";
import { networkOf, OwnOutage } from "./own-outage.ts";
import {
  addCounts,
  addMonths,
  type Checked,
  type CheckedMonitor,
  closeGaps,
  endDisturbance,
  listAddresses,
  listChecked,
  listCheckedOfShards,
  recordChecked,
  type SeenCertificate,
  setCertificates,
  shardCount,
} from "./queries.ts";
import { mayCheck, type Reach } from "./reach.ts";
import { CachedResolver } from "./resolver.ts";
import { SecondOpinions } from "./second-opinion.ts";
import { confirmationPauseMs, firstDue, intervalMsOf, nextSlot } from "./slots.ts";
import { confirmFall, confirmRecovery } from "./verdicts.ts";

type CheckerContext = Pick<Context, "config" | "pool" | "log" | "queue" | "hosts">;

export interface CheckerOptions {
  clock: Clock;
  /** Trusted in place of the usual authorities (PEM). */
  authorities?: readonly string[];
  /** Called with the lateness of each check that is begun or skipped. */
  onStart?: (lateMs: number) => void;
}

/** A monitor that this process checks. */
export interface Watch {
  monitor: CheckedMonitor;
  dueAt: number;
  isRunning: boolean;
  /** Since the last check that passed. */
  failures: number;
  firstFailureAt: number;
  /** Why what is seen does not count at the moment. */
  unobservedReason: string | undefined;
  /** The newest check that is not stored yet. */
  checkedAt: number | undefined;
  /** The network that its address was on last. */
  network: string | undefined;
  /** This process does not check it any more. */
  isDropped: boolean;
}

const mostAtOnce = 500;
/**
 * Begun each time: 500 a second. When many are due together, as at the start, each of them costs a quick site 20 ms and 0.2 MB, and
 * memory that was taken once is hardly given back: 10,000 first checks took 140 MB without this bound.
 */
const mostStarts = 50;
const verdictsAtOnce = 3;
/** Monitors on other networks that are looked at before a fall. */
const mostOthers = 5;
const mostLookMs = 5_000;
const bucketMs = 100;
/** How often results are stored, with some slack. */
const storedEveryMs = 75_000;
/** A result is too old for a verdict after that. */
const staleMs = 90_000;

/**
 * Checks the monitors of the shards that this process holds. It has no timers of its own: `startDue`, `store` and `refresh` are
 * called by the schedule (jobs.ts), with time from the clock.
 */
export class Checker {
  readonly ctx: CheckerContext;
  readonly opinions: SecondOpinions;
  readonly outage = new OwnOutage();
  readonly firstVerdicts: FirstVerdicts;
  /** Verdicts of many monitors leave connections to others, also to the renewal of this process's leases. */
  readonly inTurn = atMost(verdictsAtOnce);
  /** Since when verdicts are held back because this process's own network seems to be disturbed. */
  frozenAt: number | undefined;
  private readonly clock: Clock;
  private readonly resolver: CachedResolver;
  private readonly watches = new Map<number, Watch>();
  private readonly buckets = new Map<number, Watch[]>();
  private waiting: Watch[] = [];
  private readonly running = new Set<Promise<void>>();
  private readonly shards = new Map<number, AbortController>();
  private readonly counts = new Counts();
  private states: StateChange[] = [];
  private reaches = new Map<number, Reach>();
  private doneUntil: number;
  private startsLeft = mostStarts;
  private readonly authorities: readonly string[] | undefined;
  private readonly onStart: ((lateMs: number) => void) | undefined;

  constructor(ctx: CheckerContext, { clock, authorities, onStart }: CheckerOptions) {
    this.ctx = ctx;
    this.clock = clock;
    this.authorities = authorities;
    this.onStart = onStart;
    this.resolver = new CachedResolver({ servers: ctx.config.dnsServers });
    this.opinions = new SecondOpinions(ctx);
    this.firstVerdicts = new FirstVerdicts(ctx.pool);
    this.doneUntil = this.bucketOf(clock.now().getTime());
  }

  get size(): number {
    return this.watches.size;
  }

  // Which monitors -----------------------------------------------------------------------------------------------------------

  /** Begins to check a shard. A gap before is recorded as unobserved. */
  async addShard(shard: number): Promise<void> {
    const now = this.clock.now();
    const stopping = new AbortController();
    setMaxListeners(0, stopping.signal);
    await transaction(this.ctx.pool, (tx) => closeGaps(tx, shard, now));
    const monitors = await listCheckedOfShards(this.ctx.pool, [shard]);
    await this.loadReaches(monitors);
    this.shards.set(shard, stopping);
    for (const monitor of monitors) this.add(monitor);
    await this.refresh();
  }

  /** Stops checking a shard: what is under way is left, what was found is stored. */
  async dropShard(shard: number): Promise<void> {
    this.shards.get(shard)?.abort();
    this.shards.delete(shard);
    for (const watch of this.watches.values()) if (watch.monitor.id % shardCount === shard) this.drop(watch);
    if (this.shards.size === 0) await this.settled();
    await this.store();
  }

  /** Reads all monitors of the held shards again, or those of the ids. */
  async reload(ids?: readonly number[]): Promise<void> {
    const held = (ids ?? []).filter((id) => this.shards.has(id % shardCount));
    if (ids && held.length === 0) return;
    const monitors = ids
      ? await listChecked(this.ctx.pool, held)
      : await listCheckedOfShards(this.ctx.pool, [...this.shards.keys()]);
    await this.loadReaches(monitors);
    const found = new Set(monitors.map(({ id }) => id));
    for (const id of ids ? held : this.watches.keys()) {
      const watch = this.watches.get(id);
      if (watch && !found.has(id)) this.drop(watch);
    }
    for (const monitor of monitors) {
      const watch = this.watches.get(monitor.id);
      if (watch) this.update(watch, monitor);
      else if (this.shards.has(monitor.id % shardCount)) this.add(monitor);
    }
  }

  private add(monitor: CheckedMonitor): void {
    const watch: Watch = {
      monitor,
      dueAt: 0,
      isRunning: false,
      failures: 0,
      firstFailureAt: 0,
      unobservedReason: undefined,
      checkedAt: undefined,
      network: undefined,
      isDropped: false,
    };
    this.watches.set(monitor.id, watch);
    this.plan(watch, firstDue(monitor, this.clock.now().getTime()));
  }

  private update(watch: Watch, monitor: CheckedMonitor): void {
    const before = watch.monitor;
    // What was changed by a verdict of this process a moment ago may be newer than what was read.
    if (watch.isRunning && before.revision === monitor.revision) return;
    watch.monitor = monitor;
    if (before.revision !== monitor.revision) watch.failures = 0;
    if (intervalMsOf(before) === intervalMsOf(monitor) && before.revision === monitor.revision) return;
    this.plan(watch, firstDue(monitor, this.clock.now().getTime()));
  }

  private drop(watch: Watch): void {
    watch.isDropped = true;
    this.noteChecked(watch);
    this.watches.delete(watch.monitor.id);
  }

  private async loadReaches(monitors: readonly CheckedMonitor[]): Promise<void> {
    const organizations = [...new Set(monitors.map(({ organization_id }) => organization_id))];
    const addresses = Map.groupBy(await listAddresses(this.ctx.pool, organizations), (each) => each.organization_id);
    for (const id of organizations) {
      const ofServers = (addresses.get(id) ?? []).map(({ address }) => address);
      this.reaches.set(id, mayCheck(this.ctx.config.monitorAllow, ofServers));
    }
  }

  reachOf({ organization_id }: CheckedMonitor): Reach {
    return this.reaches.get(organization_id) ?? (() => false);
  }

  /** Finds out of which monitors nothing counts at the moment, and whether the own network is well again. */
  async refresh(): Promise<void> {
    const now = this.clock.now();
    const unobserved = await listUnobserved(this.ctx.pool, [...this.watches.keys()], now);
    const reasons = new Map(unobserved.map(({ id, reason }) => [id, reason]));
    for (const watch of this.watches.values()) watch.unobservedReason = reasons.get(watch.monitor.id);
    if (this.frozenAt !== undefined && !this.outage.isSuspected(now.getTime() - 60_000)) {
      this.frozenAt = undefined;
      this.ctx.log.warn("Monitors are judged again: what failed together answers");
    }
  }

  // When ---------------------------------------------------------------------------------------------------------------------

  private bucketOf(time: number): number {
    return Math.floor(time / bucketMs);
  }

  private plan(watch: Watch, dueAt: number): void {
    watch.dueAt = dueAt;
    const at = Math.max(this.bucketOf(dueAt), this.doneUntil);
    const bucket = this.buckets.get(at);
    if (bucket) bucket.push(watch);
    else this.buckets.set(at, [watch]);
  }

  /** Begins the checks that are due, as many as may run at once. */
  startDue(): void {
    const now = this.clock.now().getTime();
    const last = this.bucketOf(now);
    // After a jump of the clock there may be more buckets in between than there are buckets with something in them.
    const due = [...this.buckets.keys()].filter((at) => at <= last).toSorted((a, b) => a - b);
    for (const at of due) {
      this.waiting.push(...(this.buckets.get(at) ?? []));
      this.buckets.delete(at);
    }
    // Many first checks, as after an import, make no other late.
    const isFirst = ({ monitor }: Watch): number => Number(monitor.current_status === "pending");
    this.waiting = this.waiting.toSorted((one, other) => isFirst(one) - isFirst(other));
    this.doneUntil = last;
    this.startsLeft = mostStarts;
    this.startWaiting();
  }

  private startWaiting(): void {
    const now = this.clock.now().getTime();
    const last = this.bucketOf(now);
    let at = 0;
    for (; at < this.waiting.length && this.startsLeft > 0 && this.running.size < mostAtOnce; at++) {
      const watch = this.waiting[at] as Watch;
      // One that was planned for another time since is in that bucket too.
      if (!watch.isDropped && !watch.isRunning && this.bucketOf(watch.dueAt) <= last) this.start(watch, now);
    }
    this.waiting.splice(0, at);
  }

  private start(watch: Watch, now: number): void {
    const { monitor } = watch;
    const intervalMs = intervalMsOf(monitor);
    // A check begins up to the length of a bucket before its slot.
    const after = Math.max(now, watch.dueAt);
    const lateMs = Math.max(0, now - watch.dueAt);
    this.onStart?.(lateMs);
    if (lateMs > intervalMs / 2 || watch.unobservedReason !== undefined) {
      this.skip(watch, Math.min(now, watch.dueAt));
      this.plan(watch, nextSlot(monitor.id, intervalMs, after));
      return;
    }
    this.startsLeft--;
    watch.isRunning = true;
    const check = this.check(watch, now)
      .catch((error: unknown) => this.ctx.log.warn({ monitor: monitor.id }, `A check failed: ${messageOf(error)}`))
      .finally(() => {
        watch.isRunning = false;
        this.running.delete(check);
        if (!watch.isDropped) this.plan(watch, this.nextAfter(watch, after));
        this.startWaiting();
      });
    this.running.add(check);
  }

  /** After a failure that is to be confirmed soon, otherwise at the next slot. */
  private nextAfter({ monitor, failures }: Watch, startedAt: number): number {
    const intervalMs = intervalMsOf(monitor);
    const slot = nextSlot(monitor.id, intervalMs, startedAt);
    const { confirmation_threshold: threshold, current_status } = monitor;
    if (failures === 0 || failures >= threshold || current_status === "down") return slot;
    return startedAt + confirmationPauseMs(intervalMs, threshold);
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  // What was found -------------------------------------------------------------------------------------------------------------

  private async check(watch: Watch, now: number): Promise<void> {
    const { monitor } = watch;
    const result = await this.ask(monitor, monitor.timeout_seconds * 1_000);
    const isOutdated = watch.monitor.revision !== monitor.revision;
    if (watch.isDropped || isOutdated) return;
    if (result.error === "not_checked" || watch.unobservedReason !== undefined) return this.skip(watch, now);
    await this.take(watch, result, now);
  }

  private ask(monitor: CheckedMonitor, timeoutMs: number): Promise<CheckResult> {
    const { url, method, expected_status: expectedStatus } = monitor;
    const signal = this.shards.get(monitor.id % shardCount)?.signal;
    return runCheck(
      { url, method, expectedStatus, timeoutMs },
      {
        resolve: (name) => this.resolver.resolve(name),
        mayReach: this.reachOf(monitor),
        ...(this.authorities && { authorities: this.authorities }),
        ...(signal && { signal }),
      },
    );
  }

  private async take(watch: Watch, result: CheckResult, now: number): Promise<void> {
    const { monitor } = watch;
    this.sample(watch, result, now);
    if (!result.isUp && this.frozenAt !== undefined && monitor.current_status !== "down") return this.skip(watch, now);
    this.counts.addResult(monitor.id, now, result);
    watch.checkedAt = now;
    await this.readCertificate(watch, result);
    if (result.isUp) await this.passed(watch, result, now);
    else await this.failed(watch, result, now);
  }

  // Neither what is down anyway nor what never worked shows that something is wrong here.
  private sample(watch: Watch, { isUp, address, addresses }: CheckResult, at: number): void {
    const { monitor } = watch;
    watch.network = networkOf(new URL(monitor.url).hostname, address ?? addresses?.[0]);
    if (monitor.current_status !== "up") return;
    this.outage.record({ monitorId: monitor.id, network: watch.network, hasFailed: !isUp, at });
  }

  private async passed(watch: Watch, result: CheckResult, now: number): Promise<void> {
    const { monitor } = watch;
    watch.failures = 0;
    if (monitor.is_disturbed) {
      monitor.is_disturbed = false;
      await endDisturbance(this.ctx.pool, monitor.id);
    }
    if (monitor.current_status === "up") return this.noteState(watch, "up", now);
    await confirmRecovery(this, watch, { result, at: now });
  }

  private async failed(watch: Watch, result: CheckResult, now: number): Promise<void> {
    if (watch.failures === 0) watch.firstFailureAt = now;
    watch.failures++;
    const { monitor } = watch;
    if (monitor.current_status === "down") return this.noteState(watch, "down", now);
    if (watch.failures < monitor.confirmation_threshold) return;
    if (await this.isOwnOutage(watch)) return this.freeze(watch, now);
    const isStale = () =>
      watch.isDropped || this.clock.now().getTime() - now > staleMs + monitor.timeout_seconds * 2_000;
    await confirmFall(this, watch, { result, at: now, isStale });
  }

  private async isOwnOutage(watch: Watch): Promise<boolean> {
    if (this.frozenAt !== undefined) return true;
    await this.lookAtOthers(watch);
    return this.outage.isSuspected(watch.firstFailureAt);
  }

  /** Where few other networks were seen since the first failure, a monitor on each of some others is checked now. */
  private async lookAtOthers({ firstFailureAt, network }: Watch): Promise<void> {
    const seen = this.outage.networksSince(firstFailureAt).add(network ?? "");
    if (seen.size > mostOthers) return;
    const others: Watch[] = [];
    for (const other of this.watches.values()) {
      if (others.length === mostOthers) break;
      if (other.network === undefined || seen.has(other.network) || other.monitor.current_status !== "up") continue;
      if (other.unobservedReason !== undefined) continue;
      seen.add(other.network);
      others.push(other);
    }
    const at = this.clock.now().getTime();
    const look = async (other: Watch): Promise<void> => {
      const timeoutMs = Math.min(mostLookMs, other.monitor.timeout_seconds * 1_000);
      const result = await this.ask(other.monitor, timeoutMs);
      if (result.error !== "not_checked") this.sample(other, result, at);
    };
    await Promise.all(others.map(look));
  }

  private freeze(watch: Watch, now: number): void {
    if (this.frozenAt === undefined) {
      this.frozenAt = now;
      this.ctx.log.error(
        "More than 30 % of the monitors failed together on three or more networks: the network of this machine seems to be " +
          "disturbed, and no monitor is reported as down until that is over",
      );
    }
    this.skip(watch, watch.firstFailureAt);
  }

  private async readCertificate({ monitor }: Watch, { certificateExpiresAt }: CheckResult): Promise<void> {
    if (!certificateExpiresAt) return;
    if (noticeDue(certificateExpiresAt, this.clock.now()) !== null) {
      return this.inTurn(() => recordCertificate(this.ctx, monitor, certificateExpiresAt, this.clock.now()));
    }
    // Nothing to report: stored with the results.
    const { id: monitorId, revision } = monitor;
    const expiresAt = certificateExpiresAt.toISOString();
    if (monitor.certificate_expires_at && Date.parse(monitor.certificate_expires_at) === Date.parse(expiresAt)) return;
    [monitor.certificate_expires_at, monitor.certificate_notice_days] = [expiresAt, null];
    this.certificates.set(monitorId, { monitorId, revision, expiresAt: certificateExpiresAt });
  }

  /** The monitor's state is unknown from that time on, until a check counts again. */
  skip(watch: Watch, at: number): void {
    watch.failures = 0;
    this.counts.addUnobserved(watch.monitor.id, at);
    if (watch.monitor.current_status !== "pending") this.noteState(watch, "unobserved", at);
  }

  /** Hands over the changes of one monitor that are not stored yet, to be stored before a verdict. */
  takeStates(monitorId: number): StateChange[] {
    const taken = this.states.filter((each) => each.monitorId === monitorId);
    if (taken.length > 0) this.states = this.states.filter((each) => each.monitorId !== monitorId);
    return taken;
  }

  putBackStates(states: readonly StateChange[]): void {
    this.states = [...states, ...this.states];
  }

  /** The monitor is not as this process believed. */
  async readAgain(watch: Watch): Promise<void> {
    const [monitor] = await listChecked(this.ctx.pool, [watch.monitor.id]);
    if (monitor) watch.monitor = monitor;
    else this.drop(watch);
    watch.failures = 0;
  }

  now(): Date {
    return this.clock.now();
  }

  noteState({ monitor }: Watch, state: StateChange["state"], at: number): void {
    if (monitor.state === state) return;
    monitor.state = state;
    this.states.push({ monitorId: monitor.id, state, at: new Date(at) });
  }

  /** How long a check at that time counts without a newer one. */
  observedUntil(monitor: CheckedMonitor, at: number): Date {
    return new Date(at + 1.5 * intervalMsOf(monitor) + storedEveryMs);
  }

  // Storing --------------------------------------------------------------------------------------------------------------------

  private leftChecked: Checked[] = [];
  private certificates = new Map<number, SeenCertificate>();

  private noteChecked(watch: Watch): void {
    const { monitor, checkedAt } = watch;
    if (checkedAt === undefined) return;
    watch.checkedAt = undefined;
    const observedUntil = this.observedUntil(monitor, checkedAt);
    this.leftChecked.push({ monitorId: monitor.id, at: new Date(checkedAt), observedUntil });
  }

  /** Stores what was found since the last time; what cannot be stored is kept for the next. */
  async store(): Promise<void> {
    for (const watch of this.watches.values()) this.noteChecked(watch);
    const [counts, states, checked] = [this.counts.take(), this.states, this.leftChecked];
    const certificates = this.certificates;
    [this.states, this.leftChecked, this.certificates] = [[], [], new Map()];
    if (counts.length + states.length + checked.length + certificates.size === 0) return;
    try {
      await transaction(this.ctx.pool, async (tx) => {
        await addMonths(tx, this.clock.now());
        await lockMonitors(tx, [...checked.map(({ monitorId }) => monitorId), ...certificates.keys()]);
        await recordChecked(tx, checked);
        await setCertificates(tx, [...certificates.values()]);
        await recordInOrder(tx, states);
        await addCounts(tx, counts);
      });
    } catch (error) {
      this.counts.putBack(counts);
      this.states = [...states, ...this.states];
      this.leftChecked = [...checked, ...this.leftChecked];
      this.certificates = new Map([...certificates, ...this.certificates]);
      throw error;
    }
  }
}

/** Stores changes of states, of each monitor in their order. */
export async function recordInOrder(tx: PoolClient, states: readonly StateChange[]): Promise<void> {
  for (const round of roundsOf(states)) await recordStates(tx, round);
}

/** At most one change of each monitor at a time. */
function roundsOf(states: readonly StateChange[]): StateChange[][] {
  const rounds: StateChange[][] = [];
  const seen = new Map<number, number>();
  for (const state of states) {
    const round = seen.get(state.monitorId) ?? 0;
    seen.set(state.monitorId, round + 1);
    rounds[round] ??= [];
    rounds[round].push(state);
  }
  return rounds;
}
