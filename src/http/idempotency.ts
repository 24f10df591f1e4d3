import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../context.ts";
import type { BeforeCommit } from "../db/transaction.ts";
import { AppError } from "../lib/errors.ts";
import type { WireAnswer } from "./errors.ts";
import {
  claimKey,
  endAttempt,
  findKey,
  type KeyClaim,
  markKey,
  releaseKey,
  renewClaim,
  type StoredKey,
  storeAnswer,
} from "./queries.ts";
import { success } from "./schemas.ts";

export interface IdempotentRequest {
  userId: number;
  key: string;
  /** Everything that identifies a request, in an unambiguous order. */
  identity: readonly (string | Buffer)[];
}

/**
 * Makes the hook for the transactions of the request; `records` names what a change concerns, from what its transaction returned.
 * The key is marked in the transaction of the change: whenever the process ends, either both are there or neither.
 */
export type MarkCommit = (records: (result: unknown) => string[]) => BeforeCommit;

/** How long a repetition waits for the answer to the first attempt: longer than the claim of a process that ended. */
const patienceMs = 20_000;
const renewMs = 4_000;

/**
 * Performs a request once: a repetition with the same key, user and request within 24 hours gets the first answer again,
 * also while the first attempt is still running, in any process. `perform` must turn refusals into answers. When it throws or
 * answers 5xx before it has committed a change, a retry runs again. When its process ended after that, or the answer could not be
 * made, the repetition is answered with what was changed.
 */
export async function onceForKey(
  ctx: Context,
  request: IdempotentRequest,
  perform: (mark: MarkCommit) => Promise<WireAnswer>,
): Promise<WireAnswer> {
  const { userId, key } = request;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new AppError("invalid", "The Idempotency-Key must be 1 to 255 visible ASCII characters.");
  }
  const hash = createHash("sha256");
  for (const part of request.identity) hash.update(part);
  const attempt: KeyClaim = { userId, key, fingerprint: hash.digest(), claim: randomUUID() };
  const deadline = Date.now() + patienceMs;
  for (let pause = 25; Date.now() < deadline; pause = Math.min(pause * 2, 500)) {
    if (await claimKey(ctx.pool, attempt)) return await performAndStore(ctx, attempt, perform);
    const stored = await findKey(ctx.pool, userId, key);
    const first = stored && firstAnswer(ctx, attempt, stored);
    if (first) return first;
    await sleep(pause);
  }
  throw new AppError(
    "conflict",
    "The first request with this Idempotency-Key is still being carried out. Try again in a moment.",
    { headers: { "Retry-After": "5" } },
  );
}

async function performAndStore(
  ctx: Context,
  attempt: KeyClaim,
  perform: (mark: MarkCommit) => Promise<WireAnswer>,
): Promise<WireAnswer> {
  const renewal = setInterval(() => {
    renewClaim(ctx.pool, attempt).catch((err: unknown) => ctx.log.warn({ err }, "idempotency key not renewed"));
  }, renewMs);
  // A failure to store the answer must not hide the outcome.
  const settled = (storing: Promise<unknown>) =>
    storing.catch((err: unknown) => ctx.log.error({ err }, "idempotency key not stored"));
  try {
    const answer = await perform(markOf(attempt));
    await settled(storeAnswer(ctx.pool, attempt, ctx.secrets.encrypt(JSON.stringify(answer))));
    return answer;
  } catch (error) {
    // A handler that reports a failure has put back what it had changed. Any other error may have come after a change.
    await settled(error instanceof AppError ? releaseKey(ctx.pool, attempt) : endAttempt(ctx.pool, attempt));
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

const markOf =
  (attempt: KeyClaim): MarkCommit =>
  (records) =>
  async (tx, result) => {
    if (await markKey(tx, attempt, records(result))) return undefined;
    // This process was cut off from the database for too long.
    throw new AppError("unavailable", "A repetition of this request is carried out instead. Ask for its answer.", {
      headers: { "Retry-After": "1" },
    });
  };

/** Undefined while the first attempt is in progress. */
function firstAnswer({ secrets }: Context, attempt: KeyClaim, stored: StoredKey): WireAnswer | undefined {
  if (!stored.fingerprint.equals(attempt.fingerprint)) {
    throw new AppError(
      "invalid",
      "This Idempotency-Key was used for another request. Use a new key for a new request, or send the first one unchanged.",
    );
  }
  const answer = stored.answer ? (JSON.parse(secrets.decrypt(stored.answer)) as WireAnswer) : lostAnswer(stored);
  return answer && { ...answer, headers: { ...answer.headers, "Idempotency-Replayed": "true" } };
}

/** What is known of a change whose answer was never made. */
function lostAnswer({ records, isClaimed }: StoredKey): WireAnswer | undefined {
  if (isClaimed || records === null) return undefined;
  const message = "The request was carried out, but Longshore was interrupted before it answered.";
  return { status: 202, headers: {}, body: JSON.stringify(success({ message, records })) };
}
