import { setTimeout as pause } from "node:timers/promises";
import type { Context } from "../../../context.ts";
import { bookkeeping } from "../../../db/transaction.ts";
import { type CallLimit, type CallLimits, CloudError } from "../../../providers/cloud/driver.ts";
import { type BucketRow, blockBucket, lockBuckets, saveBuckets } from "./queries.ts";
import type { ProviderRow } from "./schema.ts";

// Providers limit calls by account and reject all of them after too many. Every call first takes a token from its connection's
// buckets. They are rows, so that all processes share them.

/**
 * The call limits of a connection. A call that has to wait takes its place at once and waits here, so that calls are sent in order.
 * If its turn is more than `patienceMs` away, it is rejected instead, and not counted.
 */
export const callLimitsOf = (
  { pool }: Pick<Context, "pool">,
  provider: Pick<ProviderRow, "id" | "name">,
  { patienceMs, signal }: { patienceMs: number; signal?: AbortSignal | undefined },
): CallLimits => ({
  take: async (given) => {
    const limits = given.map(shareOf);
    const waitMs = await bookkeeping(pool, async (tx) => {
      const buckets = await lockBuckets(tx, provider.id, limits);
      const wait = waitOf(buckets, limits);
      if (wait > patienceMs) {
        const seconds = Math.ceil(wait / 1_000);
        throw new CloudError(
          "unavailable",
          `${provider.name} was sent as many calls as its provider allows. Try again in ${seconds} seconds.`,
          { retryAfterMs: wait, headers: { "Retry-After": String(seconds) } },
        );
      }
      await saveBuckets(
        tx,
        provider.id,
        buckets.map((bucket) => ({ ...bucket, calls: bucket.calls - 1 })),
      );
      return wait;
    });
    if (waitMs > 0) await pause(waitMs, undefined, signal ? { signal } : {});
  },
  block: (limit, forMs) => bookkeeping(pool, (tx) => blockBucket(tx, provider.id, limit, forMs)),
});

// A full bucket and its refill within the same minute or hour are twice the provider's limit; and people use the same accounts
// with other tools.
const share = 0.5;

const shareOf = ({ bucket, capacity, refillPerSecond }: CallLimit): CallLimit => ({
  bucket,
  capacity: Math.max(1, capacity * share),
  refillPerSecond: refillPerSecond * share,
});

/** Milliseconds until the turn of a call that is admitted now. */
function waitOf(buckets: readonly BucketRow[], limits: readonly CallLimit[]): number {
  const waits = buckets.map(({ bucket, calls, blocked_ms }) => {
    const rate = limits.find((limit) => limit.bucket === bucket)?.refillPerSecond ?? 1;
    return Math.max(blocked_ms, ((1 - calls) / rate) * 1_000);
  });
  return Math.ceil(Math.max(0, ...waits));
}
