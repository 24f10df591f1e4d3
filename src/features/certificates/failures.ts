import type { Context } from "../../context.ts";
import type { Work } from "../../engine/workflow/workflow.ts";
import { AppError } from "../../lib/errors.ts";
import { AcmeError } from "../../providers/acme/problem.ts";
import type { Authority } from "./authority/account.ts";
import { type OrderRequest, recordRateLimit, type Wait } from "./authority/governor.ts";
import { storeResults } from "./queries.ts";
import type { Failure, OrderData, OrderRow } from "./schema.ts";

// What a failure at the authority, or on the way to it, means for an order: another attempt in a moment, or its end.

/** How often the authority is asked again when it, or the way to it, fails for the moment. */
const mostRetries = 5;
/** A wait that is not longer is waited; a longer one ends the order, and the reader learns until when. */
const shortWaitMs = 30_000;

/** An attempt that failed for good, reported by the phase that found out. */
export class OrderRejected extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.reasons.join(" "));
    this.failure = failure;
  }
}

/** The authority may not be asked now. */
export class Postponed extends Error {
  readonly wait: Wait;

  constructor(wait: Wait) {
    super(wait.reason);
    this.wait = wait;
  }
}

export const requestFor = ({ directory }: Authority, { id, names, purpose }: OrderRow): OrderRequest => ({
  directory,
  names,
  isRenewal: purpose === "renewal",
  orderId: id,
});

type Asking = Pick<Context, "pool" | "log"> & { authority: Authority };
type OrderWork = Work<OrderData>;

/** Records the failure of an attempt with its order. The error to throw: a permanent one ends the order. */
export async function handleFailure(
  { pool, log, authority }: Asking,
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
  if (error instanceof AppError) return error.permanent ? error : retry(work, order, error.message);
  // A bug of our own is described in the log only.
  const retried = await retry(work, order, "Longshore could not continue the order; its log says why.");
  log.error({ err: error, order: order.id }, "a certificate order failed");
  return retried;
}

const refusalOf = (error: AcmeError): string =>
  error.type === "network"
    ? `The certificate authority cannot be reached: ${error.message}`
    : `The certificate authority refuses: ${error.message}`;

async function reject(work: OrderWork, failure: Failure): Promise<AppError> {
  await work.save({ failure });
  return new AppError("refused", failure.reasons.join(" "), { permanent: true });
}

// A transient failure is worth another attempt in a moment; in the end it fails, so that nothing is open for ever.
async function retry(work: OrderWork, order: OrderRow, reason: string): Promise<AppError> {
  const attempts = work.workflow.attempts + 1;
  await work.save({}, (tx) => storeResults(tx, order.id, { log: [`${reason} It is retried.`] }));
  if (attempts > mostRetries) return reject(work, { reasons: [reason], isCounted: false });
  return retriedAfter(reason, 2 ** (attempts - 1) * 1_000);
}

async function postpone(work: OrderWork, order: OrderRow, { until, reason }: Wait): Promise<AppError> {
  const waitMs = until.getTime() - Date.now();
  if (waitMs <= shortWaitMs) {
    await work.save({}, (tx) => storeResults(tx, order.id, { log: [reason] }));
    // An authority that asks for patience again and again does not keep an order open for ever.
    if (work.workflow.attempts < mostRetries)
      return retriedAfter(reason, Math.max(Math.ceil(waitMs / 1_000), 1) * 1_000);
  }
  return reject(work, { reasons: [reason], isCounted: false, until: until.toISOString() });
}

const retriedAfter = (reason: string, retryAfterMs: number): AppError =>
  Object.assign(new AppError("refused", reason), { retryAfterMs });
