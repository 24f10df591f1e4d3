import { backoffMs, recoveryBackoff } from "../../../lib/backoff.ts";

// When a delivery is retried: soon at first, then ever more rarely, for about a day.

// Randomized over half of the time, so that deliveries that failed together are not retried together.
const backoff = { ...recoveryBackoff, jitter: [0.5, 1] } as const;

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

/** The wait before the next attempt; undefined if there is none. `random` is between 0 and 1. */
export function retryDelayMs(
  { attempts, ageMs, retryAfterMs = 0 }: Attempted,
  random = Math.random(),
): number | undefined {
  const delayMs = Math.max(backoffMs(attempts, backoff, random), retryAfterMs);
  return ageMs + delayMs <= giveUpAfterMs ? delayMs : undefined;
}

/** How long the whole channel pauses if the receiver asks for it: at most the longest other wait. */
export const holdMs = (retryAfterMs: number | undefined): number | undefined =>
  retryAfterMs === undefined ? undefined : Math.min(retryAfterMs, backoff.longestMs);
