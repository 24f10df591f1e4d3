import type { PoolClient } from "pg";
import type { Pool } from "../../../db/pool.ts";
import { transaction } from "../../../db/transaction.ts";
import type { Clock } from "../../../lib/clock.ts";
import { lockMonitors, recordStates, type StateChange } from "../verdicts/queries.ts";
import type { CheckResult } from "./client.ts";
import { Counts } from "./counts.ts";
import {
  addCounts,
  addMonths,
  addRecent,
  type CheckedMonitor,
  recordChecked,
  type SeenCertificate,
  setCertificates,
} from "./queries.ts";
import { Recent } from "./recent.ts";
import { intervalMsOf } from "./slots.ts";
import type { Watch } from "./watches.ts";

/** How often results are stored, with some slack. */
const storedEveryMs = 75_000;

/** Until when a check at that time counts without a newer one. */
export const observedUntil = (monitor: CheckedMonitor, at: number): Date =>
  new Date(at + 1.5 * intervalMsOf(monitor) + storedEveryMs);

/** Results of checks that changed no status: kept in memory and stored together, to avoid a write for every check. */
export class Storage {
  private readonly pool: Pool;
  private readonly clock: Clock;
  private readonly counts = new Counts();
  private readonly recent = new Recent();
  private states: StateChange[] = [];
  /** The newest check of each. */
  private checkedAt = new Map<Watch, number>();
  private certificates = new Map<number, SeenCertificate>();

  constructor(pool: Pool, clock: Clock) {
    this.pool = pool;
    this.clock = clock;
  }

  addResult(watch: Watch, result: CheckResult, at: number): void {
    this.counts.addResult(watch.monitor.id, at, result);
    this.recent.addResult(watch.monitor.id, result);
    this.checkedAt.set(watch, at);
  }

  addState({ monitor }: Watch, state: StateChange["state"], at: number): void {
    if (monitor.state === state) return;
    monitor.state = state;
    this.states.push({ monitorId: monitor.id, state, at: new Date(at) });
  }

  addCertificate({ id: monitorId, revision }: CheckedMonitor, expiresAt: Date): void {
    this.certificates.set(monitorId, { monitorId, revision, expiresAt });
  }

  /** The monitor is unobserved from that time on, until a check counts again. */
  skip(watch: Watch, at: number): void {
    watch.failures = 0;
    this.counts.addUnobserved(watch.monitor.id, at);
    if (watch.monitor.current_status !== "pending") this.addState(watch, "unobserved", at);
  }

  /** Does work that begins with storing the state changes of a monitor; if it fails, they are kept. */
  async withStates<Done>(
    monitorId: number,
    work: (storeStates: (tx: PoolClient) => Promise<void>) => Promise<Done>,
  ): Promise<Done> {
    const taken = this.states.filter((each) => each.monitorId === monitorId);
    if (taken.length > 0) this.states = this.states.filter((each) => each.monitorId !== monitorId);
    try {
      return await work((tx) => recordInOrder(tx, taken));
    } catch (error) {
      this.states = [...taken, ...this.states];
      throw error;
    }
  }

  /** Stores the results since the last time; results that cannot be stored are kept for the next. */
  async store(): Promise<void> {
    const [counts, recent, states, checkedAt, certificates] = [
      this.counts.take(),
      this.recent.take(),
      this.states,
      this.checkedAt,
      this.certificates,
    ];
    [this.states, this.checkedAt, this.certificates] = [[], new Map(), new Map()];
    if (counts.length + states.length + checkedAt.size + certificates.size === 0) return;
    const checked = [...checkedAt].map(([{ monitor }, at]) => ({
      monitorId: monitor.id,
      at: new Date(at),
      observedUntil: observedUntil(monitor, at),
    }));
    try {
      await transaction(this.pool, async (tx) => {
        await addMonths(tx, this.clock.now());
        await lockMonitors(tx, [...checked.map(({ monitorId }) => monitorId), ...certificates.keys()]);
        await recordChecked(tx, checked);
        await setCertificates(tx, [...certificates.values()]);
        await recordInOrder(tx, states);
        await addCounts(tx, counts);
        await addRecent(tx, recent);
      });
    } catch (error) {
      this.counts.putBack(counts);
      this.recent.putBack(recent);
      this.states = [...states, ...this.states];
      this.checkedAt = new Map([...checkedAt, ...this.checkedAt]);
      this.certificates = new Map([...certificates, ...this.certificates]);
      throw error;
    }
  }
}

/** Stores state changes, in order for each monitor: each statement takes at most one change of it. */
async function recordInOrder(tx: PoolClient, states: readonly StateChange[]): Promise<void> {
  const rounds: StateChange[][] = [];
  const seen = new Map<number, number>();
  for (const state of states) {
    const round = seen.get(state.monitorId) ?? 0;
    seen.set(state.monitorId, round + 1);
    rounds[round] ??= [];
    rounds[round].push(state);
  }
  for (const round of rounds) await recordStates(tx, round);
}
