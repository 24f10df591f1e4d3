import { useCallback, useSyncExternalStore } from "react";

// One timer for all times on the page; it stops when none is shown.

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(tick, 1_000);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/**
 * What `select` makes of the time in milliseconds. The component renders again only when that changes: select the text that
 * is shown, not the time. Undefined `select`s nothing, and costs no timer.
 */
export function useClock<T extends string | number>(select: (now: number) => T, isTicking = true): T {
  const quiet = useCallback(() => () => {}, []);
  return useSyncExternalStore(isTicking ? subscribe : quiet, () => select(listeners.size > 0 ? now : Date.now()));
}
