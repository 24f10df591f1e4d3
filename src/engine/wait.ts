import { setTimeout as pause } from "node:timers/promises";
import type { Listener } from "./listener.ts";

export interface Wait {
  timeoutMs: number;
  /** Ends the wait early, for example when the client has gone. */
  signal?: AbortSignal;
}

interface Watched<Value> {
  listener: Pick<Listener, "listen">;
  /** The channel that announces a change, and the payload that announces this one. */
  channel: string;
  payload: string;
  look: () => Promise<Value>;
  isSettled: (value: Value) => boolean;
}

// A notification ends the pause at once; a lost one costs this long.
const lookMs = 2_000;

/** Reads a value until it is settled or the timeout has passed; returns the newest value. */
export async function awaitChange<Value>(
  { listener, channel, payload, look, isSettled }: Watched<Value>,
  { timeoutMs, signal }: Wait,
): Promise<Value> {
  const deadline = performance.now() + timeoutMs;
  let change = new AbortController();
  // An empty payload: notifications may have been missed.
  const onNotification = (got: string) => (got === "" || got === payload ? change.abort() : undefined);
  const stopListening = await listener.listen(channel, onNotification);
  try {
    for (;;) {
      // Before reading: a change after it ends the pause.
      change = new AbortController();
      const value = await look();
      const left = deadline - performance.now();
      if (isSettled(value) || left <= 0 || signal?.aborted) return value;
      const wake = signal ? AbortSignal.any([change.signal, signal]) : change.signal;
      await pause(Math.min(left, lookMs), undefined, { signal: wake }).catch(() => undefined);
    }
  } finally {
    stopListening();
  }
}
