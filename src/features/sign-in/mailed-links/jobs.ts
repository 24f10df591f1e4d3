import { installationUrl, mailServerOf } from "../../../config.ts";
import type { Context } from "../../../context.ts";
import type { JobHandler } from "../../../engine/queue/worker.ts";
import { backoffMs, recoveryBackoff } from "../../../lib/backoff.ts";
import type { Mail } from "../../../providers/notify/email/message.ts";
import { noMail, sendMail } from "../../../providers/notify/email/send.ts";
import { findOwnAccount, findUserByEmail } from "../../accounts/queries.ts";
import { digestOf, newSecret } from "../../accounts/tokens.ts";
import { emailChangedMail, emailToChangeMail, newEmailMail, passwordChangedMail, resetMail } from "./mails.ts";
import { saveLink } from "./queries.ts";
import { type AccountMail, accountMailQueue, linkMinutes } from "./schema.ts";

export const mailedLinkJobs = (ctx: Context): JobHandler[] => [
  {
    name: accountMailQueue,
    concurrency: 10,
    work: (data, signal) => mailAccount(ctx, data as unknown as AccountMailJob, signal),
  },
];

type AccountMailJob = AccountMail & { requestedAt: number; attempts?: number };

/**
 * Sends one mail. Each attempt makes its own link, which replaces the one before: the secret is in the mail and nowhere else. If a
 * worker dies, another one takes the job, and the mail may be sent twice; the second link counts.
 */
async function mailAccount(ctx: Context, job: AccountMailJob, signal: AbortSignal): Promise<void> {
  const { requestedAt, attempts = 0 } = job;
  if (Date.now() - requestedAt > linkMinutes * 60_000) return;
  const mail = await letterFor(ctx, job);
  if (!mail) return;
  const server = mailServerOf(ctx.config);
  const outcome = server ? await sendMail(server, { ...mail, id: `longshore-${newSecret("")}` }, signal) : noMail;
  // The worker returns the job after an interruption.
  if (outcome.isDelivered || signal.aborted) return;
  ctx.log.warn({ mail: job.kind, reason: outcome.error }, "an account could not be mailed");
  if (outcome.isPermanent) return;
  const afterSeconds = backoffMs(attempts + 1, recoveryBackoff) / 1_000;
  await ctx.queue.enqueue(ctx.pool, accountMailQueue, { ...job, attempts: attempts + 1 }, { afterSeconds });
}

type Letter = Mail & { to: string[] };

/** Undefined when there is no one to write to. */
async function letterFor(ctx: Context, mail: AccountMail): Promise<Letter | undefined> {
  const url = installationUrl(ctx.config);
  switch (mail.kind) {
    case "reset_password":
      return resetLetter(ctx, url, mail.email);
    case "change_email":
      return newEmailLetter(ctx, url, mail);
    case "email_to_change":
      return { to: [mail.email], ...emailToChangeMail(url, mail.newEmail) };
    case "email_changed":
      return { to: [mail.email], ...emailChangedMail(url, mail.newEmail) };
    case "password_changed":
      return { to: [mail.email], ...passwordChangedMail(url) };
  }
}

async function resetLetter({ pool }: Context, url: string, given: string): Promise<Letter | undefined> {
  const user = await findUserByEmail(pool, given);
  if (!user) return undefined;
  const token = newSecret("lsm_");
  const { id: userId, email } = user;
  await saveLink(pool, { digest: digestOf(token), userId, purpose: "reset_password", email, newEmail: null });
  return { to: [email], ...resetMail(url, token) };
}

async function newEmailLetter(
  { pool }: Context,
  url: string,
  { userId, newEmail }: { userId: number; newEmail: string },
): Promise<Letter | undefined> {
  const user = await findOwnAccount(pool, userId);
  if (!user || (await findUserByEmail(pool, newEmail))) return undefined;
  const token = newSecret("lsm_");
  await saveLink(pool, { digest: digestOf(token), userId, purpose: "change_email", email: user.email, newEmail });
  return { to: [newEmail], ...newEmailMail(url, token, newEmail) };
}
