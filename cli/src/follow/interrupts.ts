/** What Ctrl-C and SIGTERM do while work on the server is followed, which they do not end by themselves. */
export interface Interrupts {
  /** Aborted when the person stops watching. */
  readonly detached: AbortSignal;
  /** The program ends on signals again as usual. */
  release(): void;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The first signal detaches; with `cancel` it cancels, and the second one detaches. */
export function catchInterrupts(cancel?: () => void): Interrupts {
  const detached = new AbortController();
  let isCancelled = false;
  const onSignal = () => {
    if (cancel && !isCancelled) {
      isCancelled = true;
      cancel();
    } else detached.abort();
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    detached: detached.signal,
    release: () => {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
