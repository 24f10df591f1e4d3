import { backoffMs } from "../../lib/backoff.ts";
import { AppError, failureSentence } from "../../lib/errors.ts";
import { AcmeError } from "../../providers/acme/problem.ts";
import type { Wait } from "../certificates/authority/quota.ts";

/** Why an attempt failed, and what that means for the next one. */
export interface Failure {
  reason: string;
  /** The authority did something that it limits: the next attempt waits longer. */
  isCounted: boolean;
  /** The order at the authority may still succeed: the next attempt continues with it. */
  isOrderKept: boolean;
  /** No attempt before this time. */
  until?: Date;
}

/** The authority could not verify these names with this kind of proof. */
export class ProofRejected extends Error {
  readonly names: readonly string[];

  constructor(names: readonly string[], reasons: readonly string[]) {
    super(reasons.join(" "));
    this.names = names;
  }
}

/** Nothing may be ordered before a time. */
export class Postponed extends Error {
  readonly until: Date;

  constructor({ until, reason }: Wait) {
    super(reason);
    this.until = until;
  }
}

/** The order at the authority cannot succeed any more; the next attempt begins with another one. */
export class OrderLost extends Error {}

/** A condition that has to change before the authority is asked. */
export class NotReady extends Error {}

export function failureOf(error: unknown, logBug: (error: unknown) => void): Failure {
  if (error instanceof ProofRejected) return { reason: error.message, isCounted: true, isOrderKept: false };
  if (error instanceof Postponed) {
    return { reason: error.message, isCounted: false, isOrderKept: true, until: error.until };
  }
  if (error instanceof OrderLost || error instanceof NotReady) {
    return { reason: error.message, isCounted: false, isOrderKept: false };
  }
  if (error instanceof AcmeError) return failureAtAuthority(error);
  const isPermanent = error instanceof AppError && error.permanent;
  return { reason: failureSentence(error, logBug), isCounted: false, isOrderKept: !isPermanent };
}

function failureAtAuthority(error: AcmeError): Failure {
  const { message: detail, type, status } = error;
  if (type === "network") {
    return {
      reason: `The certificate authority cannot be reached: ${detail}`,
      isCounted: false,
      isOrderKept: true,
    };
  }
  const reason = `The certificate authority refuses: ${detail}`;
  // What it no longer has counts for nothing: a pebble that was started again, an account that was removed.
  if (type === "accountDoesNotExist" || status === 404) return { reason, isCounted: false, isOrderKept: false };
  return { reason, isCounted: !error.isPassing, isOrderKept: error.isPassing };
}

const minuteMs = 60_000;

/**
 * When the next attempt is made after so many failures: a minute later, up to ten, or ten minutes, up to a day, if the authority
 * counted the attempt.
 */
export function nextAttempt(failures: number, { isCounted, until }: Failure, random = Math.random): Date {
  const growth = isCounted
    ? { firstMs: 10 * minuteMs, longestMs: 24 * 60 * minuteMs }
    : { firstMs: minuteMs, longestMs: 10 * minuteMs };
  const wait = backoffMs(failures, { ...growth, jitter: [0.8, 1.2] }, random());
  return new Date(Math.max(Date.now() + wait, (until?.getTime() ?? 0) + 1_000));
}
