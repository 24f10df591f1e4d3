import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import type { JobHandler } from "../../engine/queue/worker.ts";
import type { TargetKind } from "../../engine/reconcile/target.ts";
import type { PeriodicTask } from "../../engine/schedule/schedule.ts";
import type { WorkflowKind } from "../../engine/workflow/workflow.ts";
import { announce } from "../notifications/actions.ts";
import { certificateQueue, queueCertificateCheck } from "../sites/certificate-queue.ts";
import { forgetOldRequests } from "./authority/queries.ts";
import { emitCertificate } from "./events.ts";
import { orderIfNeeded } from "./orders.ts";
import { type Expired, expireCertificates, forgetOldOrders, listDue } from "./queries.ts";
import { cleanupTarget } from "./targets.ts";
import { certificateWorkflow } from "./workflow.ts";

export const certificateJobs = (ctx: Context): JobHandler[] => [
  {
    name: certificateQueue,
    policy: "keyed",
    concurrency: 10,
    work: (data) => transaction(ctx.pool, (tx) => orderIfNeeded(tx, ctx, Number(data.projectId))),
  },
];

export const certificateWorkflows = (ctx: Context): WorkflowKind[] => [certificateWorkflow(ctx) as WorkflowKind];

export const certificateTargets = (): TargetKind[] => [cleanupTarget];

const atOnce = 100;
/** How long ended orders are shown. */
const keptDays = 90;

export const certificateSchedules = (ctx: Context): PeriodicTask[] => [
  {
    name: "renew-certificates",
    everyMs: 10_000,
    work: async () => {
      const due = await listDue(ctx.pool, atOnce);
      if (due.length === 0) return;
      await transaction(ctx.pool, async (tx) => {
        for (const { project_id: projectId } of due) await queueCertificateCheck(tx, ctx, projectId);
      });
    },
  },
  {
    name: "expire-certificates",
    everyMs: 60_000,
    work: () =>
      transaction(ctx.pool, async (tx) => {
        for (const expired of await expireCertificates(tx, atOnce)) await announceExpired(tx, ctx, expired);
      }),
  },
  {
    name: "delete-old-certificate-requests",
    everyMs: 3_600_000,
    work: async () => {
      await forgetOldOrders(ctx.pool, keptDays);
      await forgetOldRequests(ctx.pool);
    },
  },
];

async function announceExpired(tx: PoolClient, ctx: Context, expired: Expired): Promise<void> {
  await emitCertificate(tx, { ...expired, id: expired.project_id });
  if (!expired.ssl_is_enabled) return;
  await announce(tx, ctx, {
    organizationId: expired.organization_id,
    topic: "certificate.failed",
    title: `The certificate of ${expired.project} has expired`,
    text:
      expired.error ??
      (expired.source === "custom" ? "It was uploaded: upload the next one." : "It could not be renewed."),
    data: { project_id: expired.project_id, project_name: expired.project, names: expired.names, error: expired.error },
  });
}
