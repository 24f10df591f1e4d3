import type { PoolClient } from "pg";
import type { Static } from "typebox";
import { mailServerOf } from "../../../config.ts";
import { transaction } from "../../../db/transaction.ts";
import { callingProgram } from "../../../http/calling-program.ts";
import { clientOf } from "../../../http/clients.ts";
import { type AccountEntry, insertAccountEntries } from "../../../http/queries.ts";
import type { CallerContext, Partly, PublicContext } from "../../../http/route.ts";
import { AppError, type FieldErrors } from "../../../lib/errors.ts";
import { digestPassword } from "../../../lib/password.ts";
import { deleteSessions, saveEmail, savePassword } from "../../accounts/queries.ts";
import { digestOf } from "../../accounts/tokens.ts";
import { bucketsOfEmailChange, bucketsOfLink, bucketsOfReset, countAttempt } from "../attempts.ts";
import { deleteLinks, isLink, redeemLink } from "./queries.ts";
import { type AccountMail, accountMailQueue, type EmailChange, type PasswordReset, passwordCommand } from "./schema.ts";

/**
 * Queues the mail for every address: whether it has an account is found out by the worker, so that neither the answer nor its time
 * depends on it.
 */
export async function requestReset(ctx: PublicContext, given: string): Promise<void> {
  refuseWithoutMail(ctx, `The operator can set a password: ${passwordCommand}`);
  const email = given.toLowerCase();
  await countAttempt(ctx.pool, bucketsOfReset(email, clientIn(ctx)));
  await enqueue(ctx, ctx.pool, { kind: "reset_password", email });
}

/** Ends all sessions: the old password may be in someone else's hands. */
export async function resetPassword(ctx: PublicContext, { token, newPassword }: Static<typeof PasswordReset>) {
  await countAttempt(ctx.pool, bucketsOfLink(clientIn(ctx)));
  const digest = digestOf(token);
  // The digest of a password takes a tenth of a second of a processor.
  if (!(await isLink(ctx.pool, digest, "reset_password"))) throw gone();
  const passwordDigest = await digestPassword(newPassword);
  await transaction(ctx.pool, async (tx) => {
    const link = await redeemLink(tx, digest, "reset_password");
    if (!link) throw gone();
    await savePassword(tx, link.userId, passwordDigest);
    await deleteSessions(tx, link.userId);
    await deleteLinks(tx, link.userId);
    await record(tx, ctx, { userId: link.userId, action: "reset-password", summary: "Reset the password by mail" });
    await enqueue(ctx, tx, { kind: "password_changed", email: link.email });
  });
}

/** The errors of a request for another address beyond its schema; counts it. */
export async function checkEmailChange(
  ctx: CallerContext,
  { body: { newEmail } }: { body: Partly<Static<typeof EmailChange>> },
): Promise<FieldErrors> {
  if (newEmail === undefined) return {};
  const { userId, email } = ctx.actor;
  if (newEmail.toLowerCase() === email) return { newEmail: "This is the address of your account already." };
  await countAttempt(ctx.pool, bucketsOfEmailChange(userId, newEmail.toLowerCase()));
  return {};
}

/** Queues a link to the new address, and the news to the old one, whether or not the new one has an account already. */
export async function requestEmailChange(ctx: CallerContext, given: Static<typeof EmailChange>): Promise<void> {
  refuseWithoutMail(ctx, "The operator can make an account with another address, which can be invited.");
  const { userId, email } = ctx.actor;
  const newEmail = given.newEmail.toLowerCase();
  await transaction(ctx.pool, async (tx) => {
    await enqueue(ctx, tx, { kind: "change_email", userId, newEmail });
    await enqueue(ctx, tx, { kind: "email_to_change", email, newEmail });
  });
}

export async function changeEmail(ctx: PublicContext, token: string): Promise<void> {
  await countAttempt(ctx.pool, bucketsOfLink(clientIn(ctx)));
  await transaction(ctx.pool, async (tx) => {
    const link = await redeemLink(tx, digestOf(token), "change_email");
    if (!link?.newEmail) throw gone();
    const { userId, email, newEmail } = link;
    if (!(await saveEmail(tx, { userId, email, newEmail }))) throw gone();
    // A link to a new password may be in the mailbox of the old address.
    await deleteLinks(tx, userId);
    await record(tx, ctx, { userId, action: "verify-email", summary: "Change the email address" });
    await enqueue(ctx, tx, { kind: "email_changed", email, newEmail });
  }).catch((error: unknown) => {
    // Another account took the address at the same moment.
    throw (error as { code?: unknown }).code === uniqueViolation ? gone() : error;
  });
}

const uniqueViolation = "23505";

const gone = (): AppError =>
  new AppError("gone", "The link was used or replaced, or has expired. Ask for another one.");

function refuseWithoutMail({ config }: PublicContext, advice: string): void {
  if (mailServerOf(config)) return;
  throw new AppError("refused", `This installation sends no mail. ${advice}`);
}

const clientIn = ({ config, ip, headers }: PublicContext): string | undefined =>
  clientOf(config, { ip: ip ?? "", headers });

const enqueue = ({ queue }: PublicContext, db: PublicContext["pool"] | PoolClient, mail: AccountMail): Promise<void> =>
  queue.enqueue(db, accountMailQueue, { ...mail, requestedAt: Date.now() });

const record = (tx: PoolClient, ctx: PublicContext, entry: Pick<AccountEntry, "userId" | "action" | "summary">) =>
  insertAccountEntries(tx, {
    ...{ ...entry, action: `POST /api/auth/${entry.action}`, ip: ctx.ip, requestId: ctx.requestId },
    client: callingProgram(ctx.headers, true),
  });
