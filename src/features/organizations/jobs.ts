import { installationUrl, mailServerOf } from "../../config.ts";
import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import type { JobHandler } from "../../engine/queue/worker.ts";
import { backoffMs, recoveryBackoff } from "../../lib/backoff.ts";
import { noMail, sendMail } from "../../providers/notify/email/send.ts";
import type { Outcome } from "../../providers/notify/message.ts";
import { invitationMail } from "./invitation-mail.ts";
import { countMailAttempt, deleteInvitationMail, findInvitationMail, type InvitationMail } from "./queries.ts";
import { invitationMailQueue } from "./schema.ts";

const giveUpAfterMs = 24 * 3_600_000;

export const organizationJobs = (ctx: Context): JobHandler[] => [
  {
    name: invitationMailQueue,
    concurrency: 10,
    work: (data, signal) => mailInvitation(ctx, Number(data.invitationId), String(data.digest), signal),
  },
];

/**
 * Mails an invitation as it was when the job was made; `digest` is the digest of its token. Does not mail one that was since
 * accepted, revoked or replaced, or has expired. If a worker dies, another one takes the job, so a mail may be sent twice, with
 * the same Message-ID.
 */
async function mailInvitation(ctx: Context, id: number, digest: string, signal: AbortSignal): Promise<void> {
  const mail = await findInvitationMail(ctx.pool, id, Buffer.from(digest, "hex"));
  const outcome = mail && (await send(ctx, mail, `longshore-invitation-${digest.slice(0, 32)}`, signal));
  if (outcome && !outcome.isDelivered) {
    // The worker returns the job, and the attempt does not count.
    if (signal.aborted) return;
    ctx.log.warn({ invitation: id, reason: outcome.error }, "an invitation could not be mailed");
    if (!outcome.isPermanent && mail.age_ms < giveUpAfterMs) return retry(ctx, id, digest, mail);
  }
  await deleteInvitationMail(ctx.pool, id, Buffer.from(digest, "hex"));
}

async function send(ctx: Context, mail: InvitationMail, id: string, signal: AbortSignal): Promise<Outcome> {
  const server = mailServerOf(ctx.config);
  if (!server) return noMail;
  const content = invitationMail(mail, ctx.secrets.decrypt(mail.token), installationUrl(ctx.config));
  return sendMail(server, { to: [mail.email], id, ...content }, signal);
}

async function retry(ctx: Context, invitationId: number, digest: string, { attempts }: InvitationMail): Promise<void> {
  const afterSeconds = backoffMs(attempts + 1, recoveryBackoff) / 1_000;
  await transaction(ctx.pool, async (tx) => {
    if (!(await countMailAttempt(tx, invitationId, attempts))) return;
    await ctx.queue.enqueue(tx, invitationMailQueue, { invitationId, digest }, { afterSeconds });
  });
}
