import { setTimeout as wait } from "node:timers/promises";

export interface UntilOptions {
  timeoutMs?: number;
  everyMs?: number;
}

/**
 * Calls `probe` repeatedly until it returns something other than undefined or false, and returns that. Rejects after
 * the deadline with a sentence that names `what` was awaited.
 */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  { timeoutMs = 180_000, everyMs = 100 }: UntilOptions = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await probe();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs / 1000} s in vain until ${what}.`);
    await wait(everyMs);
  }
}
