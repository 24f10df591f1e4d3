import { setTimeout as delay } from "node:timers/promises";

/** Where code that is tested against the time takes it from. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export interface PollOptions {
  timeoutMs: number;
  everyMs?: number;
}

/**
 * Asks until the answer is something other than undefined or false, and returns it; undefined when the time is up.
 * The question is asked at least twice: at once, and when the time is up.
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
    // By what is left and not by the clock afterwards: a timer may end a part of a millisecond early.
    isLast = left <= everyMs;
    await delay(Math.max(1, isLast ? left : everyMs));
  }
}
