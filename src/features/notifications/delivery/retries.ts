// When a delivery is retried: soon at first, then ever more rarely, for about a day.

const firstDelayMs = 15_000;
const longestDelayMs = 3_600_000;

/** After this a delivery is abandoned. */
export const giveUpAfterMs = 24 * 3_600_000;

/** A worker that has not reported the outcome of an attempt by then is presumed dead; an attempt takes at most ten seconds. */
export const claimMs = 30_000;

export interface Attempted {
  /** The number of attempts, including the last one. */
  attempts: number;
  /** Since the announcement. */
  ageMs: number;
  /** The wait that the receiver asked for. */
  retryAfterMs?: number | undefined;
}

/**
 * The wait before the next attempt; undefined if there is none. Randomized over half of the time, so that deliveries that failed
 * together are not retried together. `random` is between 0 and 1.
 */
export function retryDelayMs(
  { attempts, ageMs, retryAfterMs = 0 }: Attempted,
  random = Math.random(),
): number | undefined {
  const full = Math.min(firstDelayMs * 2 ** (attempts - 1), longestDelayMs);
  const delayMs = Math.max(full * (0.5 + random / 2), retryAfterMs);
  return ageMs + delayMs <= giveUpAfterMs ? delayMs : undefined;
}

/** How long the whole channel pauses if the receiver asks for it: at most the longest other wait. */
export const holdMs = (retryAfterMs: number | undefined): number | undefined =>
  retryAfterMs === undefined ? undefined : Math.min(retryAfterMs, longestDelayMs);
