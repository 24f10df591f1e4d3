import { setTimeout as pause } from "node:timers/promises";

/**
 * Runs work with the same key one after the other, in the order of the calls. Between two calls it pauses for the
 * milliseconds that `restAfter` returns for the duration of the first. A waiting caller holds nothing. Returns the result of
 * the work, and fails when it fails.
 */
export function oneByOne<Key>(
  restAfter: (tookMs: number) => number,
): <Value>(key: Key, work: () => Promise<Value>) => Promise<Value> {
  const last = new Map<Key, Promise<void>>();

  return async (key, work) => {
    const before = last.get(key);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    last.set(key, over);
    await before;
    const begunAt = performance.now();
    try {
      return await work();
    } finally {
      void pause(restAfter(performance.now() - begunAt), undefined, { ref: false }).then(() => {
        if (last.get(key) === over) last.delete(key);
        end();
      });
    }
  };
}
