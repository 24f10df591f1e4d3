import { onJournalChange } from "../host/runner/runner.ts";
import type { Connection } from "../host/ssh/connection.ts";

type Wakeups = Map<number, () => void>;

/** For each connection, the callbacks of the runs that are followed over it, by run. One channel notifies all of them. */
const subscriptions = new WeakMap<Connection, Promise<Wakeups>>();

/** The changes of a run's journal. A change since the last `arm` lets `wait` return at once. */
export interface JournalChanges {
  /** Call this before reading the present state. */
  arm: () => void;
  /** Resolves at a change, the end of the connection, or after `timeoutMs`. */
  wait: (timeoutMs: number, signal: AbortSignal) => Promise<void>;
  unsubscribe: () => void;
}

/** Subscribes to the changes of a run's journal: its server reports each record, but not each line of output. */
export async function subscribe(connection: Connection, runId: number): Promise<JournalChanges> {
  let hasChanged = false;
  let wake: (() => void) | undefined;
  const notify = () => {
    hasChanged = true;
    wake?.();
  };
  const wakeups = await wakeupsOn(connection);
  wakeups.set(runId, notify);
  const forgetClose = connection.onClose(notify);
  const wait = (timeoutMs: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      signal.addEventListener("abort", done);
      wake = done;
      if (hasChanged || signal.aborted) done();
    });
  const unsubscribe = () => {
    wakeups.delete(runId);
    forgetClose();
  };
  const arm = () => {
    hasChanged = false;
  };
  return { arm, wait, unsubscribe };
}

function wakeupsOn(connection: Connection): Promise<Wakeups> {
  const known = subscriptions.get(connection);
  if (known) return known;
  const wakeups: Wakeups = new Map();
  const subscribing = onJournalChange(connection, (runId) => wakeups.get(runId)?.()).then(() => wakeups);
  subscriptions.set(connection, subscribing);
  return subscribing;
}
