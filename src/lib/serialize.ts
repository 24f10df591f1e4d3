import { setTimeout as pause } from "node:timers/promises";
import { withDeadline } from "./deadline.ts";
import { AppError } from "./errors.ts";

/**
 * Runs work with the same key one after the other, in the order of the calls. Between two calls it pauses for the
 * milliseconds that `restAfter` returns for the duration of the first. A waiting caller holds nothing, and is refused with
 * AppError("unavailable") after `patienceMs`. Returns the result of the work, and fails when it fails.
 */
export function serializeByKey<Key>(
  restAfter: (tookMs: number) => number,
  patienceMs = 30_000,
): <Value>(key: Key, work: () => Promise<Value>) => Promise<Value> {
  const last = new Map<Key, Promise<void>>();

  return async (key, work) => {
    const before = last.get(key);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    last.set(key, over);
    try {
      await withDeadline(patienceMs, before ?? Promise.resolve(), refuse);
    } catch (error) {
      // The next one still waits for those before this one.
      void before?.then(() => leave(key, over, end));
      throw error;
    }
    const begunAt = performance.now();
    try {
      return await work();
    } finally {
      void pause(restAfter(performance.now() - begunAt), undefined, { ref: false }).then(() => leave(key, over, end));
    }
  };

  function leave(key: Key, over: Promise<void>, end: () => void): void {
    if (last.get(key) === over) last.delete(key);
    end();
  }
}

const refuse = (): never => {
  throw new AppError("unavailable", "Requests before yours take too long. Try again in a moment.", {
    headers: { "Retry-After": "5" },
  });
};
