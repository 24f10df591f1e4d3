import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../context.ts";
import { AppError } from "../lib/errors.ts";
import type { WireAnswer } from "./errors.ts";
import { claimKey, findKey, type KeyClaim, releaseKey, storeAnswer } from "./queries.ts";

export interface IdempotentRequest {
  userId: number;
  key: string;
  /** Everything that identifies a request, in an unambiguous order. */
  identity: readonly (string | Buffer)[];
}

/** How long a repetition waits for the answer to the first attempt. */
const patienceMs = 20_000;

/**
 * Performs a request once: a repetition with the same key, user and request within 24 hours gets the first answer again,
 * also while the first attempt is still running, in any process. `perform` must turn refusals into answers; when it
 * throws or answers 5xx, nothing is stored and a retry runs again.
 */
export async function onceForKey(
  ctx: Context,
  request: IdempotentRequest,
  perform: () => Promise<WireAnswer>,
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
    const first = await findFirstAnswer(ctx, attempt);
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
  perform: () => Promise<WireAnswer>,
): Promise<WireAnswer> {
  let answer: WireAnswer | undefined;
  try {
    answer = await perform();
  } finally {
    // A failure to store the answer must not hide the outcome.
    await settle(ctx, attempt, answer).catch((err: unknown) => ctx.log.error({ err }, "idempotency key not stored"));
  }
  return answer;
}

async function settle(ctx: Context, attempt: KeyClaim, answer: WireAnswer | undefined): Promise<void> {
  if (!answer || answer.status >= 500) return await releaseKey(ctx.pool, attempt);
  await storeAnswer(ctx.pool, attempt, ctx.secrets.encrypt(JSON.stringify(answer)));
}

/** Undefined while the first attempt is in progress. */
async function findFirstAnswer(ctx: Context, attempt: KeyClaim): Promise<WireAnswer | undefined> {
  const stored = await findKey(ctx.pool, attempt.userId, attempt.key);
  if (!stored) return undefined;
  if (!stored.fingerprint.equals(attempt.fingerprint)) {
    throw new AppError(
      "invalid",
      "This Idempotency-Key was used for another request. Use a new key for a new request, or send the first one unchanged.",
    );
  }
  if (!stored.answer) return undefined;
  const answer = JSON.parse(ctx.secrets.decrypt(stored.answer)) as WireAnswer;
  return { ...answer, headers: { ...answer.headers, "Idempotency-Replayed": "true" } };
}
