import type { PoolClient } from "pg";
import type { Context, WithQueue } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import { findWorkflow } from "../../engine/workflow/queries.ts";
import { cancelWorkflow, startWorkflow } from "../../engine/workflow/start.ts";
import type { Workflow, WorkflowKind } from "../../engine/workflow/workflow.ts";
import { type Backoff, backoffMs } from "../../lib/backoff.ts";
import { AppError, messageOf } from "../../lib/errors.ts";
import { CloudError, type RemainingResource } from "../../providers/cloud/driver.ts";
import { announce } from "../notifications/actions.ts";
import { orderKind, removalKind } from "./kinds.ts";
import { cloudForWork } from "./providers/connection.ts";
import { getOwner } from "./providers/queries.ts";
import { findOrder, lockOrderOfServer, moveOrder, saveRemaining, saveResources } from "./queries.ts";
import type { OrderRow } from "./schema.ts";

const hour = 3_600_000;
const removalTimeoutMs = 7 * 24 * hour;
// Short at first, since most of the rest requires the machine to be gone.
const backoff: Backoff = { firstMs: 2_000, longestMs: hour };

/**
 * In the transaction that deletes a server: its order is cancelled while the machine is built, and otherwise the machine is
 * deleted with all that was ordered with it. Returns the sentence about it; undefined for a server that was not ordered.
 */
export async function removeMachine(tx: PoolClient, ctx: WithQueue, serverId: number): Promise<string | undefined> {
  const order = await lockOrderOfServer(tx, serverId);
  if (!order || order.state === "released") return undefined;
  if (order.state === "active") await startRemoval(tx, ctx, order);
  if (order.state === "ordering") {
    const workflow = await findWorkflow(tx, { ...orderKind, subjectId: order.id });
    const isCancelled = workflow !== undefined && (await cancelWorkflow(tx, ctx.queue, workflow.id));
    // After the last phase the workflow can no longer be cancelled: the machine exists, and is deleted as such.
    if (!isCancelled) await startRemoval(tx, ctx, order);
  }
  return describeOutcome(order);
}

/** `order`: as it was before the deletion. */
function describeOutcome(order: OrderRow): string {
  if (order.state === "ordering" || order.state === "refunding") {
    return "Its order was cancelled; what was ordered is being deleted at the provider.";
  }
  if (order.state === "active" || order.state === "removing") {
    return `The machine and what was ordered with it are being deleted at the provider; order ${order.id} shows the progress.`;
  }
  return order.state === "left" ? `Order ${order.id} shows what is still at the provider.` : "It had no machine.";
}

/** Deletes the resources of the order at the provider; retries for up to a week. */
async function startRemoval(tx: PoolClient, ctx: WithQueue, order: OrderRow): Promise<void> {
  const moved = await moveOrder(tx, order.id, ["active", "ordering"], { state: "removing" });
  if (!moved) return;
  await startWorkflow(tx, ctx.queue, {
    ...removalKind,
    subjectId: order.id,
    organizationId: order.organization_id,
    data: {},
  });
}

export const removalWorkflow = (ctx: Context): WorkflowKind<Record<string, never>> => ({
  ...removalKind,
  phases: [
    {
      name: "remove",
      label: "Delete the machine and what was ordered with it",
      call: async (work) => {
        const order = await findOrder(ctx.pool, work.workflow.subjectId);
        if (order?.state !== "removing") return;
        await removeOnce(ctx, order, work);
      },
      timeoutMs: removalTimeoutMs,
    },
  ],
  onEnded: async (tx, workflow) => {
    const { subjectId: id } = workflow;
    if (workflow.state === "succeeded") {
      await moveOrder(tx, id, ["removing"], { state: "removed" });
      return;
    }
    const order = await findOrder(tx, id);
    const left = await moveOrder(tx, id, ["removing"], { state: "left", error: order?.error ?? workflow.error });
    if (left) await announceLeft(tx, ctx, left);
  },
});

/**
 * One attempt to delete everything of an order: server, address, volume, firewall, key. Records the rest, and while something is
 * left, rejects with an error that is retried.
 */
export async function removeOnce(ctx: Context, order: OrderRow, attempt: RemovalAttempt): Promise<void> {
  const remaining = await attemptRemoval(ctx, order, attempt);
  await transaction(ctx.pool, (tx) => saveRemaining(tx, order.id, remaining));
  if (remaining.length === 0) return;
  throw new CloudError("unavailable", remaining.map(({ reason }) => reason).join(" "), {
    retryAfterMs: backoffMs(attempt.workflow.attempts + 1, backoff),
  });
}

interface RemovalAttempt {
  signal: AbortSignal;
  /** With the failed attempts before it, and the beginning of the first. */
  workflow: Pick<Workflow, "attempts" | "phaseStartedAt">;
  /** The server may have been ordered without an answer. */
  isUncertain?: boolean;
}

// A machine is built within minutes.
const freshMs = hour / 4;
// Once its removal has begun, an order makes nothing more, and reads of a provider lag behind for seconds. After this time one look
// is enough: otherwise each failed attempt would be followed by another minute of looks, any of which may fail.
const lagMs = 60_000;

const sinceMs = (time: string): number => Date.now() - Date.parse(time);

async function attemptRemoval(
  ctx: Context,
  order: OrderRow,
  { signal, workflow: { phaseStartedAt }, isUncertain = false }: RemovalAttempt,
): Promise<RemainingResource[]> {
  const { key, location } = order;
  try {
    const cloud = await cloudForWork(ctx, order.provider_id, signal);
    const mayLag = phaseStartedAt === null || sinceMs(phaseStartedAt) < lagMs;
    const removal = { isFresh: mayLag && sinceMs(order.created_at) < freshMs, isUncertain: mayLag && isUncertain };
    const ref = { key, location, owner: await getOwner(ctx.pool), known: order.resources, ...removal };
    return await cloud.driver.removeOrder(cloud.access, ref, (resources) =>
      transaction(ctx.pool, (tx) => saveResources(tx, order.id, null, resources)),
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // A revoked token may be replaced, but a deleted connection cannot: the week limits both.
    // Nothing could be checked: all known resources count as left, or the machine itself if none is known.
    const known = order.resources.length > 0 ? order.resources : [{ kind: "server" as const, id: key, location }];
    return known.map((resource) => ({ ...resource, reason: messageOf(error) }));
  }
}

/** People have to delete it by hand, and pay for it until they do. */
export const announceLeft = (tx: PoolClient, ctx: WithQueue, order: OrderRow): Promise<void> =>
  announce(tx, ctx, {
    organizationId: order.organization_id,
    topic: "server.not_removed",
    title: `The machine of ${order.server_name} could not be deleted`,
    text:
      `Longshore tried for a week to delete what was ordered for ${order.server_name}. These resources are left at the provider ` +
      "and may be billed until you delete them there: " +
      order.remaining.map((resource) => `${resource.kind} ${resource.id} (${resource.reason})`).join("; "),
    data: { order_id: order.id, server_name: order.server_name, remaining: order.remaining },
  });
