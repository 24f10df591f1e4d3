// When a delivery is retried: soon at first, then ever more rarely, for about a day.

const firstDelayMs = 15_000;
const longestDelayMs = 3_600_000;

/** From then on a delivery is given up. */
export const giveUpAfterMs = 24 * 3_600_000;

/** A worker that has not reported the outcome of an attempt by then is dead; an attempt takes at most ten seconds. */
export const claimMs = 30_000;

export interface Attempted {
  /** How many there were, the last one included. */
  attempts: number;
  /** Since the announcement. */
  ageMs: number;
  /** The wait that the other side asked for. */
  retryAfterMs?: number | undefined;
}

/**
 * How long to wait before the next attempt; undefined when there is none. Spread over half of the time, so that what failed
 * together is not retried together. `random` is between 0 and 1.
 */
export function retryDelayMs(
  { attempts, ageMs, retryAfterMs = 0 }: Attempted,
  random = Math.random(),
): number | undefined {
  const full = Math.min(firstDelayMs * 2 ** (attempts - 1), longestDelayMs);
  const delayMs = Math.max(full * (0.5 + random / 2), retryAfterMs);
  return ageMs + delayMs <= giveUpAfterMs ? delayMs : undefined;
}

/** How long the whole channel is left alone when the other side asks for it: not for longer than anything else waits. */
export const holdMs = (retryAfterMs: number | undefined): number | undefined =>
  retryAfterMs === undefined ? undefined : Math.min(retryAfterMs, longestDelayMs);
