import { randomBytes } from "node:crypto";
import type { PoolClient } from "pg";
import type { WithQueue } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { findWorkflow } from "../../engine/workflow/queries.ts";
import { cancelWorkflow, enqueueWorkflow, startWorkflow } from "../../engine/workflow/start.ts";
import { siteNames } from "../../host/nginx/names.ts";
import { backoffMs } from "../../lib/backoff.ts";
import { announce } from "../notifications/actions.ts";
import { lockProjectForWork } from "../projects/queries.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { queueCertificateCheck } from "../sites/certificate-queue.ts";
import { frontSite } from "../sites/front.ts";
import { emitCertificate } from "./events.ts";
import {
  awaitCertificate,
  dropPending,
  endOrder,
  findCertificateState,
  findOpenOrder,
  forgetRetry,
  insertOrder,
  recordFailure,
} from "./queries.ts";
import {
  type CertificateState,
  type Failure,
  type OrderData,
  type OrderRow,
  orderKind,
  type Purpose,
} from "./schema.ts";

// The begin and end of orders. Each function is called in the transaction that decides it, with the project's row locked. Code
// that locks both locks the project first.

/** The names that a project's certificate has to cover: all names of its site. */
export const namesOf = (project: PlacedProject): string[] => siteNames(frontSite(project)).toSorted();

export const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && new Set([...one, ...other]).size === one.length;

/** Begins an order, or returns the one under way for the project. */
export async function beginOrder(
  tx: PoolClient,
  ctx: WithQueue,
  project: PlacedProject,
  purpose: Exclude<Purpose, "custom">,
  { isAutomatic = false } = {},
): Promise<OrderRow> {
  const { id: projectId } = project;
  const { front_server_id: serverId } = project.site;
  await awaitCertificate(tx, projectId);
  const probe = randomBytes(24).toString("base64url");
  const order = await insertOrder(tx, { projectId, serverId, purpose, names: namesOf(project), probe });
  if (!order) return (await findOpenOrder(tx, projectId)) as OrderRow;
  await startOrder(tx, ctx, order, { isAutomatic });
  await emitCertificate(tx, project);
  return order;
}

export async function startOrder(
  tx: PoolClient,
  { queue }: WithQueue,
  order: OrderRow,
  more: Pick<OrderData, "isAutomatic"> = {},
): Promise<void> {
  const data = { projectId: order.project_id, isUploaded: order.purpose === "custom", ...more };
  await startWorkflow<OrderData>(tx, queue, { ...orderKind, subjectId: order.id, data });
}

const findOrderWorkflow = (db: Db, { id }: OrderRow) => findWorkflow(db, { ...orderKind, subjectId: id });

/** Whether an order is in its installation, which must not be interrupted: its end has to be recorded. */
export async function isInstalling(db: Db, order: OrderRow): Promise<boolean> {
  const workflow = await findOrderWorkflow(db, order);
  return workflow?.isUndoable === true && (order.purpose === "custom" || workflow.phase === "install");
}

/** Why a project needs another certificate now; undefined: it needs none, or its next attempt is not due. */
export function reasonToOrder(
  project: PlacedProject,
  state: CertificateState | undefined,
  now: Date,
): "issue" | "renewal" | undefined {
  if (!project.site.ssl_is_enabled || !project.placement.is_prepared) return undefined;
  const names = namesOf(project);
  const isTooEarly = state?.retry_at != null && !isDue(state.retry_at, now);
  // If the names have changed since the failure, an attempt is worthwhile at once.
  if (isTooEarly && isSameSet(state.failed_names ?? [], names)) return undefined;
  const isHere = state?.version != null && state.server_id === project.site.front_server_id;
  if (!isHere) return "issue";
  if (state.source === "custom") return undefined;
  if (!isSameSet(state.names, names)) return "issue";
  return isDue(state.renew_at, now) ? "renewal" : undefined;
}

