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
  for (;;) {
    const late = performance.now() >= deadline;
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (late) return undefined;
    await delay(Math.max(1, Math.min(everyMs, deadline - performance.now())));
  }
}
