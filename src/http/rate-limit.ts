import type { Pool } from "pg";
import type { Context } from "../context.ts";
import { leaseRequests, returnLease } from "./queries.ts";

export interface Verdict {
  isAllowed: boolean;
  remaining: number;
  /** Time until the user's window ends and the full budget is available again. */
  resetsInMs: number;
}

export interface RateLimiter {
  readonly limit: number;
  /** Counts one request of the user. Resolves at once as long as this process holds a part of the budget. */
  take(userId: number): Verdict | Promise<Verdict>;
  /** Returns unused tokens. */
  close(): Promise<void>;
}

/** A person in the console reads more in a minute than a program should, and neither uses up what the other may send. */
export interface RateLimiters {
  tokens: RateLimiter;
  sessions: RateLimiter;
}

export function openRateLimiters({ pool, config, log }: Context): RateLimiters {
  const onError = (err: unknown) => log.warn({ err }, "rate limit not given back");
  return {
    tokens: createRateLimiter({ pool, bucket: "api", limit: config.rateLimit, onError }),
    sessions: createRateLimiter({ pool, bucket: "session", limit: config.sessionRateLimit, onError }),
  };
}

/** The part of a user's budget that this process holds. Times are of performance.now(). */
interface Held {
  tokens: number;
  ungranted: number;
  windowStartedAt: string;
  endsAt: number;
  usedAt: number;
  /** No query to the database before this time: nothing was left. */
  askAgainAt: number;
}

interface Leasing {
  /** Requests that wait for the statement, and its promise. */
  waiting: number;
  lease: Promise<void>;
}

const idleBeforeReturnMs = 1_000;
const refusalMs = 500;

/**
 * Counts requests of users over all processes. A process leases parts of a user's budget of the minute from one row in
 * PostgreSQL and counts them down in memory, so that most requests write nothing and the sum never exceeds the limit.
 * Parts that are unused for a second are returned, for other processes to use.
 */
export function createRateLimiter(options: {
  pool: Pool;
  bucket: string;
  limit: number;
  onError?: (error: unknown) => void;
}): RateLimiter {
  const { pool, bucket, limit, onError = () => {} } = options;
  const held = new Map<number, Held>();
  const leasing = new Map<number, Leasing>();
  const returning = setInterval(() => void returnIdle(performance.now() - idleBeforeReturnMs), idleBeforeReturnMs);
  returning.unref();

  function take(userId: number): Verdict | Promise<Verdict> {
    return takeHeld(userId) ?? takeLeased(userId);
  }

  /** Undefined when the database has to be queried. */
  function takeHeld(userId: number): Verdict | undefined {
    const mine = held.get(userId);
    const now = performance.now();
    if (!mine || mine.endsAt <= now) return undefined;
    const resetsInMs = mine.endsAt - now;
    if (mine.tokens > 0) {
      mine.tokens -= 1;
      mine.usedAt = now;
      return { isAllowed: true, remaining: mine.tokens + mine.ungranted, resetsInMs };
    }
    return mine.askAgainAt > now ? { isAllowed: false, remaining: 0, resetsInMs } : undefined;
  }

  async function takeLeased(userId: number): Promise<Verdict> {
    for (;;) {
      await leaseOnce(userId);
      const verdict = takeHeld(userId);
      if (verdict) return verdict;
    }
  }

  /** Simultaneous requests of one user share one statement. */
  function leaseOnce(userId: number): Promise<void> {
    const known = leasing.get(userId);
    if (known) {
      known.waiting += 1;
      return known.lease;
    }
    // In the next tick, so that the statement counts all waiting requests.
    const entry: Leasing = { waiting: 1, lease: Promise.resolve().then(() => lease(userId, entry.waiting)) };
    leasing.set(userId, entry);
    return entry.lease.finally(() => leasing.delete(userId));
  }

  async function lease(userId: number, wanted: number): Promise<void> {
    // Read before the statement runs: this process's window ends no later than the database's.
    const asked = performance.now();
    const got = await leaseRequests(pool, { userId, bucket, limit, wanted });
    const mine = held.get(userId);
    const left = mine?.windowStartedAt === got.windowStartedAt ? mine.tokens : 0;
    held.set(userId, {
      tokens: left + got.tokens,
      ungranted: got.ungranted,
      windowStartedAt: got.windowStartedAt,
      endsAt: asked + Math.max(1, got.resetsInMs),
      usedAt: performance.now(),
      askAgainAt: got.tokens > 0 ? 0 : performance.now() + refusalMs,
    });
  }

  async function returnIdle(unusedSince: number): Promise<void> {
    const now = performance.now();
    for (const [userId, mine] of held) {
      if (mine.endsAt <= now) held.delete(userId);
      else if (mine.tokens > 0 && mine.usedAt <= unusedSince) await giveBack(userId, mine).catch(onError);
    }
  }

  async function giveBack(userId: number, mine: Held): Promise<void> {
    const tokens = mine.tokens;
    mine.tokens = 0;
    mine.ungranted += tokens;
    await returnLease(pool, { userId, bucket, tokens, windowStartedAt: mine.windowStartedAt });
  }

  async function close(): Promise<void> {
    clearInterval(returning);
    await returnIdle(Number.POSITIVE_INFINITY);
  }

  return { limit, take, close };
}
