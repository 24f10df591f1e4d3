// Failures between a client and a provider, on demand or by seed.

/**
 * limit: 429 without an effect. broken: a status of 5xx. silent: no answer until the client gives up. cut: the
 * connection is closed.
 */
export type FaultKind = "limit" | "broken" | "silent" | "cut";

export interface Fault {
  kind: FaultKind;
  /** Whether the request takes effect. A limit always applies before that. */
  when: "before" | "after";
}

interface Ordered extends Fault {
  /** Matches `<method> <path>` or, when every path is `/`, `<method> <action>`. */
  matches: RegExp;
  left: number;
}

/** For each fault, the percentage of requests. */
export interface FaultRates {
  limit: number;
  broken: number;
  silent: number;
  cut: number;
}

export class Faults {
  private ordered: Ordered[] = [];
  private rates: FaultRates | undefined;
  private random: () => number = () => 1;
  /** How often each fault happened. */
  readonly counts: Record<string, number> = {};

  /** The next `times` matching requests fail like this. */
  next(
    matches: RegExp,
    kind: FaultKind,
    { when = "before", times = 1 }: { when?: Fault["when"]; times?: number } = {},
  ) {
    this.ordered.push({ matches, kind, when, left: times });
  }

  /** From now on requests fail at random, in the same way for the same seed and order of requests. */
  seed(seed: number, rates: FaultRates): void {
    this.random = randomFrom(seed);
    this.rates = rates;
  }

  clear(): void {
    this.ordered = [];
    this.rates = undefined;
  }

  take(request: string): Fault | undefined {
    const fault = this.takeOrdered(request) ?? this.takeRandom();
    if (fault) this.counts[`${fault.kind} ${fault.when}`] = (this.counts[`${fault.kind} ${fault.when}`] ?? 0) + 1;
    return fault;
  }

  private takeOrdered(request: string): Fault | undefined {
    const found = this.ordered.find(({ matches, left }) => left > 0 && matches.test(request));
    if (!found) return undefined;
    found.left -= 1;
    return { kind: found.kind, when: found.kind === "limit" ? "before" : found.when };
  }

  private takeRandom(): Fault | undefined {
    if (!this.rates) return undefined;
    let at = this.random() * 100;
    for (const kind of ["limit", "broken", "silent", "cut"] as const) {
      at -= this.rates[kind];
      if (at < 0) return { kind, when: kind === "limit" || this.random() < 0.5 ? "before" : "after" };
    }
    return undefined;
  }
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