/** Begins the order that a project needs, and ends one that it no longer needs. Safe to call at any time. */
export async function orderIfNeeded(tx: PoolClient, ctx: WithQueue, projectId: number): Promise<void> {
  const project = await lockProjectForWork(tx, projectId);
  if (!project) return;
  const open = await findOpenOrder(tx, projectId);
  if (open && (await isInstalling(tx, open))) {
    // It may be waiting for the publication that has just ended.
    const workflow = await findOrderWorkflow(tx, open);
    if (workflow) await enqueueWorkflow(tx, ctx.queue, workflow.id);
    return;
  }
  if (open && !isOvertaken(open, project)) return;
  if (open) await cancelOrder(tx, ctx, project, open);
  const state = await findCertificateState(tx, projectId);
  const now = new Date();
  const reason = reasonToOrder(project, state, now);
  if (reason) {
    await beginOrder(tx, ctx, project, reason, { isAutomatic: true });
    return;
  }
  if (!state?.retry_at) return;
  // The planned retry is not needed any more, nor is its failure if that was about other names.
  const isMoot = state.version !== null && !isSameSet(state.failed_names ?? [], namesOf(project));
  if (isMoot || isDue(state.retry_at, now)) {
    await forgetRetry(tx, project.id, isMoot);
    if (isMoot) await emitCertificate(tx, project);
  }
}

/** The names of an order, and those that it leaves out. */
const allNamesOf = ({ names, left_out }: OrderRow): string[] => [...names, ...left_out.map(({ name }) => name)];

const isDue = (time: string | null, now: Date): boolean => time !== null && Date.parse(time) <= now.getTime();

/** Whether the order no longer matches what the project needs. */
export const isOvertaken = (order: OrderRow, project: PlacedProject): boolean =>
  !project.site.ssl_is_enabled ||
  project.site.front_server_id !== order.server_id ||
  (order.purpose !== "custom" && !isSameSet(allNamesOf(order), namesOf(project)));

/** Ends an order that is no longer wanted. */
export async function cancelOrder(
  tx: PoolClient,
  ctx: WithQueue,
  project: PlacedProject,
  order: OrderRow,
): Promise<void> {
  const log = ["The project has changed meanwhile: this order is not needed any more."];
  if (!(await endOrder(tx, order.id, { outcome: "cancelled", log }))) return;
  const workflow = await findOrderWorkflow(tx, order);
  if (workflow) await cancelWorkflow(tx, ctx.queue, workflow.id);
  if (!project.site.ssl_is_enabled) await dropPending(tx, project.id);
  await emitCertificate(tx, project);
}

/** Replaces a cancelled order with the one that is needed. */
export async function replaceOrder(
  tx: PoolClient,
  ctx: WithQueue,
  project: PlacedProject,
  order: OrderRow,
): Promise<void> {
  await cancelOrder(tx, ctx, project, order);
  await queueCertificateCheck(tx, ctx, project.id);
}

const day = 24 * 3_600_000;

/** Ends a failed order: the served certificate stays, users are notified, and a later attempt is planned. */
export async function failOrder(tx: PoolClient, ctx: WithQueue, order: OrderRow, failure: Failure): Promise<void> {
  const error = failure.reasons.join(" ");
  const project = await lockProjectForWork(tx, order.project_id);
  if (!project || !(await endOrder(tx, order.id, { outcome: "failed", error, log: failure.reasons }))) return;
  const state = await findCertificateState(tx, project.id);
  const retryAt = order.purpose === "custom" ? null : nextTry((state?.failures ?? 0) + 1, failure);
  const isAnnounced = state?.announced_at == null || Date.now() - Date.parse(state.announced_at) > day;
  if (isAnnounced) {
    await announce(tx, ctx, {
      organizationId: project.organization_id,
      topic: "certificate.failed",
      title: `No certificate for ${project.name}`,
      text: [
        error,
        state?.version == null ? "The site is served without HTTPS." : "The present certificate stays in service.",
        retryAt ? "It is retried automatically." : "",
      ].join("\n"),
      data: {
        project_id: project.id,
        project_name: project.name,
        server_id: project.site.front_server_id,
        names: namesOf(project),
        error,
      },
    });
  }
  await recordFailure(tx, project.id, { names: allNamesOf(order), error, retryAt, isAnnounced });
  await emitCertificate(tx, project);
}

/**
 * Doubles from a minute, or from ten minutes if the authority counted the attempt, up to a day; randomized, to spread the load.
 */
export function nextTry(failures: number, { isCounted, until }: Omit<Failure, "reasons">, random = Math.random): Date {
  const firstMs = isCounted ? 600_000 : 60_000;
  const wait = backoffMs(failures, { firstMs, longestMs: day, jitter: [0.8, 1.2] }, random());
  return new Date(Math.max(Date.now() + wait, (until ? Date.parse(until) : 0) + 1_000));
}
