import type { Context } from "../../context.ts";
import type { Work } from "../../engine/workflow/workflow.ts";
import { type Backoff, backoffMs } from "../../lib/backoff.ts";
import { AppError, failureSentence } from "../../lib/errors.ts";
import { AcmeError } from "../../providers/acme/problem.ts";
import type { Authority } from "./authority/account.ts";
import { type OrderRequest, recordRateLimit, type Wait } from "./authority/quota.ts";
import { storeResults } from "./queries.ts";
import type { Failure, OrderData, OrderRow } from "./schema.ts";

// Decides whether a failure at the authority, or on the way to it, is retried soon or ends the order.

/** Retries after temporary failures of the authority or the connection to it. */
const mostRetries = 5;
/** The order waits up to this long; a longer wait ends it, with the time in its reason. */
const shortWaitMs = 30_000;
const backoff: Backoff = { firstMs: 1_000, longestMs: shortWaitMs };

/** A permanent failure of an attempt, thrown by the phase that detects it. */
export class OrderRejected extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.reasons.join(" "));
    this.failure = failure;
  }
}

/** The authority must not be asked now. */
export class Postponed extends Error {
  readonly wait: Wait;

  constructor(wait: Wait) {
    super(wait.reason);
    this.wait = wait;
  }
}

export const requestFor = ({ directory }: Authority, { id, names, left_out, purpose }: OrderRow): OrderRequest => ({
  directory,
  names,
  isRenewal: purpose === "renewal" && left_out.length === 0,
  orderId: id,
});

type FailureDeps = Pick<Context, "pool" | "log"> & { authority: Authority };
type OrderWork = Work<OrderData>;

/** Records an attempt's failure with its order. Returns the error to throw: a permanent one ends the order. */
export async function handleFailure(
  { pool, log, authority }: FailureDeps,
  work: OrderWork,
  order: OrderRow,
  error: unknown,
): Promise<unknown> {
  if (work.signal.aborted) return error;
  if (error instanceof OrderRejected) return reject(work, error.failure);
  if (error instanceof Postponed) return postpone(work, order, error.wait);
  if (error instanceof AcmeError) {
    if (error.isLimit) {
      return postpone(work, order, await recordRateLimit(pool, requestFor(authority, order), error));
    }
    if (error.type === "accountDoesNotExist") await authority.forget();
    else if (!error.isPassing) return reject(work, { reasons: [refusalOf(error)], isCounted: true });
    return retry(work, order, refusalOf(error));
  }
  if (error instanceof AppError && error.permanent) return error;
  const logBug = (err: unknown) => log.error({ err, order: order.id }, "a certificate order failed");
  return retry(work, order, failureSentence(error, logBug));
}

const refusalOf = (error: AcmeError): string =>
  error.type === "network"
    ? `The certificate authority cannot be reached: ${error.message}`
    : `The certificate authority refuses: ${error.message}`;

async function reject(work: OrderWork, failure: Failure): Promise<AppError> {
  await work.save({ failure });
  return new AppError("refused", failure.reasons.join(" "), { permanent: true });
}

// A transient failure is retried soon, a limited number of times, so that no order stays open for ever.
async function retry(work: OrderWork, order: OrderRow, reason: string): Promise<AppError> {
  const attempts = work.workflow.attempts + 1;
  await work.save({}, (tx) => storeResults(tx, order.id, { log: [`${reason} It is retried.`] }));
  if (attempts > mostRetries) return reject(work, { reasons: [reason], isCounted: false });
  return new AppError("refused", reason, { retryAfterMs: backoffMs(attempts, backoff) });
}

async function postpone(work: OrderWork, order: OrderRow, { until, reason }: Wait): Promise<AppError> {
  const waitMs = until.getTime() - Date.now();
  if (waitMs <= shortWaitMs) {
    await work.save({}, (tx) => storeResults(tx, order.id, { log: [reason] }));
    // Limited, so that an authority that asks repeatedly to wait cannot keep an order open for ever.
    if (work.workflow.attempts < mostRetries) {
      return new AppError("refused", reason, { retryAfterMs: Math.max(Math.ceil(waitMs / 1_000), 1) * 1_000 });
    }
  }
  return reject(work, { reasons: [reason], isCounted: false, until: until.toISOString() });
}
