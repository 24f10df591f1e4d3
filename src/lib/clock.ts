import { setTimeout as delay } from "node:timers/promises";

/** The source of time for code that is tested with a fake clock. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export interface PollOptions {
  timeoutMs: number;
  everyMs?: number;
}

/**
 * Calls until the answer is something other than undefined or false, and returns it; undefined at the timeout. It calls
 * at least twice: at once, and at the timeout.
 */
export async function pollUntil<Answer>(
  ask: () => Promise<Answer | undefined | false> | Answer | undefined | false,
  { timeoutMs, everyMs = 20 }: PollOptions,
): Promise<Answer | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (let isLast = false; ; ) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (isLast) return undefined;
    const left = deadline - performance.now();
    // Counts the remaining time instead of reading the clock afterwards: a timer may end a fraction of a millisecond
    // early.
    isLast = left <= everyMs;
    await delay(Math.max(1, isLast ? left : everyMs));
  }
}
