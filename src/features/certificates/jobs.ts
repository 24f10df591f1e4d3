import { X509Certificate } from "node:crypto";
import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import type { Outcome } from "../../engine/journal.ts";
import type { Run } from "../../engine/queries.ts";
import { createRun, type RunKind, type RunSecrets } from "../../engine/runs.ts";
import type { PeriodicTask } from "../../engine/schedule/schedule.ts";
import type { JobHandler } from "../../engine/worker.ts";
import { announce } from "../notifications/actions.ts";
import { lockProjectForWork } from "../projects/queries.ts";
import { certificateKind, installKind, type ProjectRow } from "../projects/schema.ts";
import { certificateQueue, lookAfterCertificate, recordInstallation, siteSecrets } from "../projects/web-server.ts";
import { openAuthority } from "./authority/account.ts";
import { forgetOldRequests } from "./authority/queries.ts";
import { emitCertificate } from "./events.ts";
import { offersOcsp } from "./installation.ts";
import { workOnOrder } from "./issue.ts";
import { cleanupKind, continueOrder, failOrder, lookAfter, orderQueue } from "./orders.ts";
import {
  activateCertificate,
  type Expired,
  expireCertificates,
  findUploadedKey,
  forgetOldOrders,
  listDue,
  listForgotten,
  lockOrderOfRun,
  moveOrder,
} from "./queries.ts";
import type { OrderRow } from "./schema.ts";

export function certificateJobs(ctx: Context): JobHandler[] {
  const authority = openAuthority(ctx);
  return [
    {
      name: certificateQueue,
      policy: "keyed",
      concurrency: 10,
      work: (data) => transaction(ctx.pool, (tx) => lookAfter(tx, ctx, Number(data.projectId))),
    },
    {
      name: orderQueue,
      policy: "keyed",
      concurrency: 100,
      work: (data, signal) => workOnOrder({ ...ctx, authority, signal }, Number(data.orderId)),
    },
  ];
}

// Reports of runs ----------------------------------------------------------------------------------------------------------

export const certificateRunKinds = (ctx: Context): RunKind[] => [
  { kind: certificateKind, onEnded: (tx, run, outcome) => finishPreparation(tx, ctx, run, outcome === "succeeded") },
  {
    kind: installKind,
    secrets: (run) => installSecrets(ctx, run),
    onEnded: (tx, run, outcome) => finishInstallation(tx, ctx, run, outcome),
  },
  { kind: cleanupKind, onEnded: (tx, run, outcome) => finishCleanup(tx, ctx, run, outcome === "succeeded") },
];

/** Key and request were made, or the challenges are shown: the control plane continues. */
async function finishPreparation(tx: PoolClient, ctx: Context, run: Run, isDone: boolean): Promise<void> {
  await lockProjectForWork(tx, run.subject_id);
  const order = await lockOrderOfRun(tx, run.id);
  if (!order) return;
  const { request } = run.facts;
  const isRequest = order.phase === "request";
  if (!isDone || (isRequest && !request)) return failOrder(tx, ctx, order, failureOf(run));
  const moved = isRequest
    ? await moveOrder(tx, order.id, "request", "check", { request: request as string })
    : await moveOrder(tx, order.id, "challenge", "validate");
  if (moved) await continueOrder(tx, ctx, order.id);
}

const failureOf = (run: Run) => ({
  reasons: [run.error ?? "The server did not do what it was asked."],
  isCounted: false,
});

/** Records what the server serves, in the transaction that stores the end of the run. */
async function finishInstallation(tx: PoolClient, ctx: Context, run: Run, outcome: Outcome | "stalled"): Promise<void> {
  const project = await lockProjectForWork(tx, run.subject_id);
  const order = await lockOrderOfRun(tx, run.id);
  if (order && project) {
    if (outcome === "succeeded") await recordServed(tx, ctx, project, order);
    else await failOrder(tx, ctx, order, failureOf(run));
  }
  if (project) await recordInstallation(tx, ctx, run);
}

