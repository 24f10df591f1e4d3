interface Lease {
  /** How long the lease holds without renewal. */
  seconds: number;
  /** Renews the lease in the database; false when another process has it. */
  renew: () => Promise<boolean>;
  /** Aborts when the process stops. */
  stopping: AbortSignal;
}

/**
 * Does work under a lease, which the caller has acquired and releases. The signal of the work aborts when the process stops or
 * the lease was lost. A failed renewal changes nothing: while the database is down, no other process can acquire the lease
 * either.
 */
export async function underLease<Result>(
  { seconds, renew, stopping }: Lease,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const lost = new AbortController();
  const renewOnce = () => renew().then((isHeld) => (isHeld ? undefined : lost.abort()));
  const renewal = setInterval(() => void renewOnce().catch(() => undefined), (seconds * 1_000) / 3);
  try {
    return await work(AbortSignal.any([stopping, lost.signal]));
  } finally {
    clearInterval(renewal);
  }
}
