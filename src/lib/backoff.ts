import { AppError } from "./errors.ts";

/** How the delays between attempts grow. */
export interface Backoff {
  /** After the first failed attempt; doubles with each further one. */
  firstMs: number;
  longestMs: number;
  /** Each delay is multiplied by a random number between these two; default: delays are not randomized. */
  jitter?: readonly [least: number, most: number];
}

/** For work that waits for a server or an outside service to recover: quickly at first, then every hour. */
export const recoveryBackoff = { firstMs: 15_000, longestMs: 3_600_000 } as const satisfies Backoff;

/** The delay after so many failed attempts. `random` is between 0 and 1. */
export function backoffMs(
  attempts: number,
  { firstMs, longestMs, jitter: [least, most] = [1, 1] }: Backoff,
  random = Math.random(),
): number {
  const delayMs = Math.min(firstMs * 2 ** Math.max(attempts - 1, 0), longestMs);
  return delayMs * (least + (most - least) * random);
}

/** The wait that an outside service requested; 0 if it requested none. */
export const requestedWaitMs = (error: unknown): number =>
  error instanceof AppError ? Math.max(error.retryAfterMs ?? 0, 0) : 0;