async function recordServed(tx: PoolClient, ctx: Context, project: ProjectRow, order: OrderRow): Promise<void> {
  const { validFromDate: notBefore, validToDate: notAfter } = new X509Certificate(order.chain as string);
  const isCustom = order.purpose === "custom";
  await activateCertificate(tx, {
    projectId: project.id,
    serverId: order.server_id,
    version: order.id,
    source: isCustom ? "custom" : "acme",
    names: order.names,
    offersOcsp: offersOcsp(order.chain as string),
    notBefore,
    notAfter,
    renewAt: isCustom ? null : renewalTime(notBefore, notAfter),
  });
  await moveOrder(tx, order.id, "install", "verify");
  await continueOrder(tx, ctx, order.id);
  await emitCertificate(tx, project);
  if (order.purpose === "renewal") await announceRenewal(tx, ctx, project, notAfter);
}

/**
 * When a third of its life is left, and up to a fifteenth of its life later: certificates that were issued together are not
 * renewed together.
 */
export function renewalTime(notBefore: Date, notAfter: Date, random = Math.random): Date {
  const life = notAfter.getTime() - notBefore.getTime();
  return new Date(notAfter.getTime() - life / 3 + (life / 15) * random());
}

const announceRenewal = (tx: PoolClient, ctx: Context, project: ProjectRow, notAfter: Date): Promise<void> =>
  announce(tx, ctx, {
    organizationId: project.organization_id,
    topic: "certificate.renewed",
    title: `The certificate of ${project.name} was renewed`,
    text: `It holds until ${notAfter.toISOString().slice(0, 10)}.`,
    data: { project_id: project.id, project_name: project.name, expires_at: notAfter.toISOString() },
  });

/** The key that was uploaded, and what publishing the site takes. */
async function installSecrets(ctx: Context, run: Run): Promise<RunSecrets> {
  const key = (await findUploadedKey(ctx.pool, run.id))?.uploaded_key;
  const site = await siteSecrets(ctx, run.subject_id);
  return { files: { ...site, ...(key ? { "certificate-key": ctx.secrets.decrypt(key) } : {}) }, masked: [] };
}

const cleanAgainSeconds = 60;

/** A file that could not be removed is in use until the site names another: the removal is retried. */
async function finishCleanup(tx: PoolClient, ctx: Context, run: Run, isDone: boolean): Promise<void> {
  if (isDone || run.server_id === null || !(await lockProjectForWork(tx, run.subject_id))) return;
  const { server_id: serverId, subject_id: subjectId, plan } = run;
  await createRun(tx, ctx.queue, { serverId, kind: cleanupKind, subjectId, plan, afterSeconds: cleanAgainSeconds });
}

// Looks now and then ---------------------------------------------------------------------------------------------------------

const atOnce = 100;
const forgottenSeconds = 60;

export const certificateSchedules = (ctx: Context): PeriodicTask[] => [
  { name: "renew-certificates", everyMs: 10_000, work: () => renewDue(ctx) },
  { name: "expire-certificates", everyMs: 60_000, work: () => expire(ctx) },
  { name: "resume-certificate-orders", everyMs: 30_000, work: () => resumeForgotten(ctx) },
  { name: "delete-old-certificate-requests", everyMs: 3_600_000, work: () => forgetOld(ctx) },
];

async function forgetOld({ pool }: Context): Promise<void> {
  await forgetOldOrders(pool);
  await forgetOldRequests(pool);
}

async function renewDue(ctx: Context): Promise<void> {
  const due = await listDue(ctx.pool, atOnce);
  if (due.length === 0) return;
  await transaction(ctx.pool, async (tx) => {
    for (const { project_id: projectId } of due) await lookAfterCertificate(tx, ctx, projectId);
  });
}

const resumeForgotten = (ctx: Context): Promise<void> =>
  transaction(ctx.pool, async (tx) => {
    for (const { id } of await listForgotten(tx, forgottenSeconds)) await continueOrder(tx, ctx, id);
  });

const expire = (ctx: Context): Promise<void> =>
  transaction(ctx.pool, async (tx) => {
    for (const expired of await expireCertificates(tx, atOnce)) await tellExpired(tx, ctx, expired);
  });

async function tellExpired(tx: PoolClient, ctx: Context, expired: Expired): Promise<void> {
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
