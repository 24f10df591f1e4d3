import { createHash } from "node:crypto";
import type { BetterAuthOptions } from "better-auth";
import { APIError } from "better-auth/api";
import type { Pool } from "../../db/pool.ts";
import { objectOf, scalarOf } from "../../lib/foreign.ts";
import { isBlocked } from "../accounts/queries.ts";
import { blockedSentence } from "../accounts/sessions.ts";
import { isCodeUnused } from "./queries.ts";

type BeforeSession = NonNullable<
  NonNullable<NonNullable<NonNullable<BetterAuthOptions["databaseHooks"]>["session"]>["create"]>["before"]
>;

/** Refuses a session for an account that the operator has blocked: its password was right by then, so that no stranger learns of it. */
const refuseBlocked =
  (pool: Pool): BeforeSession =>
  async ({ userId }) => {
    if (!(await isBlocked(pool, Number(userId)))) return;
    throw new APIError("FORBIDDEN", { code: "ACCOUNT_BLOCKED", message: blockedSentence });
  };

/**
 * Refuses a session for a code of the second factor that has opened one before (RFC 6238, 5.2). better-auth has verified the
 * code when it creates the session, and deletes backup codes itself.
 */
const useCodeOnce =
  (pool: Pool): BeforeSession =>
  async ({ userId }, context) => {
    if (context?.path !== "/two-factor/verify-totp") return;
    const code = scalarOf(objectOf(context.body).code);
    const digest = createHash("sha256").update(`${userId} ${code}`).digest();
    if (await isCodeUnused(pool, Number(userId), digest)) return;
    throw new APIError("UNAUTHORIZED", { code: "INVALID_CODE", message: "Invalid code" });
  };

/** What better-auth asks before it opens a session. */
export function checkSession(pool: Pool): BeforeSession {
  const checks = [refuseBlocked(pool), useCodeOnce(pool)];
  return async (session, context) => {
    for (const check of checks) await check(session, context);
  };
}
