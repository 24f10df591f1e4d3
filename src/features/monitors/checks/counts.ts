import { latencyClasses } from "../schema.ts";
import type { CheckResult } from "./client.ts";
import type { HourCounts } from "./queries.ts";

type Mutable = { -readonly [Field in keyof HourCounts]: HourCounts[Field] } & { latency: number[]; statuses: number[] };

const hourMs = 3_600_000;

/** Results that are not stored yet, counted by monitor and hour. */
export class Counts {
  private counts = new Map<string, Mutable>();

  addResult(monitorId: number, at: number, { isUp, status, phases }: CheckResult): void {
    const counts = this.of(monitorId, at);
    counts.checks++;
    if (isUp) counts.ok++;
    const digit = status === undefined ? 0 : Math.floor(status / 100);
    increase(counts.statuses, digit <= 5 ? digit : 0);
    if (phases.whole === undefined) return;
    counts.latencySumMs += phases.whole;
    const { whole } = phases;
    const latency = latencyClasses.findIndex((limit) => whole <= limit);
    increase(counts.latency, latency === -1 ? latencyClasses.length : latency);
  }

  addUnobserved(monitorId: number, at: number): void {
    this.of(monitorId, at).unobserved++;
  }

  /** Returns all counts, and resets them. */
  take(): HourCounts[] {
    const taken = [...this.counts.values()];
    this.counts = new Map();
    return taken;
  }

  /** Adds counts that could not be stored. */
  putBack(counts: readonly HourCounts[]): void {
    for (const each of counts) {
      const into = this.of(each.monitorId, each.hour.getTime());
      into.checks += each.checks;
      into.ok += each.ok;
      into.unobserved += each.unobserved;
      into.latencySumMs += each.latencySumMs;
      for (const [at, count] of each.latency.entries()) increase(into.latency, at, count);
      for (const [at, count] of each.statuses.entries()) increase(into.statuses, at, count);
    }
  }

  private of(monitorId: number, at: number): Mutable {
    const hour = Math.floor(at / hourMs) * hourMs;
    const key = `${monitorId} ${hour}`;
    const known = this.counts.get(key);
    if (known) return known;
    const counts: Mutable = {
      monitorId,
      hour: new Date(hour),
      checks: 0,
      ok: 0,
      unobserved: 0,
      latencySumMs: 0,
      latency: Array.from({ length: latencyClasses.length + 1 }, () => 0),
      statuses: [0, 0, 0, 0, 0, 0],
    };
    this.counts.set(key, counts);
    return counts;
  }
}

function increase(counts: number[], at: number, by = 1): void {
  counts[at] = (counts[at] ?? 0) + by;
}
