import type { Context } from "../../../context.ts";
import { transaction } from "../../../db/transaction.ts";
import { timestamp } from "../../../lib/timestamp.ts";
import { sendNotice } from "../verdicts/notices.ts";
import { type CheckedMonitor, findProjectName, setCertificate } from "./queries.ts";

const noticeDays = [1, 7, 21] as const;
const dayMs = 86_400_000;

/** The notice that is due, as its number of days before the end; null: none yet. */
export const noticeDue = (expiresAt: Date, now: Date): number | null =>
  noticeDays.find((days) => expiresAt.getTime() - now.getTime() <= days * dayMs) ?? null;

/**
 * Stores the end of the certificate that a check received, and sends a notice 21, 7 and 1 days before: each once per certificate,
 * for any number of processes and calls.
 */
export async function recordCertificate(
  ctx: Pick<Context, "pool" | "queue">,
  monitor: CheckedMonitor,
  expiresAt: Date,
  now: Date,
): Promise<void> {
  const due = noticeDue(expiresAt, now);
  const isKnown =
    monitor.certificate_expires_at !== null && Date.parse(monitor.certificate_expires_at) === expiresAt.getTime();
  const isNoticed = due === null || (isKnown && (monitor.certificate_notice_days ?? Number.POSITIVE_INFINITY) <= due);
  if (isKnown && isNoticed) return;
  await transaction(ctx.pool, async (tx) => {
    if (!(await setCertificate(tx, monitor, { expiresAt, noticeDays: due }))) return;
    // An expired certificate makes the monitor go down, which has its own notice.
    if (due === null || expiresAt <= now) return;
    const host = new URL(monitor.url).hostname;
    const project = await findProjectName(tx, monitor.project_id);
    await sendNotice(
      tx,
      ctx,
      { ...monitor, project_name: project },
      {
        topic: "monitor.certificate_expiring",
        title: `The certificate of ${host} ends within ${due === 1 ? "a day" : `${due} days`}`,
        lines: [`It ends at ${expiresAt.toISOString()}.`, `Monitor: ${monitor.name}. Project: ${project}.`],
        data: { expires_at: timestamp(expiresAt), days: due, host },
      },
    );
  });
  monitor.certificate_expires_at = expiresAt.toISOString();
  monitor.certificate_notice_days = due;
}
